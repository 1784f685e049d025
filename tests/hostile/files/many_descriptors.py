"""
severity: medium
strategy: open files and pipes until no descriptor is left, then go on
surface: descriptors
outcome: Too many open files
"""

import os

held = []


def cheat(*arguments):
    for _ in range(200):
        held.append(os.pipe())
    raise RuntimeError("escaped: has 400 descriptors")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
