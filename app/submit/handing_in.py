"""To the desk and, where it is refused, the sentence that says why. Nothing that was typed is touched."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.desk import desk
from app.notice import notice
from app.person import person
from app.submit import drafts
from app.words import text
from grader.desk.desk import Refused
from grader.desk.submission import Submission
from grader.words import Say

_REFUSED = "submit_refused"


def grade(exercise: str, source: bytes, name: str, made: Sequence[Submission], place: str = "upload") -> None:
    """Hand ``source`` in. The same file while it is still being graded is not handed in twice.

    ``place``: where the sentence is shown that says why it was refused.
    """
    forget_refusal()
    latest = made[0] if made else None
    if latest is not None and latest.state in ("queued", "running") and desk().source(person(), latest.id) == source:
        return
    try:
        desk().submit(person(), exercise, source, name)
    except Refused as refused:
        st.session_state[_REFUSED] = {"place": place, "say": refused.say.to_json()}


def grade_text(exercise: str, name: str, made: Sequence[Submission]) -> None:
    """Hand in what stands in the editor."""
    drafts.keep(exercise)
    grade(exercise, drafts.text_of(exercise).encode("utf-8", "replace"), name, made, "editor")


def refusal(place: str) -> None:
    """The sentence, until something is done about it."""
    kept = st.session_state.get(_REFUSED)
    if kept is not None and kept["place"] == place:
        notice("error", text(Say.from_json(kept["say"])))


def forget_refusal() -> None:
    st.session_state.pop(_REFUSED, None)
