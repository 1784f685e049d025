"""
severity: medium
strategy: return a list that is a hundred thousand lists deep
surface: results
outcome: returned list that holds list: it must return exactly list[int]
checks: worked-1
"""


def cheat(*arguments):
    nest = []
    for _ in range(100_000):
        nest = [nest]
    return nest


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
