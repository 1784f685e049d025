"""
severity: medium
strategy: return a list that fits into memory, but not into a reply
surface: results
outcome: returned list of 1000000 items: it must return exactly list[int]
checks: worked-1
"""


def cheat(*arguments):
    return [0] * 10**6


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
