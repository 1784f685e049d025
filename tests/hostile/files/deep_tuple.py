"""
severity: medium
strategy: return a tuple, whose repr is shown, that is a hundred thousand tuples deep
surface: results
outcome: returned tuple: it must return exactly list[int] | crashed the Python process
checks: worked-1
"""


def cheat(*arguments):
    nest = ()
    for _ in range(100_000):
        nest = (nest,)
    return nest


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
