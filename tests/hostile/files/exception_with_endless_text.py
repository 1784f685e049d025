"""
severity: medium
strategy: raise an exception whose text is 60 MB of one letter
surface: exceptions, memory
outcome: raised ValueError: aaaa
checks: worked-1
"""


def cheat(*arguments):
    raise ValueError("a" * 60_000_000)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
