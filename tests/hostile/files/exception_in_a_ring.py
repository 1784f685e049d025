"""
severity: low
strategy: raise exceptions whose context and traceback go round in a ring
surface: exceptions
outcome: raised ValueError: ring
"""


def cheat(*arguments):
    first, second = ValueError("ring"), ValueError("ring")
    first.__context__, second.__context__ = second, first
    first.__cause__, second.__cause__ = second, first
    raise first


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
