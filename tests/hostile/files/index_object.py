"""
severity: medium
strategy: a table of objects that have __index__ and __int__
surface: results
outcome: it must return exactly list[int]
"""


class Index:
    def __index__(self):
        return 0

    __int__ = __hash__ = __index__

    def __eq__(self, other):
        return True


def cheat(*arguments):
    return [Index()]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
