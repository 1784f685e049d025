"""
severity: medium
strategy: raise what loops and handlers let through: KeyboardInterrupt
surface: exceptions
outcome: raised KeyboardInterrupt: only the contract's own exceptions may leave it
"""


def cheat(*arguments):
    raise KeyboardInterrupt


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
