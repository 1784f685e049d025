"""
severity: medium
strategy: set a trace function that rewrites what the worker's functions return
surface: the worker's frames
outcome: the contract gives | it must return exactly
"""

import sys
import threading


def trace(frame, event, argument):
    if "results" in frame.f_locals and type(frame.f_locals["results"]) is list:
        frame.f_locals["results"][:] = [0 for _ in frame.f_locals["results"]]
    return trace


def cheat(*arguments):
    sys.settrace(trace)
    threading.settrace(trace)
    frame = sys._getframe()
    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
    return [1]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
