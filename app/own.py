"""One's own state, for screens that are not about it. Without a desk, or a browser that is known, there is none."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import streamlit as st

from app.desk import desk
from grader.desk.submission import Submission
from grader.exercise import Exercise
from grader.report import Report
from grader.words import N_

Kind = Literal["new", "draft", "waiting", "failed", "passed"]
SAID: dict[Kind, str] = {
    "new": N_("Not started"),
    "draft": N_("A draft is waiting"),
    "waiting": N_("Being graded"),
    "failed": N_("Not passed yet"),
    "passed": N_("Passed"),
}


class Own(NamedTuple):
    """``last``: the newest submission that passed, else that was graded; ``lesson``: has its lesson been opened?"""

    kind: Kind
    last: Submission | None
    lesson: bool

    @property
    def said(self) -> str:
        return SAID[self.kind]


def own_state(exercise: Exercise) -> Own:
    """How far one is with an exercise."""
    rows = own_submissions(exercise.id)
    graded = [one for one in rows if one.state == "done" and one.verdict != "error"]
    passed = [one for one in graded if one.verdict == "passed"]
    kind: Kind = "new"
    if passed:
        kind = "passed"
    elif rows and rows[0].state in ("queued", "running"):
        kind = "waiting"
    elif graded:
        kind = "failed"
    elif exercise.id in _notes("draft"):
        kind = "draft"
    return Own(kind, next(iter(passed or graded), None), f"{exercise.id}/at" in _notes("lesson"))


def own_submissions(exercise: str | None = None) -> list[Submission]:
    """What this browser handed in, newest first."""
    person = st.session_state.get("person")
    return [] if person is None else desk().submissions(person, exercise)


def last_handed_in(exercise: str) -> Submission | None:
    """What this browser handed in last, whatever became of it; the text is still there as long as this is."""
    return next(iter(own_submissions(exercise)), None)


def own_mistakes() -> set[str]:
    """The classic mistakes that the last graded file of each exercise looks like."""
    last = {one.exercise: one for one in reversed(own_submissions()) if one.state == "done"}
    return {found for one in last.values() for found in _mistakes_in(one.id)}


def _mistakes_in(submission: str) -> set[str]:
    report: Report | None = desk().report(str(st.session_state.person), submission)
    rows = () if report is None else report.checks
    return {row.failure.mistake for row in rows if row.failure is not None and row.failure.mistake is not None}


def _notes(kind: str) -> dict[str, Any]:
    person = st.session_state.get("person")
    return {} if person is None else desk().notes(person, kind)
