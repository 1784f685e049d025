"""Explore: a story, whose manager plays it, the hotel, and the whole of it from far away."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import share
from app.desk import desk
from app.far_view import far_view
from app.managers import MINE_NAME, Shown, by_file, by_mistake, by_reference, mine, mistakes
from app.notice import notice
from app.own import last_handed_in
from app.picker import pick
from app.player.payload import payload
from app.player.player import hotel
from app.share import MINE, REFERENCE
from app.tour import tour
from app.visit import HANDED, UPLOAD, Visit, story_of, visit
from app.words import lang, text
from grader.replay.op import Story
from grader.words import N_, Say


def show() -> None:
    kept = visit()
    if kept["broken_link"] is not None:
        notice("error", text(Say.from_json(kept["broken_link"])))
    pick(kept)
    story = story_of(kept)
    shown = played(kept, story)
    if shown.problem is not None:
        notice("error", text(shown.problem), _stays(shown), shown.stack)
    tour()
    good = _good(kept, story, shown)
    _hotel(good["payload"])
    far_view(good["trace"])


@st.fragment
def _hotel(data: dict[str, Any]) -> None:
    hotel(data, key="hotel")


def played(kept: Visit, story: Story) -> Shown:
    """What the chosen manager makes of the story."""
    by = kept["by"]
    if by == REFERENCE:
        return by_reference(story)
    if by == MINE:
        source, problem = mine()
        if problem is not None:
            return Shown(None, MINE_NAME, problem=problem)
        with st.spinner(text(N_("Your file is running…"))):
            return by_file(story, source, MINE_NAME, own=True)
    if by == UPLOAD:
        if kept["upload"] is None:
            return by_reference(story)
        with st.spinner(text(N_("Your file is running…"))):
            return by_file(story, kept["upload"]["bytes"], kept["upload"]["name"], own=False)
    if by == HANDED:
        return _handed(story)
    if by not in mistakes():
        return by_reference(story)
    return by_mistake(story, by)


def _handed(story: Story) -> Shown:
    """What this browser handed in last: looked up under its own secret, and run in the sandbox like any upload."""
    last = last_handed_in("p06")
    source = None if last is None else desk().source(str(st.session_state.person), last.id)
    if last is None or source is None:
        return by_reference(story)
    with st.spinner(text(N_("Your file is running…"))):
        return by_file(story, source, last.name, own=False)


def _stays(shown: Shown) -> str:
    if shown.trace is None:
        return text(N_("What was shown before stays below."))
    return text(
        Say(
            "Below is what it did before that: {n} op.",
            plural="Below is what it did before that: {n} ops.",
            n=len(shown.trace.steps),
        )
    )


def _good(kept: Visit, story: Story, shown: Shown) -> dict[str, Any]:
    """What the player shows: this, or where there is nothing to show, the last that there was."""
    last: dict[str, Any] | None = st.session_state.get("good")
    if shown.trace is not None or last is None:
        made_of = {
            "story": story,
            "shown": shown if shown.trace is not None else by_reference(story),
            "beside": kept["beside"],
            "by": kept["by"],
            "step": kept["step"],
        }
    else:
        made_of = last["made_of"]
    if last is None or last["made_of"] != made_of or last["lang"] != lang():
        last = {"made_of": made_of, "lang": lang(), **_filled(**made_of)}
        st.session_state.good = last
    return last


def _filled(story: Story, shown: Shown, beside: bool, by: str, step: int | None) -> dict[str, Any]:
    trace = shown.trace
    assert trace is not None
    data = payload(
        trace,
        lang=lang(),
        who=shown.who,
        reference=shown.reference if beside else None,
        link=share.query(story, MINE if by in (UPLOAD, HANDED) else by, lang()),
        start=step,
        notice=" ".join(text(say) for say in shown.notices),
    )
    return {"payload": data, "trace": trace}


show()
