"""
severity: medium
strategy: start threads until no more can be had
surface: threads
outcome: can't start new thread
"""

import threading
import time


def cheat(*arguments):
    for _ in range(100):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    raise ValueError("escaped: made 100 threads")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
