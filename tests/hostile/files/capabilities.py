"""
severity: high
strategy: have, or be able to regain, a capability
surface: capabilities, no_new_privs
outcome: contained
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


class Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


data = (ctypes.c_uint32 * 6)()
header = Header(0x20080522, 0)
libc.capget(ctypes.byref(header), data)
found = None
if data[0] or data[1]:
    found = f"escaped: has capabilities {data[0]:#x}"
elif libc.prctl(39, 0, 0, 0, 0) != 1:
    found = "escaped: may gain privileges"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
