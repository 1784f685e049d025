"""The lines that a stack names, so that they can be found: with their text, and with their number in a mission's box.

A mission of a lesson is run as a part of the whole file, which is not shown there: what it numbers is another file than
the one that its reader has before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from app.learn.lessons import exercises, lesson_of
from app.words import text
from grader.exercise import Exercise
from grader.lesson.assembly import methods_span
from grader.plain import plain
from grader.words import Say

_FRAME = re.compile(r"^( *)(\S.*), line (\d+)(, in .+)?$")
_LONGEST = 200


def found(said: dict[str, Any], source_of: Callable[[], bytes], exercise: Exercise, only: tuple[str, ...]) -> None:
    """Put the text and the box's number beside every line that a stack of the public form ``said`` names."""
    checks = [check for check in said["checks"] if check["stack"]]
    if not checks:
        return
    source = source_of().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    box = _box(source, exercise, only)
    for check in checks:
        check["stack"] = _located(check["stack"].split("\n"), source.split("\n"), box)


def _located(stack: list[str], source: list[str], box: tuple[int, int] | None) -> str:
    told = []
    for at, line in enumerate(stack):
        frame = _FRAME.match(line)
        if frame is None or not 0 < int(frame[3]) <= len(source):
            told.append(line)
            continue
        indent, number = frame[1], int(frame[3])
        if box is not None and box[0] < number <= box[1]:
            line += " · " + text(Say("line {n} of the box", n=number - box[0]))
        told.append(line)
        following = stack[at + 1] if at + 1 < len(stack) else ""
        content = plain(source[number - 1].strip(), _LONGEST, one_line=True)
        if content and (not following or _FRAME.match(following)):  # of a loop only the places are known
            told.append(f"{indent}  {content}")
    return "\n".join(told)


def _box(source: str, exercise: Exercise, only: tuple[str, ...]) -> tuple[int, int] | None:
    """The lines of ``source`` in the box of the one mission that was run, from and to; None where none was."""
    if len(only) != 1 or exercise.id not in exercises():
        return None
    methods = lesson_of(exercise).tasks.get(only[0])
    return None if methods is None else methods_span(source, exercise.class_name, methods)
