"""
severity: high
strategy: print without end
surface: stdout
outcome: was still running after
checks: worked-1
"""


def cheat(*arguments):
    while True:
        print("x" * 10_000)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
