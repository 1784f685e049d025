"""
severity: high
strategy: write bytes that are no text to stderr without end, from a process that stays
surface: stderr
outcome: the contract gives
"""

import os

if os.fork() == 0:
    while True:
        os.write(2, b"\xff\x00\x1b[2J" * 10_000)


def cheat(*arguments):
    return [5]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
