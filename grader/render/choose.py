"""Which failures to tell in full, and which only wait for code that is not written yet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.render.causes import Cause, causes, kind
from grader.words import N_

TOLD = 3  # causes told in full; the rest are only named
NOT_WRITTEN = "NotImplementedError"

Check = Mapping[str, Any]


def waits(check: Check) -> bool:
    """Did it fail at a call that only says that it is not written yet?"""
    return check["outcome"] == "failed" and (check["actual"] or "").partition(":")[0] == NOT_WRITTEN


def to_tell(failed: Sequence[Check]) -> list[Cause]:
    """Up to TOLD causes, each unlike the others.

    First those that differ in call and kind of answer; only where that leaves room are there several of one kind. The
    one with the shortest story comes first: it has the least in it that has nothing to do with the fault.
    """
    found = causes(failed)
    alike: dict[str, Cause] = {}
    for cause in found:
        alike.setdefault(cause.first["mistake"] or kind(cause.first), cause)
    told = list(alike.values())[:TOLD]
    said = {_words(cause.first) for cause in told}
    for cause in found:
        if len(told) < TOLD and not cause.first["mistake"] and _words(cause.first) not in said:
            told.append(cause)
            said.add(_words(cause.first))
    return told


OTHERS = N_("Whether these have causes of their own cannot be told from here: mend the first one, then grade again.")


def by_todo(waiting: Sequence[Check]) -> list[tuple[str, list[Check]]]:
    """What is not written yet with the checks that wait for it, in the order of the TODOs; "" where a call says nothing
    about it."""
    found: dict[str, list[Check]] = {}
    for check in waiting:
        found.setdefault((check["actual"] or "").partition(": ")[2], []).append(check)

    def place(text: str) -> tuple[int, str]:
        number = re.match(r"TODO (\d+)", text)
        return (int(number.group(1)) if number else 1 << 30), ""

    return sorted(found.items(), key=lambda item: place(item[0]))


def _words(check: Check) -> str:
    return f"{check['called']} {check['message']}"
