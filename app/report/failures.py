"""What failed: a few unlike each other in full, the others one line each, and what is not written yet in one card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

from app import pages
from app.label import label
from app.report.hint import Opened, hint_button, hints_opened
from app.report.replay import can_replay, replay, replay_button
from app.words import text, words
from grader.exercise import Exercise
from grader.render.choose import OTHERS, by_todo, to_tell, waits
from grader.render.uncached import uncached, uncached_said
from grader.render.web import part
from grader.render.web_failure import failure, output
from grader.report import CheckResult, Report
from grader.words import N_, Say

GALLERY = "mistakes"

Check = Mapping[str, Any]


class Given:
    """What every failure of one report shares."""

    def __init__(self, report: Report, source_of: Callable[[], bytes], key: str, exercise: Exercise, name: str) -> None:
        self.results: dict[str, CheckResult] = {result.id: result for result in report.checks}
        self.source_of, self.key, self.exercise, self.name = source_of, key, exercise, name
        self.opened = Opened(exercise)


@st.fragment
def failures(
    report: Report, said: Mapping[str, Any], source_of: Callable[[], bytes], key: str, exercise: Exercise, name: str
) -> None:
    """Everything of ``said``, the public form of ``report``, that did not pass. Nothing where all passed."""
    given = Given(report, source_of, key, exercise, name)
    failed = [check for check in said["checks"] if check["outcome"] == "failed"]
    waiting = [check for check in failed if waits(check) and check["group"] != "stretch"]
    bare = uncached(failed)
    wrong = [check for check in failed if not waits(check) and check["group"] != "stretch" and check not in bare]
    stars = [check for check in failed if check["group"] == "stretch" and not (waits(check) and waiting)]
    told = to_tell(wrong)
    if told or bare:
        _heading(N_("What does not hold, and why"))
    for cause in told:
        _card(cause.first, cause.more, cause.said, given)
    if bare:
        _card(bare[0], bare[1:], uncached_said(bare), given)
    if told and not bare and not said["mistakes_known"]:
        _quiet(N_("No known mistake was looked for: solutions/ is not there"))
    in_cards = [check["id"] for cause in told for check in (cause.first, *cause.more)]
    rest = [check for check in wrong if check["id"] not in in_cards]
    if len(told) > 1 or rest:
        _quiet(OTHERS)
    _folded(N_("Failed too"), rest, given)
    if waiting:
        _waiting(waiting, given)
    _folded(N_("Stars not earned: they fail nobody"), stars, given)
    printed = output(said, words().text)
    if printed:
        st.html(printed)


def _heading(title: str | Say) -> None:
    st.html(part(f'<h2 class="kvr-heading">{escape(text(title))}</h2>'))


def _quiet(said: str) -> None:
    st.html(part(f'<p class="quiet small">{escape(text(said))}</p>'))


def _card(check: Check, more: list[Check], said: Say | None, given: Given) -> None:
    """A failure in full. ``said``: how ``more`` go with it; they lie behind one line."""
    with st.container(border=True, key=f"card_{given.key}_{check['id']}"):
        if said is not None:
            st.html(part(f'<p class="kvr-cause">{escape(text(said))}</p>'))
        st.html(failure(check, words().text))
        _more(check, given)
        if more:
            title = text(Say("{n} check failed with it", plural="{n} checks failed with it", n=len(more)))
            with st.expander(f"✗ {title}", key=f"{given.key}_with_{check['id']}", on_change="rerun") as fold:
                if fold.open:
                    _folds(more, given)


def _folded(title: str, checks: list[Check], given: Given) -> None:
    """One line each, under a heading."""
    if checks:
        _heading(title)
        _folds(checks, given)


def _folds(checks: list[Check], given: Given) -> None:
    """One line each; what is inside is made when it is opened."""
    for check in checks:
        sign = "☆" if check["group"] == "stretch" else "✗"
        with st.expander(
            f"{sign} {label(check['title'])}", key=f"{given.key}_fold_{check['id']}", on_change="rerun"
        ) as fold:
            if fold.open:
                st.html(failure(check, words().text, title=False))
                _more(check, given)


def _more(check: Check, given: Given) -> None:
    """The replay, the hints and the gallery, behind a button each."""
    result = given.results[check["id"]]
    with st.container(horizontal=True, vertical_alignment="center", key=f"{given.key}_more_{check['id']}"):
        if can_replay(result):
            replay_button(check["id"], given.key)
        hint_button(check["id"], given.opened, given.key)
        if check["mistake"]:
            st.page_link(
                pages.path(GALLERY), label=text(N_("This mistake in the gallery")), icon=":material/menu_book:",
                query_params={"mistake": check["mistake"]},
            )  # fmt: skip
    hints_opened(check["id"], given.opened)
    replay(result, given.exercise, given.source_of, given.name, given.key)


def _waiting(waiting: list[Check], given: Given) -> None:
    """What is not written yet, in one card however many checks wait for it."""
    count = Say(
        "{n} check waits for what is not written yet", plural="{n} checks wait for what is not written yet",
        n=len(waiting),
    )  # fmt: skip
    todos = by_todo(waiting)
    first = todos[0][1][0]
    said = f"<h3>{escape(text(count))}</h3>"
    for place, (todo, rows) in enumerate(item for item in todos if item[0]):
        line: str | Say = Say("{todo} ({n} check)", plural="{todo} ({n} checks)", todo=todo, n=len(rows))
        said += f"<p>{escape(text(Say('next: {todo}', todo=line) if place == 0 else line))}</p>"
    with st.container(border=True, key=f"card_{given.key}_waiting"):
        st.html(part(said, "kvr-fail kvr-next"))
        with st.container(horizontal=True, key=f"{given.key}_more_waiting"):
            hint_button(first["id"], given.opened, given.key)
        hints_opened(first["id"], given.opened)
