"""
severity: high
strategy: an object whose __class__ says list, and whose type's name is list as well
surface: results
outcome: it must return exactly list[int]
"""


class Liar:
    __class__ = property(lambda self: list)

    def __len__(self):
        return 1

    def __iter__(self):
        return iter([0])

    def __eq__(self, other):
        return True

    __hash__ = None


Liar.__name__ = Liar.__qualname__ = "list"
Liar.__module__ = "builtins"


def cheat(*arguments):
    return Liar()


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
