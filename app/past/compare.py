"""Two submissions side by side: which checks were gained and lost, and how the text changed."""

from __future__ import annotations

import difflib
from html import escape

import streamlit as st

from app.desk import desk
from app.person import person
from app.submit.drafts import version
from app.words import lang, text
from grader.desk.submission import Submission
from grader.plain import plain
from grader.render.web import part
from grader.words import N_, Say

#: Lines of each that are compared: a file that is made to be slow to compare must not hold the server up.
LINES = 4_000
_LONGEST = 400


def compare(older: Submission, newer: Submission) -> None:
    """What ``newer`` has gained and lost, and the change of the text."""
    if older.exercise != newer.exercise:
        st.html(part(f'<p>{escape(text(N_("These are two exercises: only their texts are compared.")))}</p>'))
    else:
        gained, lost = changed(older, newer)
        won, gone = _list(N_("Checks gained"), "ok", "✓", gained), _list(N_("Checks lost"), "bad", "✗", lost)
        st.html(part(won + gone, "past-two"))
    st.html(part(_difference(version(older.id) or "", version(newer.id) or "")))


def changed(older: Submission, newer: Submission) -> tuple[list[str], list[str]]:
    """The titles of the checks that only the newer passes, and of those that only the older does."""
    reports = [desk().report(person(), one.id) for one in (older, newer)]
    passed = []
    for report in reports:
        checks = [] if report is None else report.to_json(lang())["checks"]
        passed.append({check["id"]: check["title"] for check in checks if check["outcome"] == "passed"})
    before, after = passed
    return [after[id] for id in after if id not in before], [before[id] for id in before if id not in after]


def _list(title: str, style: str, sign: str, checks: list[str]) -> str:
    rows = "".join(
        f'<li class="kvr-check"><b class="{style}" aria-hidden="true">{sign}</b><span>{escape(check)}</span></li>'
        for check in checks
    )
    inner = f"<ul>{rows}</ul>" if rows else f'<p class="quiet small">{escape(text(N_("none")))}</p>'
    heading = f"<h3>{escape(text(title))} <span>{len(checks)}</span></h3>"
    return f'<section class="kvr-group">{heading}{inner}</section>'


def _difference(before: str, after: str) -> str:
    """The change as lines with their signs."""
    old, new = ([plain(line, _LONGEST) for line in whole.splitlines()] for whole in (before, after))
    lines = list(difflib.unified_diff(old[:LINES], new[:LINES], lineterm="", n=3))[2:]
    title = f'<p class="label">{escape(text(N_("what changed in the text")))}</p>'
    if not lines:
        return f'{title}<p class="quiet small">{escape(text(N_("Nothing: both are the same text.")))}</p>'
    kinds = {"+": "plus", "-": "minus", "@": "place"}
    rows = "".join(f'<span class="{kinds.get(line[:1], "")}">{escape(line)}\n</span>' for line in lines)
    more = ""
    if max(len(old), len(new)) > LINES:
        more = f'<p class="quiet small">{escape(text(Say("Only the first {n} lines are compared.", n=LINES)))}</p>'
    return f'{title}<pre class="past-diff" tabindex="0">{rows}</pre>{more}'
