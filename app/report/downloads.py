"""The report to take along: as JSON, the same as the command line writes, and as a page to print."""

from __future__ import annotations

import json

import streamlit as st

from app.words import lang, text
from grader.render.html import page
from grader.report import Report
from grader.words import N_


def downloads(report: Report, key: str, title: str, about: str) -> None:
    """Two buttons. ``about``: which file it was, for the head of the page."""
    spoken = lang()

    def as_json() -> str:
        return json.dumps(report.to_json(spoken), ensure_ascii=False, indent=1) + "\n"

    def as_page() -> str:
        return page(report.to_json(spoken), spoken, title, about)

    with st.container(horizontal=True, key=f"{key}_downloads"):
        st.download_button(
            text(N_("Report as JSON")), as_json, f"{report.exercise}-report.json", "application/json",
            key=f"{key}_json", on_click="ignore", icon=":material/data_object:",
        )  # fmt: skip
        st.download_button(
            text(N_("Page to print")), as_page, f"{report.exercise}-report.html", "text/html",
            key=f"{key}_page", on_click="ignore", icon=":material/print:",
        )  # fmt: skip
