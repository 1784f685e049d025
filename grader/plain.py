"""Untrusted text made harmless: the one place that all that a submission wrote passes before it is shown."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC: window titles, links
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # DCS and its kin
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    r"|\x1b[ -/]*[0-~]?"  # two-character escapes
)
_UNSEEN = re.compile(  # controls, surrogates, format characters (bidi, zero width, tags), noncharacters
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e0fff]"
)
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")


def plain(text: str, limit: int, *, one_line: bool = False) -> str:
    """`text` without terminal escapes, control and bidi characters; beyond `limit` it ends in "…".

    Line ends become "\\n" (with `one_line` a visible "⏎"), tabs four spaces.
    """
    text = _LINE_ENDS.sub("\n", _ESCAPES.sub("", text[: 4 * limit]))
    text = _UNSEEN.sub("", text).replace("\t", "    ")
    if one_line:
        text = text.strip("\n").replace("\n", "⏎")
    return text if len(text) <= limit else text[: limit - 1] + "…"
