"""One's own state, for screens that are not about it: without a desk there is none."""

from __future__ import annotations

import streamlit as st

from app.desk import desk
from grader.desk.submission import Submission
from grader.report import Report


def own_submissions() -> list[Submission]:
    """All that this browser handed in, newest first; none as long as it is not known who it is."""
    person = st.session_state.get("person")
    return [] if person is None else desk().submissions(person)


def own_mistakes() -> set[str]:
    """The classic mistakes that the last graded file of each exercise looks like."""
    last = {one.exercise: one for one in reversed(own_submissions()) if one.state == "done"}
    return {found for one in last.values() for found in _mistakes_in(one.id)}


def _mistakes_in(submission: str) -> set[str]:
    report: Report | None = desk().report(str(st.session_state.person), submission)
    rows = () if report is None else report.checks
    return {row.failure.mistake for row in rows if row.failure is not None and row.failure.mistake is not None}
