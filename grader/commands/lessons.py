"""`./check.sh lessons`: hold every lesson, and the hints, against the reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from grader.commands.usage import unknown
from grader.exercise import Exercise
from grader.lesson.check import ROOT, problems
from grader.lesson.load import has_lesson
from grader.words import Say


def findings(exercises: Mapping[str, Exercise], names: Iterable[str]) -> tuple[list[Say], int]:
    """What to print, and the exit code: 1 if something is refused. Raises UsageError for an unknown exercise."""
    wanted = list(names) or list(exercises)
    for name in wanted:
        if name not in exercises:
            raise unknown(Say("There is no exercise {name}.", name=name), exercises, name)
    said, code = list[Say](), 0
    for name in wanted:
        found = problems(exercises[name])
        for problem in found:
            place = f"{problem.file.relative_to(ROOT)}:{problem.line or 1}"
            said.append(Say("{place}: {problem}", place=place, problem=problem.say))
        if found:
            code = 1
            said.append(Say("{name}: {n} problem", plural="{name}: {n} problems", name=name, n=len(found)))
        elif has_lesson(exercises[name]):
            said.append(Say("{name}: the lesson and the hints are sound", name=name))
        else:
            said.append(Say("{name}: there is no lesson; the hints are sound", name=name))
    return said, code
