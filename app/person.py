"""Who this browser is: a secret that it keeps itself, by which its submissions and notes are found again.

Nobody logs in. The secret is made here, put into a cookie by the browser's own script, and never shown, put into an
address or logged; the desk keeps only its digest.
"""

from __future__ import annotations

import re
import secrets

import streamlit as st

from app import browser
from app.notice import notice
from app.words import text
from grader.words import N_

COOKIE = "kvhotel_person"
_SOUND = re.compile(r"[A-Za-z0-9_-]{43}")


def meet() -> None:
    """Know the browser again, or give it a secret. Called once a run, by the frame of all screens."""
    state = st.session_state
    if "person" not in state:
        held = st.context.cookies.get(COOKIE)
        if isinstance(held, str) and _SOUND.fullmatch(held):
            state.person, state.person_kept = held, True
    fresh = "" if "person" in state else state.setdefault("person_fresh", secrets.token_urlsafe(32))
    kept = browser.secret("browser_person", COOKIE, fresh)
    if "person" not in state and kept is not None:
        # Another tab may have been first: then its secret is this browser's, and ours was never used.
        state.person = kept if _SOUND.fullmatch(kept) else fresh
        state.person_kept = bool(_SOUND.fullmatch(kept))


def person() -> str:
    """This browser's secret. Until it has answered, a moment after its first visit, the screen waits here."""
    if "person" not in st.session_state:
        st.stop()
    return str(st.session_state.person)


def remembered() -> bool:
    """Will this browser be known again?"""
    return bool(st.session_state.get("person_kept", True))


def only_this_tab() -> None:
    """A sentence, where the browser keeps no cookies."""
    if not remembered():
        notice("info", text(N_("Your browser keeps no cookies for this page: your history lasts as long as this tab.")))
