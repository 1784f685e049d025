"""
severity: high
strategy: take memory bit by bit in a call
surface: memory
outcome: ran out of memory (MemoryError) | used more than 128 MiB of memory
"""

held = []


def cheat(*arguments):
    while True:
        held.append(bytearray(4 << 20))


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
