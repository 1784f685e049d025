"""
severity: medium
strategy: raise an exception whose class lies about its name, its bases and its method resolution
surface: exceptions
outcome: no exception is due here
"""


class Meta(type):
    __name__ = property(lambda cls: 1 / 0)
    __module__ = property(lambda cls: 1 / 0)
    __mro__ = property(lambda cls: 1 / 0)

    def mro(cls):
        names = type.mro(cls)
        return names

    def __getattribute__(cls, name):
        raise SystemExit(0)

    def __instancecheck__(cls, other):
        return True


class Hostile(Exception, metaclass=Meta):
    pass


def cheat(*arguments):
    raise Hostile("x")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
