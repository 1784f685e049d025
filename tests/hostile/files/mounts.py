"""
severity: high
strategy: mount, remount and unmount
surface: mounts
outcome: contained
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
found = None
for call in (
    lambda: libc.mount(b"none", b"/tmp", b"tmpfs", 0, None),
    lambda: libc.mount(b"proc", b"/tmp", b"proc", 0, None),
    lambda: libc.mount(None, b"/", None, 32, None),
    lambda: libc.umount2(b"/tmp", 2),
    lambda: libc.chroot(b"/tmp"),
):
    if call() == 0:
        found = "escaped: may change mounts"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
