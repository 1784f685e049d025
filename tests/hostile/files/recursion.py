"""
severity: low
strategy: recurse without end
surface: the stack
outcome: recursed without end (RecursionError)
"""


def cheat(*arguments):
    return cheat(*arguments)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
