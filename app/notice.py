"""Sentences in place: errors, notices, what is missing. Whatever is in them, they are text and never markup."""

from __future__ import annotations

from html import escape
from typing import Literal

import streamlit as st

Kind = Literal["error", "info"]


def notice(kind: Kind, text: str, more: str = "", code: str = "") -> None:
    """One sentence, a second one in a quieter voice, and lines of code below."""
    role = "alert" if kind == "error" else "status"
    parts = [f'<p>{escape(text)}</p>']
    if more:
        parts.append(f'<p class="kv-more">{escape(more)}</p>')
    if code:
        parts.append(f'<pre tabindex="0">{escape(code)}</pre>')
    st.html(f'<div class="kv-notice kv-{kind}" role="{role}">{"".join(parts)}</div>')
