"""Which failures to tell in full, and which only wait for code that is not written yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

TOLD = 3  # failures told in full; the rest are only named
NOT_WRITTEN = "NotImplementedError"
ERROR = re.compile(r"[A-Za-z_]\w*(?=:|$)")  # how the text of an exception begins

Check = Mapping[str, Any]


def waits(check: Check) -> bool:
    """Did it fail at a call that only says that it is not written yet?"""
    return check["outcome"] == "failed" and (check["actual"] or "").partition(":")[0] == NOT_WRITTEN


def to_tell(failed: Sequence[Check]) -> list[Check]:
    """Up to TOLD failures, each unlike the others.

    Of those that look like one mistake one is told, the check made for it if there is one. The others are unlike when
    they differ in call and kind of answer; only where that leaves room are there several of one kind. The one with the
    shortest story stands for its kind, and comes first: it has the least in it that has nothing to do with the fault.
    """
    alike: dict[str, Check] = {}
    by_length = sorted(failed, key=_length)
    for check in by_length:
        mistake = check["mistake"]
        key = mistake or _kind(check)
        if key not in alike or (mistake and check["id"] == f"mistake-{mistake}"):
            alike[key] = check
    told = list(alike.values())[:TOLD]
    said = {f"{check['called']} {check['message']}" for check in told}
    for check in by_length:
        words = f"{check['called']} {check['message']}"
        if len(told) < TOLD and not check["mistake"] and words not in said:
            told.append(check)
            said.add(words)
    return told


def first_todo(waiting: Sequence[Check]) -> str:
    """What to write next: the lowest numbered TODO that a check waits for, else what the first check's call said."""
    said = [(check["actual"] or "").partition(": ")[2] for check in waiting]
    numbered = [(int(found.group(1)), text) for text in said if (found := re.match(r"TODO (\d+)", text))]
    return min(numbered)[1] if numbered else next(filter(None, said), "")


def _length(check: Check) -> int:
    """How many ops show it; one without a story comes after those that have one."""
    return len(check["trace"]["ops"]) if check["trace"] else 1 << 30


def _kind(check: Check) -> str:
    error = ERROR.match(check["actual"] or "")
    return f"{(check['called'] or check['message'] or '').partition('(')[0]} {error.group() if error else ''}"
