"""
severity: high
strategy: leave a process behind that answers whatever the next, fresh process is asked
surface: processes, the link
outcome: the contract gives | wrote on the channel | was still running | stopped the process | process ended
"""

import os
import struct
import sys

STARTED = []


def cheat(*arguments):
    frame = sys._getframe()
    while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
        frame = frame.f_back
    worker = frame.f_locals["self"]
    if not STARTED:
        STARTED.append(1)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    head = worker.frames_in.read(8)
                    if not head or len(head) < 8:
                        os._exit(0)
                    body = b'{"n":7,"created":null,"results":[],"views":[]}'
                    worker.frames_out.write(struct.pack(">II", len(body), 0) + body)
            os._exit(0)
    return [0]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
