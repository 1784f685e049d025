"""One failed check in full as HTML: what was called, expected and given, why it matters, the story that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from grader.render.rooms import rooms
from grader.render.story import story_lines, value_said
from grader.render.web import Check, Words, kind_of, part
from grader.words import N_, Say


def failure(check: Check, words: Words, title: bool = True) -> str:
    """What was called, expected and given, why it matters, what it looks like, the story that shows it."""
    kind = kind_of(check)
    word = words(Say("{word}: ", word=Say(kind.word)))
    head = (
        f'<h3><span class="{kind.style}">{kind.sign} {escape(word)}</span>'
        f"{escape(check['title'])} <code>{escape(check['id'])}</code></h3>"
    )
    said = f'<p class="kvr-said">{escape(check["message"])}</p>' if check["message"] else ""
    inner = (head if title else "") + said + _values(check, words) + _about(check, words)
    if check["stack"]:
        inner += _block(words(N_("where it happened")), check["stack"])
    if check["trace"]:
        inner += _story(check, words)
    if check["printed"].strip():
        inner += _block(words(N_("printed in this story")), check["printed"].rstrip())
    return part(inner, "kvr-fail")


def output(report: Mapping[str, Any], words: Words, fold: bool = True) -> str:
    """What the code printed, all of it that was kept; empty if it printed nothing."""
    text, lost = report["output"].rstrip(), report["output_lost"]
    if not text and not lost:
        return ""
    more = Say("… {n} more byte, not kept", plural="… {n} more bytes, not kept", n=lost)
    inner = f'<pre tabindex="0">{escape(text)}</pre>' + (f'<p class="quiet">{escape(words(more))}</p>' if lost else "")
    heading = escape(words(N_("Your code printed")))
    if fold:
        return part(f"<details><summary>{heading}</summary>{inner}</details>")
    return part(f"<h3>{heading}</h3>{inner}")


def _values(check: Check, words: Words) -> str:
    rows = [
        ("called", N_("called"), check["called"]),
        ("wanted", N_("expected"), value_said(check["expected"], words)),
        ("got", N_("got"), value_said(check["actual"], words)),
    ]
    tiles = "".join(
        f'<div class="{kind}"><dt class="label">{escape(words(label))}</dt><dd tabindex="0">{escape(text)}</dd></div>'
        for kind, label, text in rows
        if text
    )
    return f'<dl class="kvr-values">{tiles}</dl>' if tiles else ""


def _about(check: Check, words: Words) -> str:
    rows = [(N_("why it matters"), escape(check["why"] or ""))]
    if check["mistake"]:
        said = " ".join(filter(None, (check["mistake_what"], check["mistake_why"])))
        rows.append((N_("looks like"), f"<b><code>{escape(check['mistake'])}</code></b> {escape(said)}"))
    told = "".join(f'<dt class="label">{escape(words(label))}</dt><dd>{text}</dd>' for label, text in rows if text)
    return f'<dl class="kvr-why-it">{told}</dl>' if told else ""


def _story(check: Check, words: Words) -> str:
    """The ops up to the one that differs, each with what it gave; beside them both hotels after it."""
    answers = check["answers"] or []
    lines = []
    for index, text in story_lines(check["trace"], check["step"]):
        gave = answers[index] if index is not None and index < len(answers) and answers[index] != "None" else ""
        here = index is not None and index == check["step"]
        kind = "pool" if index is None else "here" if here else ""
        shown = f"<span>→ {escape(gave)}</span>" if gave else ""
        lines.append(f'<li class="{kind}">{"▶ " if here else ""}{escape(text)} {shown}</li>')
    story = (
        f'<div><h4 class="label">{escape(words(N_("a short story that shows it")))}</h4>'
        f'<ol class="kvr-story">{"".join(lines)}</ol></div>'
    )
    if not (check["mine"] and check["reference"]):
        return f'<div class="kvr-two one">{story}</div>'
    hotels = rooms(check["mine"], check["reference"], words)
    heading = escape(words(N_("the hotel after its last step")))
    return f'<div class="kvr-two">{story}<div><h4 class="label">{heading}</h4>{hotels}</div></div>'


def _block(heading: str, text: str) -> str:
    return f'<div class="kvr-more"><p class="label">{escape(heading)}</p><pre tabindex="0">{escape(text)}</pre></div>'
