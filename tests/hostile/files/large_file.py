"""
severity: medium
strategy: write one file that is larger than all the space there is
surface: the scratch space
outcome: File too large | No space left on device
"""

import os


def cheat(*arguments):
    with open("/tmp/large", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, 1 << 30)
    raise RuntimeError("escaped: has a file of 1 GiB")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
