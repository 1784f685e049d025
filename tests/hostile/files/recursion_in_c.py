"""
severity: medium
strategy: recurse until the C stack is used up
surface: the C stack
outcome: crashed the Python process | RecursionError
"""

import sys


def cheat(*arguments):
    sys.setrecursionlimit(10**9)

    class Deep:
        def __getattr__(self, name):
            return getattr(self, name + "x")

    return Deep().x


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
