"""
severity: medium
strategy: a regular expression that backtracks for ages
surface: CPU time
outcome: was still running after
checks: worked-1
"""

import re


def cheat(*arguments):
    return re.match(r"(a+)+$", "a" * 60 + "b")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
