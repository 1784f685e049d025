"""What a check is: a sentence, a group, a hint, and a short body that hands stories to the submission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from grader.report import Failure
from grader.words import N_, Say

Body = TypeVar("Body", bound=Callable[..., Any])


@dataclass(frozen=True)
class CheckInfo:
    """One check as it is announced. ``title`` and ``why`` are message ids; ``hint`` is a topic of the hints."""

    id: str
    title: str
    group: str = "acceptance"
    mission: str | None = None
    hint: str | None = None
    why: str = ""
    last: bool = False  # runs after all others: it waits for something slow


class CheckFailed(Exception):
    """The submission is wrong. ``message`` says in one sentence what happened; ``failure`` carries the rest."""

    def __init__(self, message: Say, failure: Failure) -> None:
        super().__init__(message.msgid)
        self.message, self.failure = message, failure


class CheckSkipped(Exception):
    """The check has no answer here; ``message`` says why. Never a pass."""

    def __init__(self, message: Say) -> None:
        super().__init__(message.msgid)
        self.message = message


def check(
    id: str,
    title: str,
    *,
    group: str = "acceptance",
    mission: str | None = None,
    hint: str | None = None,
    why: str = "",
    last: bool = False,
) -> Callable[[Body], Body]:
    """Make a pytest function of an exercise a check. It gets the fixture ``subject``.

    Checks run in the order of their files and lines. A function parametrized over ``story`` is a check for each story;
    its id, title and why are then the story's own (id after ``id`` and a dash, when ``id`` is not empty).
    """

    def mark(body: Body) -> Body:
        body.check = CheckInfo(id, title, group, mission, hint, why, last)  # type: ignore[attr-defined]
        return body

    return mark


NOT_RUN_STRIKES = N_("not run: the process was lost three times in the checks before this one")
NOT_RUN_TIME = N_("not run: the grading had used up its time")
NOT_RUN_LOAD = N_("not run: the file could not be loaded")
