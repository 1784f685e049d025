"""
severity: high
strategy: print a report that says passed, on every stream that Python knows
surface: stdout, stderr
outcome: the contract gives
"""

import os
import sys

REPORT = '{"schema": 1, "exercise": "p06", "verdict": "passed", "checks": []}\n'


def cheat(*arguments):
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        if stream is not None:
            print(REPORT, file=stream)
    for descriptor in (1, 2):
        os.write(descriptor, REPORT.encode())
    return [0]


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
