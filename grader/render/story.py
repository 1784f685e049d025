"""A story as text, one op a line, as a person would read it aloud."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grader.words import N_

SHOWN = 24  # ops listed up to the one that differs; earlier ones are counted
ITEMS = 12  # of a list, before its middle is left out
NOTHING = N_("returns nothing (None)")
SHORT = {"append_slot": "append"}


def value_said(text: str | None, say: Callable[[str], str]) -> str | None:
    """A value as a report has it, ``None`` in words: a call that is to return nothing is not one that is unknown."""
    return say(NOTHING) if text == "None" else text


def story_lines(story: dict[str, Any], step: int | None) -> list[tuple[int | None, str]]:
    """`(index, text)` a line: the pool's parameters (index None), then the ops up to and with `step`."""
    ops = story["ops"]
    last = len(ops) if step is None else min(step + 1, len(ops))
    first = max(0, last - SHOWN)
    pool = " ".join(f"{name}={value}" for name, value in story.items() if name != "ops")
    lines: list[tuple[int | None, str]] = [(None, pool)]
    if first:
        lines.append((None, f"… ({first})"))
    return lines + [(index, op_text(ops[index])) for index in range(first, last)]


def op_text(op: list[Any]) -> str:
    """`["append_slot", "a", 4]` as `append a 4`, `["allocate", "a", [1, 2]]` as `allocate a [1 2]`."""
    return " ".join([SHORT.get(op[0], op[0]), *(_value(arg) for arg in op[1:])])


def _value(value: Any) -> str:
    if not isinstance(value, list):
        return '""' if value == "" else str(value)
    if len(value) <= ITEMS:
        return f"[{' '.join(map(str, value))}]"
    return f"[{' '.join(map(str, value[: ITEMS - 2]))} … {value[-1]}]({len(value)})"
