"""The replay of a failure of l22: op by op, yours beside the contract's, opened where they part."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import streamlit as st

from app.notice import notice
from app.report.paged_view import YOURS, sides
from app.words import text
from grader.playing_paged import PagedPlay, play_paged
from grader.replay.op import Story
from grader.sandbox import launcher
from grader.sandbox.child import SandboxError
from grader.words import N_, Say

_CSS = Path(__file__).resolve().parent.parent / "screens" / "tensor.css"
#: So many ops stand in the list; the play itself may be longer.
_LISTED = 60


def show(story: Story, source: bytes, name: str, key: str) -> None:
    """Play ``story`` on the file and show it. No sandbox: a sentence."""
    try:
        sandbox = launcher.pick("auto")
        if sandbox == "process":
            notice("error", text(N_("A submission is only run inside bubblewrap or Docker, and neither works here.")))
            return
        play = _played(json.dumps(story.to_json()), source, name.rpartition("/")[2], sandbox)
    except SandboxError as error:
        notice("error", text(error.say))
        return
    if play.problem is not None:
        notice("error", text(play.problem), code=play.stack)
    if play.looks:
        st.html(_CSS)
        steps(play, int(story.params["block_size"]), key)


@st.fragment
def steps(play: PagedPlay, block_size: int, key: str, who: str = YOURS) -> None:
    """The ops on the left, one of them chosen; both sides after it on the right, ``who`` beside the reference."""
    last = len(play.looks) - 1
    first = max(0, last - _LISTED + 1)
    opened = last if play.first_difference is None else play.first_difference
    # The radio is told where it begins, and begins anew where a button moves it: a value that is set from here is lost
    # where the first run of a visit is overtaken by the second.
    at = f"{key}_from"
    base, turn = st.session_state.get(at, (-1, 0))
    if not first <= base <= last:
        st.session_state[at] = base, turn = max(first, opened), turn + 1
    ops, picture = st.columns([2, 5], gap="medium")
    with ops:
        here = st.radio(
            text(N_("Operations")), range(first, last + 1), index=base - first, key=f"{key}_at_{turn}",
            format_func=lambda i: _line(play, i),
        )  # fmt: skip
        with st.container(horizontal=True):
            st.button(text(N_("Back")), key=f"{key}_back", icon=":material/arrow_back:", disabled=here <= first,
                      on_click=_go, args=(at, here - 1))  # fmt: skip
            st.button(text(N_("Next")), key=f"{key}_next", icon=":material/arrow_forward:", disabled=here >= last,
                      on_click=_go, args=(at, here + 1))  # fmt: skip
    with picture:
        look = play.looks[here]
        said = N_("Here they part for the first time.") if here == play.first_difference else ""
        after = Say("After {call}", call=look.op.call())
        notice("error" if said else "info", text(after), text(said))
        st.html(sides(look, block_size, who))


def _line(play: PagedPlay, index: int) -> str:
    look = play.looks[index]
    return f"`{look.op.call()}`" + ("" if look.answered and look.kept else " **≠**")


def _go(at: str, to: int) -> None:
    st.session_state[at] = to, st.session_state[at][1] + 1


@lru_cache(maxsize=16)
def _played(story: str, source: bytes, name: str, sandbox: str) -> PagedPlay:
    return play_paged(source, name, Story.from_json(json.loads(story)), sandbox)
