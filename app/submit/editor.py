"""The text to hand in: written here, with the skeleton, the last version and what was replaced a button away."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from app.code_area import code_area
from app.submit import drafts
from app.submit.handing_in import forget_refusal, grade_text, refusal
from app.words import lang, text
from grader.desk.submission import Submission
from grader.exercise import Exercise
from grader.words import N_, Say

HEIGHT = 520
"""Of the text area, in pixels."""


def editor(exercise: Exercise, made: Sequence[Submission], closed: bool) -> None:
    """``made``: this learner's submissions of the exercise, newest first; ``closed``: nothing can be graded now."""
    drafts.seed(exercise, made[0].id if made else None)
    st.session_state.submit_drawn = _drawn()
    st.session_state.submit_anew = False
    _editor(exercise, made, closed)


@st.fragment
def _editor(exercise: Exercise, made: Sequence[Submission], closed: bool) -> None:
    """Text and buttons, run at every pause in typing.

    Leaving the field sends the text; a click that left it may come in the same message, which then runs this part
    alone: whatever was meant for the whole page is carried on from here.
    """
    if st.session_state.submit_anew or st.session_state.submit_drawn != _drawn():
        st.rerun()
    label = Say("The text of {file}", file=exercise.file)
    code_area(text(label), drafts.key_of(exercise.id), HEIGHT, _typed, (exercise.id,))
    refusal("editor")
    with st.container(horizontal=True, key="submit_buttons"):
        st.button(
            text(N_("Grade")), key="submit_grade", type="primary", icon=":material/task_alt:", disabled=closed,
            on_click=_grade, args=(exercise, made),
        )  # fmt: skip
        st.button(text(N_("Start from the skeleton")), key="submit_skeleton", on_click=_put_skeleton, args=(exercise,))
        if made:
            latest = (exercise.id, made[0].id)
            st.button(text(N_("My last version")), key="submit_last", on_click=put_version, args=latest)
        if drafts.replaced(exercise.id) is not None:
            st.button(
                text(N_("Bring back what was replaced")), key="submit_back", icon=":material/undo:",
                on_click=_bring_back, args=(exercise.id,),
            )  # fmt: skip


def _drawn() -> list[object]:
    """What the whole page is drawn by."""
    return [lang(), st.session_state.get("submit_exercise")]


def _typed(exercise: str) -> None:
    forget_refusal()
    drafts.keep(exercise)


def _grade(exercise: Exercise, made: Sequence[Submission]) -> None:
    st.session_state.submit_anew = True
    st.session_state.submit_look = time.time()  # the report is below: it is shown
    grade_text(exercise.id, exercise.file, made)


def _put_skeleton(exercise: Exercise) -> None:
    forget_refusal()
    drafts.put(exercise.id, drafts.skeleton(exercise))


def put_version(exercise: str, submission: str) -> None:
    """Put the text of a submission into the editor of its exercise."""
    forget_refusal()
    found = drafts.version(submission)
    if found is not None:
        drafts.put(exercise, found)


def _bring_back(exercise: str) -> None:
    found = drafts.replaced(exercise)
    if found is not None:
        drafts.put(exercise, found)
