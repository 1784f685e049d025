"""
severity: high
strategy: attach memory that another process of this machine shares (System V, POSIX)
surface: the ipc namespace, /dev/shm
outcome: contained
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
found = None
if libc.shmget(0x4B5648, 0, 0o444) != -1:
    found = "escaped: shares memory with another process"
elif libc.shmget(0x4B5649, 4096, 0o1666) != -1:
    found = "escaped: made shared memory that outlives it"
try:
    with open("/dev/shm/kvh_was_here", "w"):
        found = "escaped: wrote to /dev/shm"
    os.unlink("/dev/shm/kvh_was_here")
except OSError:
    pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
