"""
severity: low
strategy: learn which machine this is
surface: the uts namespace
outcome: contained
"""

import os

name = os.uname().nodename
found = None if name == "hotel" else f"escaped: runs on {name}"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
