"""
severity: high
strategy: find the request in the worker's frames and answer it in its place, every result "skipped"
surface: the link
outcome: the contract gives [
"""

import os
import sys


def cheat(*arguments):
    frame = sys._getframe()
    while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
        frame = frame.f_back
    request, worker = frame.f_locals["frame"], frame.f_locals["self"]
    skipped = [{"skip": True} for _ in request["ops"]]
    worker.write({"n": request["n"], "created": None, "results": skipped, "views": []})
    os._exit(0)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
