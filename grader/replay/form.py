"""Ops as a person writes them, one a line.

::

    allocate a [1 2 3]        a prompt; ranges are fine: [1..9], [7 1..9 7]
    append a 4                one generated token
    free a
    slot a 2                  and the other questions: cached a, num_free_blocks, can_allocate 5
    # a comment

A sequence is called by a word (``a``), by a number (``7`` is an int, as in the contract) or by any text in quotes
(``"7"`` is a str). ``text.parse(write(ops))`` gives ``ops`` again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from grader.replay.op import Op
from grader.words import N_

#: What each op takes after its name. "new" is a sequence that begins here, "seq" one that has begun and not been freed.
SHAPES: dict[str, tuple[str, ...]] = {
    "allocate": ("new", "tokens"),
    "append_slot": ("seq", "token"),
    "free": ("seq",),
    "slot": ("seq", "number"),
    "num_cached_tokens": ("seq",),
    "num_free_blocks": (),
    "can_allocate": ("number",),
    "slots": ("seq",),
    "list": ("list",),
    "scribble": ("list", "tokens"),
}
SHORT = {"append": "append_slot", "cached": "num_cached_tokens", "free_blocks": "num_free_blocks"}
LONG = {op: short for short, op in SHORT.items() if op != "num_free_blocks"}
LOOKS = {
    "allocate": "allocate a [1 2 3]",
    "append_slot": "append a 4",
    "free": "free a",
    "slot": "slot a 0",
    "num_cached_tokens": "cached a",
    "num_free_blocks": "num_free_blocks",
    "can_allocate": "can_allocate 5",
    "slots": "slots a",
    "list": "list a",
    "scribble": "scribble a [1 2]",
}

WORD = re.compile(r"[^\s,\[\]\"#]+")
NUMBER = re.compile(r"-?\d+")

SYNTAX = N_("One op a line. Ranges such as [1..9] are fine, # begins a comment.")


def write(ops: Iterable[Op]) -> str:
    """The text of ``ops``, each on a line of its own. ValueError for an op that has no such form."""
    return "".join(_write(op) + "\n" for op in ops)


def _write(op: Op) -> str:
    shape = SHAPES.get(op.name)
    if shape is None or len(shape) != len(op.args):
        raise ValueError(f"{op.name} has no written form")
    words = [LONG.get(op.name, op.name)]
    for what, arg in zip(shape, op.args, strict=True):
        if what == "tokens":
            words.append("[" + " ".join(_runs(arg)) + "]")
        elif what in ("token", "number"):
            words.append(str(arg))
        else:
            words.append(_written_name(arg))
    return " ".join(words)


def _written_name(name: Any) -> str:
    if type(name) is int:
        return str(name)
    if WORD.fullmatch(name) and not NUMBER.fullmatch(name) and ".." not in name:
        return str(name)
    if name.splitlines() not in ([], [name]):
        raise ValueError("a name of several lines has no written form")
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _runs(tokens: list[int]) -> list[str]:
    """``1 2 3 4 9`` as ``1..4 9``: four or more in a row become a range."""
    words: list[str] = []
    start = 0
    for at in range(1, len(tokens) + 1):
        if at < len(tokens) and tokens[at] == tokens[at - 1] + 1:
            continue
        run = tokens[start:at]
        words += [f"{run[0]}..{run[-1]}"] if len(run) > 3 else [str(token) for token in run]
        start = at
    return words
