"""How far one is: pages, questions, and the checks of the last submission. No widget."""

from __future__ import annotations

from typing import Literal, NamedTuple

from app.learn.record import Record
from grader.desk.submission import Submission
from grader.lesson.data import Lesson, Page
from grader.words import Say

State = Literal["done", "begun", "new"]


class Progress(NamedTuple):
    """``last``: the newest whole submission that has a report; ``passed``: has any passed?"""

    questions: dict[str, bool]
    pages: dict[str, State]
    last: Submission | None
    passed: bool

    @property
    def answered(self) -> int:
        return sum(self.questions.values())

    def said(self) -> list[Say]:
        """In sentences."""
        rows = [Say("{n} of {all} questions answered", n=self.answered, all=len(self.questions))]
        if self.last is not None and self.last.total:
            rows.append(Say("{n} of {all} acceptance checks pass in your last submission",
                            n=self.last.passed, all=self.last.total))  # fmt: skip
        return rows


def progress(lesson: Lesson, record: Record, submissions: list[Submission]) -> Progress:
    """``submissions``: this exercise's, newest first."""
    questions = {name: record.answered(name) for name in lesson.places}
    done = [one for one in submissions if one.state == "done"]
    return Progress(
        questions,
        {page.id: _state(page, record, questions) for page in lesson.pages},
        done[0] if done else None,
        any(one.verdict == "passed" for one in done),
    )


def _state(page: Page, record: Record, questions: dict[str, bool]) -> State:
    asked = [questions[figure.value] for figure in page.figures() if figure.value in questions]
    if not record.seen(page.id):
        return "begun" if any(asked) else "new"
    return "done" if all(asked) else "begun"
