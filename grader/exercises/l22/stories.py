"""The named stories of l22: the spec's values, then what only a certain mistake answers wrongly. Data, nothing else."""

from __future__ import annotations

from typing import Any

from grader.replay.op import Story
from grader.words import N_

Rows = list[list[Any]]


def l22_story(num_blocks: int, block_size: int, rows: Rows, head_dim: int = 8, **words: str) -> Story:
    """A story from rows such as ``["prefill", "r", 6]``."""
    params = {"num_blocks": num_blocks, "block_size": block_size, "head_dim": head_dim}
    return Story.from_json({**params, "ops": rows}, **words)


def look(*names: str) -> Rows:
    """All that can be seen of these requests, and the pool."""
    return [*([what, name] for name in names for what in ("table", "seq_len")), ["free_blocks"]]


def decoded(name: str, times: int) -> Rows:
    """``times`` decode steps, all looked at."""
    return [row for _ in range(times) for row in (["decode", name], *look(name))]


PREFILL = l22_story(
    10, 4, [["free_blocks"], ["prefill", "r", 6], *look("r")], 64,
    id="prefill", hint="round-up", title=N_("a prompt of 6 in blocks of 4 takes two blocks"),
    note=N_("The second block holds only two tokens and is still a whole block: 6 // 4 would be one too few."),
)  # fmt: skip
DECODE = l22_story(
    10, 4, [["prefill", "r", 6], *decoded("r", 3)], 64,
    id="decode", hint="decode-boundary", title=N_("three decode steps from 6: only the third takes a block"),
    note=N_("Lengths 5 to 8 live in the second block; 9 is the first token of the third."),
)  # fmt: skip
OOM = l22_story(
    1, 4, [["prefill", "r", 5], *look("r")],
    id="oom", hint="oom-prefill", title=N_("one block, a prompt of 5: refused before anything moves"),
    note=N_("Half a prompt is of no use to anybody: the request gets all of its blocks or none."),
)  # fmt: skip
GATHER = l22_story(
    10, 4, [["fill"], ["request", "r", 9, [0, 1, 2]], ["gather", "r"]], 64,
    id="gather", hint="gather-cut", title=N_("length 9 in three blocks of 4: four rows, four rows, one row"),
    note=N_("The last block has room for three more tokens; what stands there is not the request's."),
)  # fmt: skip
CUT = l22_story(
    10, 4, [["fill"], ["prefill", "r", 4], ["gather", "r"], ["decode", "r"], ["gather", "r"]],
    id="cut", hint="gather-cut", title=N_("a prompt of 4 and one decode step: [5, 8]"),
    note=N_("Joined, the two blocks have eight rows; the second one contributes a single row."),
)  # fmt: skip
ORDER = l22_story(
    10, 4, [["fill"], ["request", "r", 9, [7, 2, 9]], ["gather", "r"]],
    id="order", hint="gather-order", title=N_("table [7, 2, 9]: the blocks are read in this order"),
    note=N_("Ids are addresses; only the position in the table says which tokens come first."),
)  # fmt: skip
TURNS = l22_story(
    10, 4,
    [["fill"], ["prefill", "a", 4], ["prefill", "b", 6], ["decode", "a"], ["decode", "b"], *look("a", "b"),
     ["gather", "a"], ["gather", "b"]],
    id="turns", hint="interleaved", title=N_("two requests take turns: tables with gaps"),
    note=N_("Ids come in the order in which they were asked for, so a request's blocks are rarely neighbours."),
)  # fmt: skip
PURE = l22_story(
    10, 4,
    [["fill"], ["prefill", "r", 6], ["gather", "r"], *look("r"), ["cache"], ["gather", "r"]],
    id="pure", hint="gather-pure", title=N_("reading twice gives the same, and leaves everything as it was"),
    note=N_("Reading is not taking: the table, the pool and the cache belong to others."),
)  # fmt: skip

STORIES: list[Story] = [PREFILL, DECODE, OOM, GATHER, CUT, ORDER, TURNS, PURE]
