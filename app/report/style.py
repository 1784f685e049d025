"""The look of a report in the app; sent once a run."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from grader.render.web import CSS

_APP_CSS = Path(__file__).with_name("report.css").read_text("utf-8")


def style() -> None:
    st.html(f"<style>{CSS}{_APP_CSS}</style>")
