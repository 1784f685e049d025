"""
severity: high
strategy: a thread changes the returned list between the worker's look at it and its copy
surface: results, threads
outcome: the contract gives | it must return exactly list[int] | wrote on the channel | stopped the process
"""

import sys
import threading

SHARED = [0]
sys.setswitchinterval(1e-6)


def change():
    while True:
        SHARED[:] = [0.5]
        SHARED[:] = [SHARED]
        SHARED[:] = [9]


threading.Thread(target=change, daemon=True).start()


def cheat(*arguments):
    return SHARED


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
