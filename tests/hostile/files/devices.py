"""
severity: high
strategy: make a device file, or find one that leads to a disk or to memory
surface: devices
outcome: contained
"""

import os
import stat

HARMLESS = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "console"}
found = None
for name in sorted(os.listdir("/dev")):
    try:
        mode = os.lstat(f"/dev/{name}").st_mode
    except OSError:
        continue
    if (stat.S_ISBLK(mode) or stat.S_ISCHR(mode)) and name not in HARMLESS:
        found = f"escaped: has /dev/{name}"
try:
    os.mknod("/tmp/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
    found = "escaped: made a device"
except OSError:
    pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
