"""
severity: medium
strategy: raise an exception whose __str__ and __repr__ raise
surface: exceptions
outcome: its text cannot be read
"""


class Hostile(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def cheat(*arguments):
    raise Hostile


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
