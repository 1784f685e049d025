"""A check's hint, one level of three, for whoever asks."""

from __future__ import annotations

from importlib import import_module

from grader.commands.usage import unknown
from grader.exercise import Exercise
from grader.words import Say


def hint(exercise: Exercise, check: str, level: int) -> list[str | Say]:
    """The lines to show. Raises UsageError for an unknown check.

    Hints stand in the exercise's `hints.py`: `HINTS`, three message ids by check id.
    """
    hints: dict[str, tuple[str, str, str]] = import_module(f"grader.exercises.{exercise.id}.hints").HINTS
    if check not in hints:
        raise unknown(Say("There is no hint for a check {name}.", name=check), hints, check)
    lines: list[str | Say] = [hints[check][level - 1]]
    if level < 3:
        more = f"./check.sh {exercise.id} --hint {check} --level {level + 1}"
        lines.append(Say("Still stuck? {command}", command=more))
    return lines
