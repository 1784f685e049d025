"""Which checks an exercise has, read from its files as Python: in the judge's own order, without running pytest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import ModuleType

from grader.checks import CheckInfo
from grader.exercise import Exercise


def checklist(exercise: Exercise) -> tuple[CheckInfo, ...]:
    """Every check of the exercise in the order in which they run: what ``Judge.checks`` gives, for the asking."""
    return _checklist(exercise.id, tuple(sorted(path.stem for path in exercise.folder.glob("test_*.py"))))


@cache
def _checklist(exercise: str, files: tuple[str, ...]) -> tuple[CheckInfo, ...]:
    modules = [import_module(f"grader.exercises.{exercise}.{file}") for file in files]
    return tuple(sorted((info for module in modules for info in _announced(module)), key=lambda info: info.last))


def _announced(module: ModuleType) -> Iterator[CheckInfo]:
    for body in vars(module).values():
        info = getattr(body, "check", None)
        if not isinstance(info, CheckInfo) or getattr(body, "__module__", "") != module.__name__:
            continue
        stories = [mark.args[1] for mark in getattr(body, "pytestmark", ())
                   if mark.name == "parametrize" and mark.args[0] == "story"]  # fmt: skip
        if stories:
            yield from (of_story(info, story) for story in stories[0])
        else:
            yield info


def of_story(info: CheckInfo, story: object) -> CheckInfo:
    """A check over stories is one for each of them, with the story's own id, title, why and hint."""
    prefix = f"{info.id}-" if info.id else ""
    id, title, note, hint = (str(getattr(story, name)) for name in ("id", "title", "note", "hint"))
    return replace(info, id=prefix + id, title=title, why=note, hint=hint or info.hint)
