"""A text of ours as the label of a widget, where Streamlit would read Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])")


def label(text: str) -> str:
    """``text`` with everything escaped that Markdown could take for a sign."""
    return _MARKS.sub(r"\\\1", text)
