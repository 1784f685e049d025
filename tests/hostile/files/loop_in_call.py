"""
severity: high
strategy: never return
surface: wall time
outcome: was still running after
checks: worked-1
"""


def cheat(*arguments):
    while True:
        pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
