"""
severity: medium
strategy: a tuple, whose repr is shown, holds an object with a repr of 60 MB
surface: results, memory
outcome: it must return exactly list[int]
checks: worked-1
"""


class Item:
    def __repr__(self):
        return "x" * 60_000_000


def cheat(*arguments):
    return (Item(),)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
