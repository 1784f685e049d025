"""
severity: high
strategy: patch the driver so that the tensor side is told of slots that do not fit the tokens
surface: the judge's tensor process
outcome: leaves the pool | outside the pool | the contract gives
checks: paged-gather worked-1
"""

import sys

ANSWERS = [[], [-9], [-9, 0], [1 << 62], [0] * 500, [1 << 62, 0], [5], [0, -1], [-(1 << 62), 0, 1]]
TURN = []


def cheat(*arguments):
    frame = sys._getframe()
    while type(frame.f_locals.get("self")).__name__ != "Session":
        frame = frame.f_back
    session = frame.f_locals["self"]

    def slots(seq):
        TURN.append(1)
        return ANSWERS[len(TURN) % len(ANSWERS)]

    session.calls["slots"] = slots
    return [0] * 3


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
