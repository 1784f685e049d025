"""A file to hand in as it is. Its name and size are looked at before it goes to the desk."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from app.notice import notice
from app.picker import upload_words
from app.submit import drafts
from app.submit.handing_in import forget_refusal, grade, refusal
from app.words import text
from grader.desk.submission import Submission
from grader.exercise import Exercise
from grader.sandbox.limits import Limits
from grader.words import N_, Say


def upload(exercise: Exercise, made: Sequence[Submission], closed: bool) -> None:
    """The box, and what can be done with the file that lies in it."""
    upload_words()
    asked = Say("A Python file with your {name}", name=exercise.class_name)
    file = st.file_uploader(text(asked), key="submit_file", on_change=forget_refusal)
    if file is not None:
        name, source = drafts.shown_name(file.name), file.getvalue()
        wrong = problem(name, len(source))
        if wrong is None:
            lines = len(source.splitlines())
            size = Say("{n} line", plural="{n} lines", n=lines)
            st.html(f'<p class="kv-more"><b>{escape(name)}</b> · {escape(text(size))}</p>')
        else:
            notice("error", text(wrong))
        refusal("upload")
        with st.container(horizontal=True, key="upload_buttons"):
            st.button(
                text(N_("Grade this file")), key="upload_grade", type="primary", icon=":material/task_alt:",
                disabled=closed or wrong is not None, on_click=grade, args=(exercise.id, source, name, made),
            )  # fmt: skip
            st.button(
                text(N_("Put it into the editor")), key="upload_edit", disabled=wrong is not None, on_click=_edit,
                args=(exercise.id, source),
            )  # fmt: skip


def problem(name: str, size: int) -> Say | None:
    """Why a file of this name and size is not taken, or None."""
    limit = Limits().source_kib
    if not name.lower().endswith(".py"):
        return Say("{name} is no Python file: its name must end in .py", name=name)
    if size > limit * 1024:
        return Say("{name} is larger than {limit} KiB: hand in the class alone", name=name, limit=limit)
    return None


def _edit(exercise: str, source: bytes) -> None:
    drafts.put(exercise, source.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
