"""
severity: medium
strategy: return a number of 10**8 bits, which takes minutes to write in decimal
surface: results
outcome: returned int of more than 64 bits: it must return exactly | that holds an int of more than 64 bits
checks: worked-1
"""


def cheat(*arguments):
    return [1 << 10**8]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
