"""Home: what this is, the exercises with one's own state, three ways to start."""

from __future__ import annotations

import streamlit as st

from app import pages
from app.words import text
from grader.words import N_


def show() -> None:
    st.page_link(pages.path(pages.EXPLORE), label=text(N_("Watch a block manager at work")))


show()
