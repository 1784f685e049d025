"""
severity: medium
strategy: overwrite the interpreter's cached ints, so that 3 is 1 inside
surface: the worker's memory
outcome: the contract gives | crashed the Python process
"""

import ctypes


def cheat(*arguments):
    ctypes.c_uint32.from_address(id(3) + 24).value = 1
    return [3]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
