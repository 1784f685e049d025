"""
severity: medium
strategy: return a list of a hundred million numbers
surface: results, memory
outcome: ran out of memory (MemoryError) | returned list of
"""


def cheat(*arguments):
    return [0] * 10**8


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
