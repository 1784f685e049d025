"""The picture on the first page inside Streamlit: sent once, it moves by itself and stops when asked to."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.front.scene import BED_ROOMS, frames
from app.words import lang, text
from grader.words import N_

_FOLDER = Path(__file__).parent
_HTML, _CSS, _JS = ((_FOLDER / name).read_text("utf-8") for name in ("stage.html", "stage.css", "stage.js"))
_WORDS = {
    "title": N_("A short day in the hotel"),
    "pause": N_("Pause"),
    "play": N_("Play"),
    "free": N_("free"),
    "cart": N_("on the cart"),
    "leaves": N_("leaves"),
}

_mount = st.components.v2.component("kvhotel_stage", html=_HTML, css=_CSS, js=_JS)


@st.fragment
def stage() -> None:
    """Draw it."""
    words = {name: text(word) for name, word in _WORDS.items()}
    _mount(key="stage", data={"lang": lang(), "frames": list(frames(lang())), "beds": BED_ROOMS, "words": words})
