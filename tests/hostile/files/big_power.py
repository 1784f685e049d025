"""
severity: high
strategy: have the compiler or the interpreter work out a number without end
surface: CPU time
outcome: was still running after
checks: worked-1
"""


def cheat(*arguments):
    ten = 10
    return ten ** (ten**9)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
