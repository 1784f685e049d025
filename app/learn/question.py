"""A question in place: guessed first, and a wrong guess is explained at once and guessed again.

What happens, and the whole answer, open with the right guess or when they are asked for. Nothing is locked.
"""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from app.learn.figures import figure
from app.learn.links import plain
from app.learn.prose import said
from app.learn.record import Record, answer
from app.words import lang, text
from grader.lesson.claims import Reference, Unclear
from grader.lesson.data import Lesson, Question
from grader.words import N_, Say

_LONGEST = 4_000
_LARGEST = 1 << 31
HEADS = {"choice": N_("Guess"), "open": N_("In your own words"), "predict": N_("Predict")}


def question(asked: Question, lesson: Lesson, record: Record) -> None:
    """Show it, and whatever its learner has asked to see of its answer."""
    _question(asked, lesson, record.answered(asked.id))


@st.fragment
def _question(asked: Question, lesson: Lesson, counted: bool) -> None:
    """Runs alone; the page runs with it when the number of answers changes. ``counted``: it was answered by then."""
    record = Record(lesson.exercise)
    if record.answered(asked.id) != counted:
        st.rerun()
    kept = record.of(f"q/{asked.id}")
    with st.container(border=True, key=f"question_{asked.id}"):
        st.html(f'<p class="kv-head">{escape(text(HEADS[asked.kind]))}</p>')
        said(asked.ask, lesson)
        if asked.kind == "open":
            _open(asked, lesson, kept)
            return
        right = _number(asked, lesson, kept) if asked.value else _choice(asked, lesson, kept)
        if right and not kept.get("shown"):  # whoever was right may look at the other choices with the answer open
            record.keep(f"q/{asked.id}", shown=True)
        _shown(asked, lesson, right, right or bool(kept.get("shown")))


def _choice(asked: Question, lesson: Lesson, kept: dict[str, Any]) -> bool | None:
    """The choices and what there is to say to the one that was taken; None: none was."""
    key, ids = f"choice_{lesson.exercise}_{asked.id}", [choice.id for choice in asked.choices]
    shown = {choice.id: plain(choice.text.of(lang())) for choice in asked.choices}
    if key not in st.session_state:
        st.session_state[key] = kept.get("choice") if kept.get("choice") in ids else None
    st.radio(text(N_("Your guess")), ids, format_func=shown.__getitem__, key=key, label_visibility="collapsed",
             on_change=_took, args=(lesson.exercise, asked.id, "choice", key), index=None)  # fmt: skip
    taken = next((choice for choice in asked.choices if choice.id == st.session_state[key]), None)
    if taken is None:
        return None
    with _verdict(asked, taken.right):
        if taken.why.en:
            said(taken.why, lesson)
        if not taken.right and not kept.get("shown"):
            _again(N_("Choose another answer, or press “Show me”."))
    return taken.right


def _number(asked: Question, lesson: Lesson, kept: dict[str, Any]) -> bool | None:
    key = f"number_{lesson.exercise}_{asked.id}"
    if key not in st.session_state:
        number = kept.get("number")
        st.session_state[key] = number if type(number) is int and abs(number) < _LARGEST else None
    st.number_input(text(N_("Your prediction")), -_LARGEST, _LARGEST, value=None, step=1, key=key, width=220,
                    on_change=_took, args=(lesson.exercise, asked.id, "number", key))  # fmt: skip
    number = st.session_state[key]
    if number is None:
        return None
    try:
        right = bool(Reference(lesson.exercise, lesson.stories).value(asked.value) == number)
    except Unclear:  # the checker refuses such a lesson
        return None
    with _verdict(asked, right):
        if not right:
            _again(Say("It is not {n}. Try another number, or press “Show me”.", n=number))
    return right


def _again(words: str | Say) -> None:
    st.html(f'<p class="kv-more">{escape(text(words))}</p>')


def _verdict(asked: Question, right: bool) -> Any:
    """The place for what is said to a guess, under its mark."""
    place = st.container(key=f"verdict_{'right' if right else 'wrong'}_{asked.id}", gap=None)
    word = text(N_("Right") if right else N_("Not quite"))
    mark = "✓" if right else "✗"
    place.html(f'<p class="lesson-mark" role="status"><span aria-hidden="true">{mark}</span> {escape(word)}</p>')
    return place


def _open(asked: Question, lesson: Lesson, kept: dict[str, Any]) -> None:
    key = f"text_{lesson.exercise}_{asked.id}"
    if key not in st.session_state:
        st.session_state[key] = str(kept.get("text", ""))
    st.text_area(text(N_("Your answer")), key=key, height="content", max_chars=_LONGEST, label_visibility="collapsed",
                 placeholder=text(N_("Your answer first, however short. It is kept for you alone.")),
                 on_change=_took, args=(lesson.exercise, asked.id, "text", key))  # fmt: skip
    if not kept.get("shown"):
        label = N_("Compare with the answer") if st.session_state[key] else N_("Show the answer without one of my own")
        _show(asked, lesson, label)
        return
    _answer(asked, lesson)
    _hide(asked, lesson)


def _shown(asked: Question, lesson: Lesson, right: bool | None, opened: bool) -> None:
    """What happens and the answer, or the way to them."""
    if not opened:
        _show(asked, lesson, N_("Show me"))
        return
    if asked.figure is not None:
        figure(asked.figure, lesson, f"answer_{asked.id}")
    _answer(asked, lesson)
    if not right:
        _hide(asked, lesson)


def _answer(asked: Question, lesson: Lesson) -> None:
    with st.container(key=f"answer_{asked.id}", gap=None):
        st.html(f'<p class="lesson-mark">{escape(text(N_("The answer")))}</p>')
        said(asked.answer, lesson)


def _show(asked: Question, lesson: Lesson, label: str) -> None:
    st.button(text(label), key=f"show_{asked.id}", on_click=answer, args=(lesson.exercise, asked.id),
              kwargs={"shown": True})  # fmt: skip


def _hide(asked: Question, lesson: Lesson) -> None:
    st.button(text(N_("Hide the answer")), key=f"hide_{asked.id}", type="tertiary", on_click=answer,
              args=(lesson.exercise, asked.id), kwargs={"shown": None})  # fmt: skip


def _took(exercise: str, asked: str, field: str, key: str) -> None:
    value = st.session_state[key]
    answer(exercise, asked, **{field: value.strip()[:_LONGEST] if isinstance(value, str) else value})
