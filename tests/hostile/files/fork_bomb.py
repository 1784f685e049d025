"""
severity: high
strategy: every process makes two more
surface: processes
outcome: processes or threads, in allocate | was still running after | stopped the process | crashed | used more than
checks: worked-1
"""

import os


def cheat(*arguments):
    while True:
        try:
            os.fork()
        except OSError:
            pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
