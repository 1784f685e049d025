"""
severity: high
strategy: trace the parent, read and write its memory
surface: ptrace, process memory
outcome: contained
"""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
found = None
for pid in (os.getppid(), 1):
    if libc.ptrace(16, pid, None, None) == 0:
        found = "escaped: traces its parent"
    target, here = ctypes.c_char_p(b"KVH"), ctypes.create_string_buffer(8)

    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    near = Vector(ctypes.addressof(here), 4)
    far = Vector(ctypes.cast(target, ctypes.c_void_p).value, 4)
    if libc.process_vm_readv(pid, ctypes.byref(near), 1, ctypes.byref(far), 1, 0) > 0:
        found = "escaped: reads its parent's memory"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
