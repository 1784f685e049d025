"""What a trace looks like from far away: how many blocks are in which state after each op, and which block when."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.replay.state import State
from grader.replay.trace import Trace
from grader.replay.view import View

#: The states of a block, as numbers of the map. IDLE: free or on the cart, which cannot be told from outside.
FREE, USED, SHARED, CART = range(4)

Grid = NDArray[np.uint8]


class History(NamedTuple):
    """``counts[state, step]`` over steps 0 (before the first op) to the last; ``grid[block, column]`` is the state of a
    block after the op of ``columns[column]``. ``hidden``: the first step whose inside could not be read, or None."""

    counts: NDArray[np.int64]
    grid: Grid
    columns: list[int]
    hidden: int | None


def history(trace: Trace, most_columns: int = 600) -> History:
    """O(blocks touched) a step for the counts; the map has at most about ``most_columns`` columns."""
    blocks, steps = int(trace.story.params["num_blocks"]), len(trace.steps)
    every = max(1, -(-(steps + 1) // most_columns))
    columns = sorted({*range(0, steps + 1, every), steps})
    row = np.zeros(blocks, np.uint8) if trace.initial is None else _whole(trace.initial)
    counts, grid = np.zeros((4, steps + 1), np.int64), np.zeros((blocks, len(columns)), np.uint8)
    counts[:, 0], grid[:, 0] = np.bincount(row, minlength=4), row
    wanted, place, hidden = set(columns), 1, None if trace.initial is not None else 0
    for index, (step, state, view) in enumerate(zip(trace.steps, trace.states(), trace.views(), strict=True), start=1):
        if state is not None:
            touched = _touched(step.events)
            if touched is None:
                row = _whole(state)
            for block in touched or ():
                row[block] = _one(state, block)
        else:
            hidden = index if hidden is None else hidden
            row = row if view is None else _outside(view, blocks)
        counts[:, index] = np.bincount(row, minlength=4)
        if index in wanted:
            grid[:, place] = row
            place += 1
    return History(counts, grid, columns, hidden)


#: Where an event that moves a block names it.
_AT = {"share": 2, "revive": 2, "take": 2, "evict": 2, "unshare": 2, "to_free": 2, "to_cart": 2}


def _touched(events: tuple[tuple[Any, ...], ...]) -> set[int] | None:
    """The blocks whose state may be another one; None: any."""
    if any(event[0] == "changed" for event in events):
        return None
    return {event[_AT[event[0]]] for event in events if event[0] in _AT}


def _one(state: State, block: int) -> int:
    if block in state.evictable:
        return CART
    return min(max(state.ref[block], FREE), SHARED)


def _whole(state: State) -> Grid:
    return np.fromiter((_one(state, block) for block in range(state.num_blocks)), np.uint8, state.num_blocks)


def _outside(view: View, blocks: int) -> Grid:
    users = np.zeros(blocks, np.int64)
    for _, table in view["tables"]:
        for block in table:
            if 0 <= block < blocks:
                users[block] += 1
    return np.minimum(users, SHARED).astype(np.uint8)
