"""Hints of a failed check: one level after the other, each only when it is asked for, and then shown for good."""

from __future__ import annotations

from html import escape

import streamlit as st

from app.desk import desk
from app.person import person
from app.words import text
from grader.exercise import Exercise
from grader.hints import LEVELS, find
from grader.render.web import part
from grader.words import N_, Say

KIND = "hint"
#: What the button says that opens this level.
ASK = {1: N_("A hint"), 2: N_("A second hint"), 3: N_("The answer in words")}


class Opened:
    """Which levels of an exercise's hints this learner has opened."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self._notes = desk().notes(person(), KIND)

    def level(self, check: str) -> int:
        """How many levels of the hint of ``check`` are open, 0 to 3."""
        kept = self._notes.get(f"{self.exercise.id}/{check}")
        return kept if type(kept) is int and kept in LEVELS else 0

    def levels(self, check: str) -> tuple[str, ...]:
        """The messages of all levels; none where the check has no hint."""
        found = find(self.exercise, check)
        return found[0].levels if found else ()


def hint_button(check: str, opened: Opened, key: str) -> None:
    """What opens the next level; nothing where all are open, or there is none."""
    following = opened.level(check) + 1
    if following > len(opened.levels(check)):
        return
    st.button(
        text(ASK[following]), key=f"{key}_hint_{check}", icon=":material/lightbulb:", on_click=_open,
        args=(opened.exercise.id, check, following),
    )  # fmt: skip


def hints_opened(check: str, opened: Opened) -> None:
    """Every level that is open."""
    levels = opened.levels(check)[: opened.level(check)]
    if not levels:
        return
    rows = []
    for number, message in enumerate(levels, start=1):
        heading = escape(text(Say("Hint {level} of {all}", level=number, all=len(LEVELS))))
        rows.append(f'<section><h4 class="label">{heading}</h4>{_body(text(message))}</section>')
    st.html(part("".join(rows), "kvr-hints"))


def _body(said: str) -> str:
    """A hint's text; its lines that begin with # are code."""
    parts: list[tuple[bool, list[str]]] = []
    for line in said.split("\n"):
        code = line.startswith("#")
        if not parts or parts[-1][0] != code:
            parts.append((code, []))
        parts[-1][1].append(line.removeprefix("# ") if code else line)
    return "".join(
        f"<pre>{escape(chr(10).join(lines))}</pre>" if code else f"<p>{escape(chr(10).join(lines))}</p>"
        for code, lines in parts
    )


def _open(exercise: str, check: str, level: int) -> None:
    desk().note(person(), KIND, f"{exercise}/{check}", level)
