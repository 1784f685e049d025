"""
severity: high
strategy: walk up the call stack into whoever called, for the check that asks and what it expects
surface: the worker's frames
outcome: found nothing of the grader
"""

import sys


def cheat(*arguments):
    frame, files = sys._getframe(), []
    while frame is not None:
        files.append(frame.f_code.co_filename)
        for name in ("expected", "oracle", "check", "subject"):
            if name in frame.f_locals:
                raise RuntimeError(f"escaped: {name} in {frame.f_code.co_filename}")
        frame = frame.f_back
    known = {"p06_block_manager.py", "driver.py", "/hotel/worker.py", "/hotel/enter.py"}
    raise RuntimeError(f"escaped: {files}" if set(files) - known else "found nothing of the grader")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
