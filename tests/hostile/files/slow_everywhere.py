"""
severity: medium
strategy: stay below the limit of one op in every op
surface: wall time of the grading
outcome: the grading took longer than
"""

import time


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        time.sleep(0.3)

    def __getattr__(self, name):
        time.sleep(0.3)
        raise AttributeError


for name in ("allocate", "append_slot", "free", "slot", "num_cached_tokens", "can_allocate", "num_free_blocks"):
    setattr(BlockManager, name, lambda self, *arguments: time.sleep(0.3) or [0])
