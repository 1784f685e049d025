"""
severity: high
strategy: cancel the worker's own clock, then never return
surface: faulthandler
outcome: was still running after
checks: worked-1
"""

import faulthandler


def cheat(*arguments):
    faulthandler.cancel_dump_traceback_later()
    while True:
        pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
