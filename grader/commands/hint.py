"""A check's hint, one level of three, for whoever asks."""

from __future__ import annotations

from contextlib import closing
from importlib import import_module

from grader.commands.usage import UsageError, unknown
from grader.exercise import Exercise
from grader.words import Say


def hint(exercise: Exercise, check: str, level: int) -> list[str | Say]:
    """The lines to show. Raises UsageError for an unknown check, and for one that has no hint.

    A check names its topic; the exercise's `hints.py` has `HINTS`, three message ids by topic.
    """
    from grader.judge import Judge  # brings pytest

    with closing(Judge(exercise, sandbox="process")) as judge:
        topics = {info.id: info.hint for info in judge.checks()}
    if check not in topics:
        raise unknown(Say("There is no check {name}.", name=check), topics, check)
    topic = topics[check]
    if topic is None:
        raise UsageError(Say("The check {name} has no hint.", name=check))
    hints: dict[str, tuple[str, str, str]] = import_module(f"grader.exercises.{exercise.id}.hints").HINTS
    lines: list[str | Say] = [hints[topic][level - 1]]
    if level < 3:
        more = f"./check.sh {exercise.id} --hint {check} --level {level + 1}"
        lines.append(Say("Still stuck? {command}", command=more))
    return lines
