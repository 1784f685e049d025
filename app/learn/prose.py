"""Prose and code of a lesson on the screen."""

from __future__ import annotations

from html import escape

import streamlit as st

from app.learn.links import linked
from app.words import lang, text
from grader.lesson.data import Code, Lesson, Words
from grader.words import N_


def prose(markdown: str, lesson: Lesson) -> None:
    """Our own Markdown, its links made."""
    st.markdown(linked(markdown, lesson, lang()), anchors=False)


def said(words: Words, lesson: Lesson) -> None:
    prose(words.of(lang()), lesson)


def code(part: Code, key: str) -> None:
    """Code, and what it really prints under it."""
    with st.container(key=key, gap=None):
        st.code(part.source, language="python")
        if part.output:
            label = escape(text(N_("It prints")))
            st.html(f'<div class="lesson-output"><p>{label}</p><pre tabindex="0">{escape(part.output)}</pre></div>')
