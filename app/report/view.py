"""A grading on the screen: the verdict and the checks, then what failed. For the Submit screen, History and lessons."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import streamlit as st

from app import desk as desks
from app import pages
from app.notice import notice
from app.person import person
from app.report import lines
from app.report.downloads import downloads
from app.report.failures import failures
from app.report.live import live
from app.report.style import style
from app.words import lang, text, words
from grader.desk.submission import Submission
from grader.exercise import Exercise, discover
from grader.render.terminal import GROUPS
from grader.render.web import groups, part, verdict
from grader.report import Report
from grader.words import N_, Say


def show_run(submission_id: str, key: str, below: Any = None) -> None:
    """The submission of this browser as it stands: in the queue, running, or its report.

    While it is graded this looks again by itself; the page is run anew when it has ended. ``key`` keeps the widgets of
    several on one page apart; ``below`` is a container for the failures, where they are to stand elsewhere.
    """
    found = desks.desk().submission(person(), submission_id)
    if found is None:
        _lost()
    elif found.state in ("queued", "running"):
        style()
        live(submission_id, key)
    elif found.state == "abandoned":
        _abandoned(found)
    else:
        report = desks.desk().report(person(), submission_id)
        if report is None:
            _lost()
            return
        if found.stored:
            notice("info", text(N_("The same file was graded before: this is its stored report.")))
        show_report(
            report, lambda: desks.desk().source(person(), submission_id) or b"", key, discover()[found.exercise],
            only=found.only, below=below, name=found.name,
        )  # fmt: skip


def show_report(
    report: Report,
    source_of: Callable[[], bytes],
    key: str,
    exercise: Exercise,
    only: tuple[str, ...] = (),
    below: Any = None,
    name: str | None = None,
) -> None:
    """The report; ``source_of`` gives the file when a failure is replayed, ``name`` is what its owner calls it.

    ``only``: the missions or checks that were asked for, all where empty.
    """
    style()
    said = report.to_json(lang())
    lines.found(said, source_of, exercise, only)
    title = title_of(exercise, only)
    st.html(verdict(said, title, words().text))
    st.html(part(groups(said["checks"], words().text)))
    downloads(report, key, title, name or exercise.file)
    if report.verdict == "passed" and not only:
        more = text(N_("It passes. What others ask then, and where to read on, is in the lesson."))
        st.page_link(pages.path("learn"), label=more, icon=":material/school:", query_params={"exercise": exercise.id})
        for one in [one for one in discover().values() if one.order > exercise.order][:1]:
            onwards = text(Say("Next: {title}", title=Say(one.title)))
            query = {"exercise": one.id}
            st.page_link(pages.path("learn"), label=onwards, icon=":material/arrow_forward:", query_params=query)
    with below or contextlib.nullcontext():
        failures(report, said, source_of, key, exercise, name or exercise.file)


def title_of(exercise: Exercise, only: tuple[str, ...]) -> str:
    """The exercise's title, or the mission's, where one was asked for."""
    parts = [text(GROUPS[one]) for one in only if one in GROUPS]
    return " · ".join(parts) if parts else text(exercise.title)


def _lost() -> None:
    problem = desks.desk_problem()
    if problem is not None:
        notice("error", text(problem))
    else:
        notice("info", text(N_("This submission is not here any more.")))


def _abandoned(found: Submission) -> None:
    reason = text(found.reason) if found.reason is not None else ""
    notice("info", text(Say("{name} was not graded.", name=found.name)), reason)
