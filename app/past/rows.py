"""A line for each submission: how it went, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

import streamlit as st

from app import pages
from app.desk import desk
from app.notice import notice
from app.person import person
from app.submit.drafts import shown_name
from app.submit.editor import put_version
from app.times import when
from app.words import text
from grader.desk.desk import Refused
from grader.desk.submission import Submission
from grader.render.web import VERDICTS, part
from grader.words import N_, Say

_STATES = {"queued": N_("In the queue"), "running": N_("Running"), "abandoned": N_("Not graded")}


class Handed(NamedTuple):
    """A submission, and the times before, the newest first, that the very same was handed in with the same outcome and
    nothing in between."""

    last: Submission
    earlier: list[Submission]


def gathered(made: Iterable[Submission]) -> list[Handed]:
    """``made``, newest first, with what was only handed in again as one. What is not done yet stays by itself."""
    found: list[Handed] = []
    for one in made:
        if found and found[-1].last.state == one.state == "done" and _same(found[-1].last) == _same(one):
            found[-1].earlier.append(one)
        else:
            found.append(Handed(one, []))
    return found


def _same(one: Submission) -> tuple[object, ...]:
    return (one.exercise, one.sha256, one.name, one.only, one.verdict, one.passed, one.total, one.stars,
            one.stars_total)  # fmt: skip


def row(handed: Handed) -> None:
    """The submission and its buttons."""
    one, earlier = handed
    with st.container(horizontal=True, vertical_alignment="center", key=f"past_{one.id}"):
        st.checkbox(
            text(Say("Compare {time}", time=when(one.created))), key=f"past_pick_{one.id}", on_change=_picked,
            args=(one.id,), label_visibility="collapsed",
        )  # fmt: skip
        st.html(part(summary(one, earlier), f"past-row kvr-{one.verdict or one.state}"))
        st.button(text(N_("Open")), key=f"past_open_{one.id}", on_click=open_one, args=(one.id,))
        if st.button(text(N_("Edit")), key=f"past_edit_{one.id}", icon=":material/edit:"):
            edit(one)
        delete_button(one, f"past_delete_{one.id}")
    if st.session_state.get("past_delete") == one.id:
        confirm(one, earlier)


def summary(one: Submission, earlier: Sequence[Submission] = ()) -> str:
    """How it went, of which file, and when; how often before, where it was the same each time."""
    sign, verdict = VERDICTS.get(one.verdict or "", ("…", ""))
    word = text(verdict or _STATES.get(one.state, ""))
    facts = []
    if one.state == "done" and one.total:
        facts.append(text(Say("{passed} of {all} checks", passed=one.passed, all=one.total)))
    if one.state == "done" and one.stars_total:
        facts.append("★" * one.stars + "☆" * (one.stars_total - one.stars))
    if one.reason is not None:
        facts.append(text(one.reason))
    if earlier:
        times = Say("handed in {n} times, first {time}", n=1 + len(earlier), time=when(earlier[-1].created))
        facts.append(text(times))
    told = "".join(f"<span>{escape(fact)}</span>" for fact in facts)
    about = f"{one.exercise} · {shown_name(one.name)} · {when(one.created)}"
    return (
        f'<span class="kvr-seal" aria-hidden="true">{sign}</span><div><p><b>{escape(word)}</b>{told}</p>'
        f'<p class="quiet small">{escape(about)}</p></div>'
    )


def delete_button(one: Submission, key: str) -> None:
    st.button(text(N_("Delete")), key=key, icon=":material/delete:", on_click=_ask, args=(one.id,))


def confirm(one: Submission, earlier: Sequence[Submission] = ()) -> None:
    """Ask before anything is deleted."""
    with st.container(border=True, key="past_confirm"):
        name = shown_name(one.name)
        asked = Say("Delete {name} and its report? It cannot be brought back.", name=name)
        if earlier:
            all_of_it = N_("Delete {name} and its report, all {n} times it was handed in? It cannot be brought back.")
            asked = Say(all_of_it, name=name, n=1 + len(earlier))
        notice("error", text(asked))
        with st.container(horizontal=True):
            st.button(text(N_("Delete it")), key="past_delete_yes", type="primary", on_click=_delete,
                      args=([one.id, *(each.id for each in earlier)],))  # fmt: skip
            st.button(text(N_("Keep it")), key="past_delete_no", on_click=_ask, args=(None,))


def unpick() -> None:
    """None is chosen any more."""
    for one in st.session_state.get("past_picked", []):
        st.session_state[f"past_pick_{one}"] = False
    st.session_state.past_picked = []


def picked(made: list[Submission]) -> list[Submission]:
    """Those that are chosen to be compared, oldest first; those that are gone are forgotten."""
    chosen = [id for id in st.session_state.get("past_picked", []) if any(one.id == id for one in made)]
    st.session_state.past_picked = chosen
    return [one for one in reversed(made) if one.id in chosen]


def open_one(submission: str | None) -> None:
    """Show its report; None: the list."""
    if submission is None:
        st.query_params.pop("open", None)
    else:
        st.query_params["open"] = submission


def edit(one: Submission) -> None:
    """Put its text into the editor and go there."""
    put_version(one.exercise, one.id)
    st.switch_page(pages.path("submit"), query_params={"exercise": one.exercise})


def _picked(submission: str) -> None:
    """Of three chosen, the one that was chosen first is given up."""
    state = st.session_state
    chosen = [id for id in state.get("past_picked", []) if id != submission]
    if state.get(f"past_pick_{submission}"):
        chosen.append(submission)
    for gone in chosen[:-2]:
        state[f"past_pick_{gone}"] = False
    state.past_picked = chosen[-2:]


def _ask(submission: str | None) -> None:
    st.session_state.past_delete = submission


def _delete(submissions: list[str]) -> None:
    st.session_state.past_delete = None
    try:
        for submission in reversed(submissions):
            desk().delete(person(), submission)
    except Refused as refused:
        st.session_state.past_refused = refused.say.to_json()
    else:
        open_one(None)
