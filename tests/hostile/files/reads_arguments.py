"""
severity: low
strategy: look for secrets in the command line that started the worker
surface: the command line
outcome: contained
"""

import sys

found = f"escaped: {sys.argv}" if len(sys.argv) > 1 else None


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
