"""One failed check in full: what was called, expected and returned, why it matters, the story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.cells import cell_len, set_cell_size

from grader.render.page import Page
from grader.render.picture import picture
from grader.render.story import story_lines, value_said
from grader.words import N_, Say

PRINTED = 12  # lines shown of what the code printed in a story

Check = Mapping[str, Any]


def tell(page: Page, check: Check) -> None:
    """Print the failure of `check`, a check of the report's public form."""
    page.line(("", ""))
    page.labelled("✗ ", f"{check['title']}  ({check['id']})", "bold red", "bold red")
    if check["message"]:
        page.block(check["message"], 2)
    rows = [
        (N_("called"), check["called"], ""),
        (N_("expected"), value_said(check["expected"], page.say), "green"),
        (N_("got"), value_said(check["actual"], page.say), "red"),
        (N_("why it matters"), check["why"], ""),
        (N_("looks like"), _mistake(check), "yellow"),
    ]
    told = [(page.say(label), text, style) for label, text, style in rows if text]
    edge = max((cell_len(label) for label, _, _ in told), default=0) + 2
    for label, text, style in told:
        page.labelled(f"  {set_cell_size(label, edge)}", text, style)
    if check["stack"]:
        page.block(check["stack"], 4, "dim")
    if check["trace"]:
        _story(page, check)


def _mistake(check: Check) -> str:
    if not check["mistake"]:
        return ""
    words = [check["mistake_what"], check["mistake_why"]]
    return "\n".join([check["mistake"], *(text for text in words if text)])


def _story(page: Page, check: Check) -> None:
    page.line((f"  {page.say(N_('a short story that shows it'))}", "dim"))
    answers = check.get("answers") or []
    for index, text in story_lines(check["trace"], check["step"]):
        here = index is not None and index == check["step"]
        gave = "" if index is None or here or index >= len(answers) or answers[index] == "None" else answers[index]
        page.block(f"{'▶' if here else ' '} {text}{f'  → {gave}' if gave else ''}", 4, "bold" if here else "")
    _printed(page, (check.get("printed") or "").rstrip())
    if check["mine"] and check["reference"]:
        page.line(("", ""))
        width = page.console.width - 4
        for differs, text in picture(check["mine"], check["reference"], width, page.say):
            page.line((f"    {text}".rstrip(), "red" if differs else ""))


def _printed(page: Page, text: str) -> None:
    """What the code printed in this story."""
    if not text:
        return
    lines = text.split("\n")
    page.line((f"  {page.say(N_('printed in this story'))}", "dim"))
    page.block("\n".join(lines[:PRINTED]), 6, "dim")
    if len(lines) > PRINTED:
        more = Say("… {n} more line, in --json", plural="… {n} more lines, in --json", n=len(lines) - PRINTED)
        page.block(page.say(more), 6)
