"""One failed check in full: what was called, expected and returned, why it matters, the story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.cells import cell_len, set_cell_size

from grader.render.page import Page
from grader.render.picture import picture
from grader.render.story import story_lines
from grader.words import N_

Check = Mapping[str, Any]


def tell(page: Page, check: Check) -> None:
    """Print the failure of `check`, a check of the report's public form."""
    page.line(("", ""))
    page.line((f"✗ {check['title']}  ({check['id']})", "bold red"))
    if check["message"]:
        page.block(check["message"], 2)
    rows = [
        (N_("called"), check["called"], ""),
        (N_("expected"), check["expected"], "green"),
        (N_("got"), check["actual"], "red"),
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
    page.line((f"  {page.say(N_('the shortest story that shows it'))}", "dim"))
    for index, text in story_lines(check["trace"], check["step"]):
        here = index is not None and index == check["step"]
        page.block(f"{'▶' if here else ' '} {text}", 4, "bold" if here else "")
    if check["mine"] and check["reference"]:
        page.line(("", ""))
        width = page.console.width - 4
        for differs, text in picture(check["mine"], check["reference"], width, page.say):
            page.line((f"    {text}", "red" if differs else ""))
