"""
severity: medium
strategy: sleep, so that no CPU limit is ever met
surface: wall time
outcome: was still running after
checks: worked-1
"""

import time


def cheat(*arguments):
    time.sleep(10**6)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
