"""A submission while it waits and runs: its place in the queue, the checks as they come, and a way to stop it.

Everything is read from the desk, nothing is kept in the session: a reload, another tab or a lost connection finds it.
"""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from app.desk import desk, desk_problem, judges_problem
from app.notice import notice
from app.person import person
from app.words import lang, text, words
from grader.checklist import checklist
from grader.checks import CheckInfo
from grader.desk.desk import Refused
from grader.desk.submission import Submission
from grader.exercise import discover
from grader.render.web import counts, groups, part
from grader.words import N_, Say

LOOK_S = 0.5


@st.fragment(run_every=LOOK_S)
def live(submission_id: str, key: str) -> None:
    """Look at it twice a second; once it has ended, the whole page is run anew."""
    found = desk().submission(person(), submission_id)
    if found is None and desk_problem() is not None:
        notice("error", text(desk_problem() or ""), text(N_("The grading goes on; this page looks again by itself.")))
        return
    if found is None or found.state not in ("queued", "running"):
        st.rerun()
    results = [] if found.state == "queued" else [one.to_json(lang()) for one in desk().results(person(), found.id)]
    if found.state == "queued":
        _queued(found)
    else:
        _running(found, results)
    st.button(
        text(N_("Cancel")), key=f"{key}_cancel", icon=":material/stop_circle:", on_click=_cancel, args=(submission_id,)
    )
    if results:
        st.html(part(groups(results, words().text, fold=False)))


def _queued(found: Submission) -> None:
    problem = judges_problem()
    if problem is not None:
        notice("error", text(N_("Nothing can be graded here.")), text(problem))
    ahead = Say("{n} before yours", plural="{n} before yours", n=found.ahead) if found.ahead else N_("Yours is next.")
    st.html(_state(N_("In the queue"), ahead, moving=problem is None))


def _running(found: Submission, results: list[dict[str, Any]]) -> None:
    coming = _coming(found)
    said: str | Say = N_("The sandbox starts …")
    if results:
        said = Say("{n} of {all} checks are done", n=len(results), all=max(len(coming), len(results)))
    deciding = sum(check.group != "stretch" for check in coming)
    html = _state(N_("Running"), said) + part(counts(results, deciding, words().text))
    if found.attempts > 1:
        again = Say("attempt {n}: the one before was interrupted", n=found.attempts)
        html += part(f'<p class="quiet small">{escape(text(again))}</p>')
    st.html(html)


def _state(title: str, more: str | Say, moving: bool = True) -> str:
    spin = f'<span class="kvr-spin{"" if moving else " still"}" aria-hidden="true"></span>'
    said = f'<h2>{escape(text(title))}</h2><p class="quiet small" role="status">{escape(text(more))}</p>'
    return part(f'<div class="kvr-verdict">{spin}<div>{said}</div></div>')


def _coming(found: Submission) -> list[CheckInfo]:
    """The checks that there are to run."""
    checks = checklist(discover()[found.exercise])
    return [check for check in checks if not found.only or {check.id, check.mission} & set(found.only)]


def _cancel(submission_id: str) -> None:
    try:
        desk().cancel(person(), submission_id)
    except Refused as refused:
        st.session_state.refused = refused.say.to_json()
