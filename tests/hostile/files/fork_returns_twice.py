"""
severity: high
strategy: fork in a call, so that two processes give two different answers to one request
surface: processes, the link
outcome: the contract gives | wrote on the channel | still running | stopped | temporarily unavailable
"""

import os


def cheat(*arguments):
    return [0] if os.fork() == 0 else [1]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
