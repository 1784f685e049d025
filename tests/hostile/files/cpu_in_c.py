"""
severity: high
strategy: spend the time in C code that holds the interpreter lock
surface: CPU time
outcome: was still running after
checks: worked-1
"""


def cheat(*arguments):
    return sum(range(10**12))


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
