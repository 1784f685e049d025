"""One page of a lesson, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from app.desk import desk
from app.learn.blocks import after_pass, hints_by_check, mistake_list, state_of
from app.learn.figures import figure
from app.learn.progress import Progress
from app.learn.prose import code, prose
from app.learn.question import question
from app.learn.record import Record
from app.learn.task import task
from app.person import person
from app.words import lang
from grader.desk.submission import Submission
from grader.exercise import Exercise
from grader.lesson.data import AfterPass, Code, Figure, Lesson, Page, Part, Prose


@dataclass
class Visit:
    """What a page is shown with."""

    exercise: Exercise
    lesson: Lesson
    page: Page
    record: Record
    progress: Progress
    submissions: list[Submission]

    @property
    def waiting(self) -> Submission | None:
        return next((one for one in self.submissions if one.state in ("queued", "running")), None)

    def failing(self) -> list[str]:
        """The checks that failed in the last submission, in order."""
        last = self.progress.last
        report = None if last is None else desk().report(person(), last.id)
        return [] if report is None else [check.id for check in report.checks if check.outcome == "failed"]


def show_page(visit: Visit) -> None:
    _parts(visit.page.parts[lang()], visit, visit.page.id)


def _parts(parts: tuple[Part, ...], visit: Visit, key: str) -> None:
    """Keys count the parts of the page: both halves of a page have the same figures in the same order."""
    place = 0
    for part in parts:
        if isinstance(part, Prose):
            prose(part.text, visit.lesson)
            continue
        place += 1
        name = f"{key}_{place}"
        if isinstance(part, Code):
            code(part, f"ran_{name}")
        elif isinstance(part, AfterPass):
            after_pass(visit.progress.passed, visit.record, partial(_parts, part.parts, visit, name), name)
        else:
            _figure(part, visit, name)


def _figure(part: Figure, visit: Visit, key: str) -> None:
    if part.name == "question":
        if part.value in visit.lesson.questions:
            question(visit.lesson.questions[part.value], visit.lesson, visit.record)
    elif part.name == "hints":
        hints_by_check(visit.exercise, part.args.get("mission", ""), visit.failing(), key)
    elif part.name == "mistakes":
        mistake_list(visit.exercise)
    elif part.name == "grade":
        state_of(visit.exercise, visit.progress, visit.waiting, key)
    elif part.name == "task":
        task(part.value, visit.exercise, visit.lesson)
    else:
        figure(part, visit.lesson, key)
