"""What is being written, kept at the desk: a reload, another screen or another language finds it again.

Whatever takes its place (the skeleton, an earlier version, another tab) is kept beside it, so that it can be brought
back.
"""

from __future__ import annotations

import hashlib

import streamlit as st

from app.desk import desk
from app.person import person
from grader.exercise import Exercise
from grader.plain import plain

KIND = "draft"
LONGEST = 2_000_000
"""Characters that are put into the editor; a submission has at most 256 KiB."""


def key_of(exercise: str) -> str:
    """The editor's key in the session."""
    return f"submit_text_{exercise}"


def seed(exercise: Exercise, last: str | None) -> None:
    """Fill the editor where it is not there yet: with the draft, else the last version, else the skeleton."""
    state, key = st.session_state, key_of(exercise.id)
    if key in state:
        # What an interrupted run seeded never reaches the browser: it is sent again until it was answered from there.
        if not state.get(_answered(exercise.id)):
            state[key] = state[key]
        return
    kept = desk().notes(person(), KIND).get(exercise.id)
    if not isinstance(kept, str):
        found = None if last is None else version(last)
        kept = skeleton(exercise) if found is None else found
    state[key] = state[_seen(exercise.id)] = kept


def keep(exercise: str) -> None:
    """Keep what stands in the editor. What another tab has kept meanwhile is not lost: it can be brought back."""
    state, written = st.session_state, text_of(exercise)
    state[_answered(exercise)] = True
    kept = desk().notes(person(), KIND).get(exercise)
    if isinstance(kept, str) and kept not in (written, state.get(_seen(exercise))):
        desk().note(person(), KIND, _replaced(exercise), kept)
    desk().note(person(), KIND, exercise, written)
    state[_seen(exercise)] = written


def put(exercise: str, text: str) -> None:
    """Put another text into the editor, the present one kept to be brought back."""
    present = text_of(exercise)
    if text == present:
        return
    if present.strip():
        desk().note(person(), KIND, _replaced(exercise), present)
    desk().note(person(), KIND, exercise, text)
    st.session_state[key_of(exercise)] = st.session_state[_seen(exercise)] = text


def replaced(exercise: str) -> str | None:
    """What stood in the editor before another text took its place; None where that is nothing else."""
    text = desk().notes(person(), KIND).get(_replaced(exercise))
    return text if isinstance(text, str) and text != text_of(exercise) else None


def text_of(exercise: str) -> str:
    """What stands in the editor, or would."""
    held = st.session_state.get(key_of(exercise))
    if held is None:
        held = desk().notes(person(), KIND).get(exercise)
    return held if isinstance(held, str) else ""


def skeleton(exercise: Exercise) -> str:
    return exercise.skeleton.read_text("utf-8")


def version(submission: str) -> str | None:
    """The text of one's submission, for the editor; None where it is not there any more."""
    source = desk().source(person(), submission)
    return None if source is None else source.decode("utf-8-sig", "replace").replace("\r\n", "\n")[:LONGEST]


def digest(text: str) -> str:
    """As the desk names a source."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def shown_name(name: str) -> str:
    """A file's name as part of a sentence."""
    return plain(name, 80, one_line=True)


def _answered(exercise: str) -> str:
    return f"{key_of(exercise)}_answered"


def _seen(exercise: str) -> str:
    return f"{key_of(exercise)}_kept"


def _replaced(exercise: str) -> str:
    return f"{exercise}/replaced"
