"""
severity: medium
strategy: an object whose __len__ is huge, negative or never returns
surface: results
outcome: it must return exactly list[int]
"""


class Long:
    def __len__(self):
        while True:
            pass

    __iter__ = __repr__ = __str__ = __bool__ = __hash__ = __len__


def cheat(*arguments):
    return Long()


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
