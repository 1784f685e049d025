"""The lessons there are, read from their files; read anew when a file changes."""

from __future__ import annotations

from functools import cache, lru_cache

from grader.exercise import Exercise, discover
from grader.lesson.data import Lesson
from grader.lesson.load import folder, has_lesson, load

Stamp = tuple[tuple[str, int], ...]


@cache
def exercises() -> dict[str, Exercise]:
    """Every exercise that has a lesson, by id."""
    return {name: exercise for name, exercise in discover().items() if has_lesson(exercise)}


def lesson_of(exercise: Exercise) -> Lesson:
    return _loaded(exercise, _stamp(exercise))


def _stamp(exercise: Exercise) -> Stamp:
    return tuple(sorted((path.name, path.stat().st_mtime_ns) for path in folder(exercise).iterdir()))


@lru_cache(maxsize=8)
def _loaded(exercise: Exercise, stamp: Stamp) -> Lesson:
    return load(exercise).lesson
