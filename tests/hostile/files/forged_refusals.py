"""
severity: high
strategy: answer that everything was refused, as the contract allows where there is no room
surface: the link
outcome: but there is room
"""

import os
import sys


def cheat(*arguments):
    frame = sys._getframe()
    while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
        frame = frame.f_back
    request, worker = frame.f_locals["frame"], frame.f_locals["self"]
    refusal = {"raise": ["OutOfBlocks", "Exception"], "text": "", "refused": True, "stack": ""}
    worker.write({"n": request["n"], "created": None, "results": [refusal for _ in request["ops"]], "views": []})
    os._exit(0)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
