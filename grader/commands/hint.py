"""Hints on the command line: those of a check, or of every check of a mission, one level of three."""

from __future__ import annotations

from typing import Any

from grader.checklist import checklist
from grader.commands.usage import UsageError, unknown
from grader.exercise import Exercise
from grader.hints import LEVELS, Hint, find, next_level
from grader.opened import note, opened
from grader.report import SCHEMA
from grader.words import Say, Translator


class Asked:
    """What was asked for: the hints, the level to show (the next one that was not opened yet, unless one is named),
    and how many levels were opened before. Made, it is kept as opened."""

    def __init__(self, exercise: Exercise, name: str, level: int | None) -> None:
        """Raises UsageError where there is no such check, or it has no hint."""
        self.exercise, self.name = exercise, name
        self.found = _find(exercise, name)
        before = opened(exercise.id)
        self.before = [before.get(hint.check, 0) for hint in self.found]
        self.level = level or next_level(self.before) or LEVELS[-1]
        note(exercise.id, [hint.check for hint in self.found], self.level)

    def lines(self) -> list[str | Say]:
        """What to print; with the command that gives the next level."""
        said: list[str | Say] = [self._head()]
        for levels in dict.fromkeys(hint.levels for hint in self.found):  # what several checks share is said once
            alike = [hint for hint in self.found if hint.levels == levels]
            if len(self.found) > 1:
                said += [Say("{check}: {title}", check=hint.check, title=Say(hint.title)) for hint in alike]
            said += [levels[self.level - 1], *([""] if len(self.found) > 1 else [])]
        if self.level < LEVELS[-1]:
            more = f"./check.sh {self.exercise.id} --hint {self.name} --level {self.level + 1}"
            said.append(Say("Still stuck? {command}", command=more))
        return said

    def _head(self) -> Say:
        head = Say("Hint {level} of {all}", level=self.level, all=len(LEVELS))
        if min(self.before) >= self.level:
            return Say("{hint}, opened before", hint=head)
        return head

    def as_json(self, tr: Translator) -> dict[str, Any]:
        """The same as one JSON object; ``opened``: how many levels of a check were opened before."""
        rows = [
            {"check": one.check, "title": tr.text(one.title), "hint": tr.text(one.levels[self.level - 1]), "opened": n}
            for one, n in zip(self.found, self.before, strict=True)
        ]
        return {"schema": SCHEMA, "exercise": self.exercise.id, "level": self.level, "hints": rows}


def _find(exercise: Exercise, name: str) -> list[Hint]:
    checks = checklist(exercise)
    if name not in exercise.missions and all(name != info.id for info in checks):
        known = [*exercise.missions, *(info.id for info in checks)]
        raise unknown(Say("There is no check {name}.", name=name), known, name)
    found = find(exercise, name)
    if not found:
        raise UsageError(Say("The check {name} has no hint.", name=name))
    return found
