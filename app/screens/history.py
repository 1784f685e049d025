"""History: one's own submissions."""

from __future__ import annotations

import streamlit as st

from app.desk import desk
from app.person import person


def show() -> None:
    for one in desk().submissions(person()):
        st.text(f"{one.created} {one.exercise} {one.verdict}")


show()
