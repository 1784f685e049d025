"""
severity: high
strategy: find out which other processes there are, and send them signals
surface: the pid namespace
outcome: contained
"""

import os

others = []
for pid in range(1, 40_000):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        continue
    except PermissionError:
        pass
    others.append(pid)
strangers = [pid for pid in others if pid > 20]
found = f"escaped: sees {len(others)} processes" if strangers or os.getpid() > 20 else None


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
