"""Four tips for a first visit, closed once and for all in this browser."""

from __future__ import annotations

from html import escape

import streamlit as st

from app import browser
from app.words import remembered, text
from grader.words import N_

COOKIE = "kvhotel_tour"
TIPS = (
    (
        N_("A story is a list of calls"),
        N_("Choose one above, or press Edit and write your own: allocate, append, free."),
    ),
    (
        N_("Play it"),
        N_("The arrow keys and the space bar move it; click a room or a token to follow it."),
    ),
    (
        N_("Change the manager"),
        N_("A classic mistake, or your own file, beside the reference: the first difference is marked."),
    ),
    (
        N_("Guess first"),
        N_("Say which rooms it will be before you look. Then copy a link to the very step and show it around."),
    ),
)


def tour() -> None:
    """The tips, unless this browser has closed them."""
    state = st.session_state.setdefault("tour", "done" if remembered(COOKIE) else "open")
    if state == "closed":
        browser.ask("browser_tour", cookies={COOKIE: "1"})
    if state != "open":
        return
    with st.container(key="tour", border=True):
        tips, close = st.columns([9, 1], vertical_alignment="center")
        rows = "".join(f"<li><b>{escape(text(head))}</b> {escape(text(more))}</li>" for head, more in TIPS)
        tips.html(f'<ol class="kv-tour">{rows}</ol>')
        close.button(text(N_("Got it")), key="tour_close", on_click=_close, width="stretch")


def _close() -> None:
    st.session_state.tour = "closed"
