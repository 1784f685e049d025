"""
severity: medium
strategy: write a program to /tmp and run it, and run those of the machine
surface: programs
outcome: contained
"""

import subprocess

found = None
for path in ("/bin/sh", "/usr/bin/su", "/usr/bin/sudo", "/usr/bin/mount", "/usr/bin/docker", "/usr/bin/bwrap"):
    try:
        said = subprocess.run([path, "-c", "id -u"], capture_output=True, timeout=5, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        continue
    if said.stdout.strip() == b"0":
        found = f"escaped: {path} made it root"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
