"""Hints for whoever asks: a check's, or those of every check of a mission, one level of three."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from grader.commands.usage import UsageError, unknown
from grader.exercise import Exercise
from grader.report import SCHEMA
from grader.words import Say, Translator


@dataclass(frozen=True)
class Hint:
    """A check's id and title, and its three message ids."""

    check: str
    title: str
    levels: tuple[str, str, str]


def find(exercise: Exercise, name: str) -> list[Hint]:
    """The hint of the check called `name`, or those of the mission. Raises UsageError where there is none.

    A check names its topic; the exercise's `hints.py` has `HINTS`, three message ids by topic.
    """
    from grader.judge import Judge  # brings pytest

    with closing(Judge(exercise, sandbox="process")) as judge:
        checks = judge.checks()
    if name not in exercise.missions and all(name != info.id for info in checks):
        known = [*exercise.missions, *(info.id for info in checks)]
        raise unknown(Say("There is no check {name}.", name=name), known, name)
    topics: dict[str, tuple[str, str, str]] = import_module(f"grader.exercises.{exercise.id}.hints").HINTS
    asked = [info for info in checks if name in (info.id, info.mission)]
    found = [Hint(info.id, info.title, topics[info.hint]) for info in asked if info.hint]
    if not found:
        raise UsageError(Say("The check {name} has no hint.", name=name))
    return found


def lines(exercise: Exercise, found: list[Hint], name: str, level: int) -> list[str | Say]:
    """What to print; with the command that gives the next level."""
    said: list[str | Say] = []
    for levels in dict.fromkeys(hint.levels for hint in found):  # what several checks share is said once
        alike = [hint for hint in found if hint.levels == levels]
        if len(found) > 1:
            said += [Say("{check}: {title}", check=hint.check, title=Say(hint.title)) for hint in alike]
        said += [levels[level - 1], *([""] if len(found) > 1 else [])]
    if level < 3:
        more = f"./check.sh {exercise.id} --hint {name} --level {level + 1}"
        said.append(Say("Still stuck? {command}", command=more))
    return said


def as_json(exercise: Exercise, found: list[Hint], level: int, tr: Translator) -> dict[str, Any]:
    """The same as one JSON object."""
    rows = [{"check": h.check, "title": tr.text(h.title), "hint": tr.text(h.levels[level - 1])} for h in found]
    return {"schema": SCHEMA, "exercise": exercise.id, "level": level, "hints": rows}
