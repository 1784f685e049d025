"""
severity: high
strategy: raise the driver's own Refusal, which says that an op cannot be asked
surface: the driver
outcome: the contract gives [
"""

import sys


def cheat(*arguments):
    raise sys._getframe(2).f_globals["Refusal"]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
