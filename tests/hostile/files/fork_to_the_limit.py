"""
severity: high
strategy: fork until it is refused, then end with an error
surface: processes
outcome: started more than 16 processes or threads, in allocate(
outcome docker: stopped the process in allocate(
checks: worked-1
"""

import os
import time


def cheat(*arguments):
    for _ in range(80):
        try:
            if os.fork() == 0:
                time.sleep(60)
                os._exit(0)
        except OSError:
            os._exit(1)
    raise RuntimeError("escaped: made 80 processes")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
