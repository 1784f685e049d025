"""
severity: high
strategy: type commands into the terminal that the judge was started from
surface: the terminal
outcome: contained
"""

import fcntl
import os

found = None
for path in ("/dev/tty", "/dev/console", "/dev/pts/0", "/dev/pts/1"):
    try:
        os.close(os.open(path, os.O_RDWR))
        found = f"escaped: opened {path}"
    except OSError:
        pass
for descriptor in (0, 1, 2):
    try:
        fcntl.ioctl(descriptor, 0x5412, b"x")
        found = "escaped: typed into the terminal"
    except OSError as error:
        if error.errno not in (1, 25):
            found = f"escaped: may ask for TIOCSTI ({error})"
if os.getsid(0) == 0:
    found = "escaped: is in the judge's session"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
