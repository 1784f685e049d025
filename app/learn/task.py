"""A mission's small task: its methods in an editor, run for this mission alone, and kept in one's own draft.

The whole file is the draft that Submit shows, too, or the skeleton. As long as the editor holds no Python, its text is
kept apart and the draft stays as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import streamlit as st

from app.code_area import code_area
from app.desk import desk
from app.learn.blocks import to_submit
from app.learn.record import Record
from app.notice import notice
from app.person import person
from app.report.view import show_run
from app.submit import drafts
from app.words import text
from grader.desk.desk import Refused
from grader.exercise import Exercise
from grader.lesson.assembly import methods_text, with_methods
from grader.lesson.data import Lesson
from grader.words import N_, Say


class Task:
    """One mission's methods, in whichever file they stand now."""

    def __init__(self, mission: str, exercise: Exercise, lesson: Lesson) -> None:
        self.mission, self.exercise = mission, exercise
        self.methods = lesson.tasks[mission]
        self.note = f"task/{mission}"
        self.file = next(file for file in self._files() if self._in(file) is not None)
        self.written = self._in(self.file) or ""

    def text(self, record: Record) -> str:
        """What the editor shows: the file's methods, or what was last written over just these."""
        kept = record.of(self.note)
        return str(kept["text"]) if kept.get("over") == self.written and "text" in kept else self.written

    def whole(self, text: str) -> str:
        """The file with ``text`` for its methods."""
        return with_methods(self.file, self.exercise.class_name, self.methods, text) or self.file

    def keep(self, record: Record, text: str) -> None:
        """In the draft, where it is still a file with these methods; else apart."""
        whole = self.whole(text)
        if self._in(whole) is not None:
            desk().note(person(), drafts.KIND, self.exercise.id, whole)
            st.session_state.pop(drafts.key_of(self.exercise.id), None)  # Submit shows the draft as it is now
            record.keep(self.note, text=None, over=None)
        else:
            record.keep(self.note, text=text, over=self.written)

    def _files(self) -> Iterator[str]:
        """As Submit seeds its editor: the draft, what was last handed in, the skeleton."""
        draft = desk().notes(person(), drafts.KIND).get(self.exercise.id)
        if isinstance(draft, str):
            yield draft
        for last in desk().submissions(person(), self.exercise.id)[:1]:
            yield drafts.version(last.id) or ""
        yield drafts.skeleton(self.exercise)

    def _in(self, source: str) -> str | None:
        return methods_text(source, self.exercise.class_name, self.methods)


@st.fragment
def task(mission: str, exercise: Exercise, lesson: Lesson) -> None:
    """The editor, the run, and the way on."""
    if mission not in lesson.tasks:
        return
    found, record = Task(mission, exercise, lesson), Record(exercise.id)
    key = f"task_{exercise.id}_{mission}"
    if key not in st.session_state:
        st.session_state[key] = found.text(record)
    args = (mission, exercise, lesson, key)
    with st.container(border=True, key=f"card_{key}"):
        st.html(f'<p class="lesson-mark"><code>{escape(", ".join(found.methods))}</code></p>')
        code_area(text(N_("Your code")), key, 320, _keep, args)
        with st.container(horizontal=True):
            st.button(text(N_("Run this mission")), key=f"run_{key}", type="primary", icon=":material/play_arrow:",
                      on_click=_run, args=args)  # fmt: skip
            whole = found.whole(st.session_state[key])
            st.download_button(text(N_("Download the whole file")), whole, exercise.file, "text/x-python",
                               key=f"save_{key}", icon=":material/download:", on_click="ignore")  # fmt: skip
            st.button(text(N_("Begin anew")), key=f"anew_{key}", type="tertiary", on_click=_anew, args=args)
        say = Say("What you write here is kept as your draft. In a checkout the whole file belongs in {path}.",
                  path=f"mine/{exercise.file}")  # fmt: skip
        st.html(f'<p class="kv-more">{escape(text(say))}</p>')
        to_submit(exercise, N_("To the whole file, and to hand it in"))
    refused = st.session_state.get(f"{key}_refused")
    if refused is not None:
        notice("error", text(Say.from_json(refused)))
    run = record.of(found.note).get("run")
    if isinstance(run, str):
        with st.container(key=f"result_{key}"):
            show_run(run, key=f"{key}_run")


def _keep(mission: str, exercise: Exercise, lesson: Lesson, key: str) -> None:
    Task(mission, exercise, lesson).keep(Record(exercise.id), str(st.session_state[key]))


def _anew(mission: str, exercise: Exercise, lesson: Lesson, key: str) -> None:
    """The skeleton's methods again."""
    found = Task(mission, exercise, lesson)
    st.session_state[key] = methods_text(drafts.skeleton(exercise), exercise.class_name, found.methods) or ""
    found.keep(Record(exercise.id), st.session_state[key])


def _run(mission: str, exercise: Exercise, lesson: Lesson, key: str) -> None:
    found, record = Task(mission, exercise, lesson), Record(exercise.id)
    state: Any = st.session_state
    found.keep(record, state[key])
    source = found.whole(state[key])
    try:
        made = desk().submit(person(), exercise.id, source.encode(), exercise.file, (mission,))
    except Refused as refused:
        state[f"{key}_refused"] = refused.say.to_json()
        return
    state[f"{key}_refused"] = None
    record.keep(found.note, run=made.id)
