"""
severity: medium
strategy: stop the process, so that it neither runs nor ends
surface: signals
outcome: was still running after
checks: worked-1
"""

import os
import signal


def cheat(*arguments):
    os.kill(os.getppid(), signal.SIGSTOP)
    os.kill(os.getpid(), signal.SIGSTOP)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
