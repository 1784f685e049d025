"""The hints of an exercise's checks, found by check, mission or topic. Terminal, report and lesson all ask here.

A check names its topic; the exercise's ``hints.py`` has ``HINTS``, three message ids by topic: a question or an
example, then structures and order of work, then the answer. Nobody sees one unasked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module

from grader.checklist import checklist
from grader.exercise import Exercise

LEVELS = (1, 2, 3)


@dataclass(frozen=True)
class Hint:
    """A check's id, title (a message id), topic, mission and group, and its three message ids."""

    check: str
    title: str
    topic: str
    mission: str | None
    group: str
    levels: tuple[str, str, str]


def topics(exercise: Exercise) -> Mapping[str, tuple[str, str, str]]:
    found: Mapping[str, tuple[str, str, str]] = import_module(f"grader.exercises.{exercise.id}.hints").HINTS
    return found


def hints(exercise: Exercise) -> list[Hint]:
    """One for each check that has hints, in the order of the checks."""
    said = topics(exercise)
    return [
        Hint(info.id, info.title, info.hint, info.mission, info.group, said[info.hint])
        for info in checklist(exercise)
        if info.hint
    ]


def find(exercise: Exercise, name: str) -> list[Hint]:
    """Those of the check, the mission or the topic called ``name``; none, if there is no such thing or it has none."""
    found = hints(exercise)
    for field in ("check", "mission", "topic"):
        chosen = [hint for hint in found if getattr(hint, field) == name]
        if chosen:
            return chosen
    return []


def next_level(opened: Iterable[int]) -> int | None:
    """The level to offer next to who has opened so many of each of these checks; None: there is none left."""
    least = min(opened, default=0)
    return least + 1 if least < len(LEVELS) else None
