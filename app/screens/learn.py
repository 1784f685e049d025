"""Learn: an exercise's lesson, its pages listed beside it, resumed where one left."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app.desk import desk
from app.learn import steer
from app.learn.lessons import exercises, lesson_of
from app.learn.page import Visit, show_page
from app.learn.progress import State, progress
from app.learn.record import PAGE, SEEN, Record
from app.notice import notice
from app.person import person
from app.words import lang, text
from grader.exercise import Exercise
from grader.lesson.data import Lesson, Page
from grader.words import N_, Say

MARKS: dict[State, str] = {"done": "✓", "begun": "◐", "new": "○"}
_CSS = Path(__file__).parent.parent / "learn" / "learn.css"


def show() -> None:
    st.html(_CSS)
    there = exercises()
    if not there:
        notice("info", text(N_("There is no lesson yet.")))
        return
    exercise = _exercise(there)
    lesson, record = lesson_of(exercise), Record(exercise.id)
    page = _page(lesson, record)
    submissions = desk().submissions(person(), exercise.id)
    record.keep(PAGE, page=page.id)
    if "at" in st.query_params:  # a link to a question, opened in a tab of its own
        steer.turn(st.query_params["at"])
    visit = Visit(exercise, lesson, page, record, progress(lesson, record, submissions), submissions)
    _address(exercise, page)
    with st.container(key="lesson"):
        listed, shown = st.columns([1, 3.6], gap="large")
        with listed, st.container(key="lesson_list"):
            _choose(there, exercise)
            _list(visit)
        with shown, st.container(key="lesson_page"):
            _select(visit)
            _heading(visit)
            show_page(visit)
            _turn(visit)
    record.keep(SEEN, **{page.id: True})
    steer.follow()


# -- which lesson, which page ------------------------------------------------------------------------------------------


def _exercise(there: dict[str, Exercise]) -> Exercise:
    """The one that the address names, else the one looked at last, else the first."""
    state = st.session_state
    asked = st.query_params.get("exercise")
    if asked in there:
        state.lesson_of = asked
    if state.get("lesson_of") not in there:
        state.lesson_of = next(iter(there))
    return there[state.lesson_of]


def _page(lesson: Lesson, record: Record) -> Page:
    """The one that the address names, else the one where the learner left."""
    found = {page.id: page for page in lesson.pages}
    asked = st.query_params.get("page")
    if asked in found and st.query_params.get("exercise", lesson.exercise) == lesson.exercise:
        return found[asked]
    return found.get(record.page, lesson.pages[0])


def _address(exercise: Exercise, page: Page) -> None:
    """The address names what is shown: a reload, a bookmark and the browser's way back find it again."""
    wanted = {"exercise": exercise.id, "page": page.id}
    if st.query_params.to_dict() != wanted:
        st.query_params.from_dict(wanted)


def go(exercise: str, page: str | None = None) -> None:
    """Turn to a page, or to the other lesson where one left it."""
    st.query_params["exercise"] = exercise
    if page is None:
        st.query_params.pop("page", None)
    else:
        st.query_params["page"] = page
        Record(exercise).keep(PAGE, page=page)
    steer.turn()


# -- what stands around a page -----------------------------------------------------------------------------------------


def _choose(there: dict[str, Exercise], exercise: Exercise) -> None:
    if len(there) > 1:
        st.session_state.lesson_exercise = exercise.id
        st.segmented_control(
            text(N_("Exercise")), list(there), key="lesson_exercise", required=True, label_visibility="collapsed",
            on_change=lambda: go(st.session_state.lesson_exercise), width="stretch",
        )  # fmt: skip
    st.html(f'<p class="lesson-exercise">{escape(text(exercise.title))}</p>')


def _list(visit: Visit) -> None:
    """The pages with their marks; how far one is."""
    made = visit.progress
    share = made.answered / len(made.questions) if made.questions else 0
    said = "".join(f"<p>{escape(text(say))}</p>" for say in made.said())
    bar = f'<div aria-hidden="true"><i style="width: {share:.0%}"></i></div>'
    st.html(f'<div class="lesson-progress">{bar}{said}</div>')
    with st.container(key="lesson_pages", gap=None):
        for page in visit.lesson.pages:
            here = "_here" if page is visit.page else ""
            with st.container(key=f"lesson_entry_{page.id}{here}"):
                st.button(_entry(page, made.pages[page.id]), key=f"to_{page.id}", type="tertiary", width="stretch",
                          on_click=go, args=(visit.exercise.id, page.id))  # fmt: skip


def _select(visit: Visit) -> None:
    """The same list where the screen is narrow."""
    pages = {page.id: page for page in visit.lesson.pages}
    st.session_state.lesson_select = visit.page.id

    def turned() -> None:
        chosen = st.session_state.lesson_select
        if chosen in pages:  # else nobody chose: the browser still had the entry with its mark of before
            go(visit.exercise.id, chosen)

    with st.container(key="lesson_narrow"):
        st.selectbox(text(N_("Page of the lesson")), list(pages), key="lesson_select", on_change=turned,
                     format_func=lambda id: _entry(pages[id], visit.progress.pages[id]),
                     label_visibility="collapsed")  # fmt: skip


def _entry(page: Page, state: State) -> str:
    return f"{MARKS[state]} {page.title.of(lang())}"


def _heading(visit: Visit) -> None:
    pages = list(visit.lesson.pages)
    place = text(Say("Page {n} of {all}", n=pages.index(visit.page) + 1, all=len(pages)))
    st.html(f'<p class="kv-head">{escape(place)}</p>'
            f'<h1 class="lesson-title">{escape(visit.page.title.of(lang()))}</h1>')  # fmt: skip


def _turn(visit: Visit) -> None:
    """Back and on."""
    pages = list(visit.lesson.pages)
    at = pages.index(visit.page)
    with st.container(horizontal=True, horizontal_alignment="distribute", key="lesson_turn"):
        for place, sign, key in ((at - 1, "← {title}", "back"), (at + 1, "{title} →", "on")):
            if 0 <= place < len(pages):
                title = pages[place].title.of(lang())
                kind: Any = "primary" if key == "on" else "secondary"
                st.button(sign.format(title=title), key=f"lesson_{key}", type=kind, on_click=go,
                          args=(visit.exercise.id, pages[place].id))  # fmt: skip


show()
