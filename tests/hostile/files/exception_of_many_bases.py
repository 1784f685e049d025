"""
severity: low
strategy: raise an exception with 300 bases with long names
surface: exceptions
outcome: no exception is due here
checks: worked-1
"""

kind = Exception
for number in range(300):
    kind = type("X" * 10_000, (kind,), {})


def cheat(*arguments):
    raise kind("x")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
