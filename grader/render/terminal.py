"""A grading on the terminal: a line a check as it comes, then what failed and why, then where to go next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from grader.render.failure import tell
from grader.render.page import Page
from grader.words import N_, Say

MARKS = {
    "passed": ("✓", "green", ""),
    "failed": ("✗", "red", N_("failed")),
    "skipped": ("-", "yellow", N_("skipped")),
    "error": ("!", "yellow", N_("not run")),
}
GROUPS = {
    "acceptance": N_("Acceptance: these decide"),
    "prefill": N_("Mission 1: prefill"),
    "decode": N_("Mission 2: decode"),
    "gather": N_("Mission 3: gather"),
    "stretch": N_("Stretch: these earn stars and fail nobody"),
}
VERDICTS = {
    "passed": (N_("{exercise}: passed"), "bold green"),
    "failed": (N_("{exercise}: failed"), "bold red"),
    "error": (N_("{exercise}: no verdict"), "bold yellow"),
}
TOLD = 3  # failures told in full; the rest are only named
PRINTED = 20  # lines shown of what the learner's code printed
SLOW = 0.5  # seconds from which a check's time is shown

Check = Mapping[str, Any]


def to_tell(failed: Sequence[Check]) -> list[Check]:
    """Up to TOLD failures, each unlike the others; of those that look like one mistake, the check made for it."""
    alike: dict[str, Check] = {}
    for check in failed:
        mistake = check["mistake"]
        key = mistake or f"{check['called']} {check['message']}"
        if key not in alike or (mistake and check["id"].endswith(f"-{mistake}")):
            alike[key] = check
    return list(alike.values())[:TOLD]


class Terminal:
    """Shows one grading: `check` for each result as it comes, `note` in between, `finish` with the report.

    `hints` gives the ids of the checks that have hints, asked for only after a failure. Everything given is of
    the report's public form.
    """

    def __init__(self, page: Page, exercise: str, hints: Callable[[], frozenset[str]]) -> None:
        self._page = page
        self._exercise = exercise
        self._hints = hints
        self._heading = ""
        self._reason: str | None = None

    def note(self, text: str) -> None:
        self._page.line((text, "dim"))

    def check(self, check: Check) -> None:
        """One line: state by shape and word, title, id, time if it took some."""
        say = self._page.say
        stretch = check["group"] == "stretch"
        heading = "stretch" if stretch else check["mission"] or check["group"]
        if heading != self._heading:
            self._heading = heading
            self._page.line(("", ""))
            self._page.line((say(GROUPS.get(heading, heading)), "bold"))
        mark, style, word = MARKS[check["outcome"]]
        if stretch and check["outcome"] in ("passed", "failed"):
            mark, style = ("★", "green") if check["outcome"] == "passed" else ("☆", "yellow")
        seconds = f"  {check['seconds']:.1f} s" if check["seconds"] >= SLOW else ""
        head = f" {mark} {say(word)}{': ' if word else ''}"
        tail = f"{check['id']}{seconds}"
        fits = cell_len(head) + cell_len(check["title"]) + 2 + cell_len(tail) <= self._page.console.width
        self._page.line((head, style), (check["title"], ""), (f"  {tail}" if fits else "", "dim"))
        if not fits:
            self._page.block(tail, 3, "dim")
        if check["outcome"] in ("skipped", "error") and check["message"] not in (None, self._reason):
            self._reason = check["message"]  # many checks may share one: it is said once
            self._page.block(check["message"], 3)

    def finish(self, report: Mapping[str, Any]) -> None:
        """The failures, what the learner's code printed, the verdict and the next step."""
        failed = [c for c in report["checks"] if c["outcome"] == "failed"]
        failed = [c for c in failed if c["group"] != "stretch"] or failed
        told = to_tell(failed)
        for check in told:
            tell(self._page, check)
        for stack in [c["stack"] for c in report["checks"] if c["outcome"] == "error" and c["stack"]]:
            self._page.line(("", ""))
            self._page.block(stack, 2, "dim")
        rest = ", ".join(check["id"] for check in failed if check not in told)
        if rest:
            self._page.line(("", ""))
            self._page.block(self._page.say(Say("Failed too: {checks}", checks=rest)), 0, "red")
        self._output(report["output"].rstrip(), report["output_lost"])
        self._verdict(report)
        with_hints = self._hints() if told else frozenset()
        hinted = next((check["id"] for check in told if check["id"] in with_hints), None)
        if hinted is not None:
            command = f"./check.sh {self._exercise} --hint {hinted} --level 1"
            hint = Say("A hint, if you want one: {command}", command=command)
            self._page.line((self._page.say(hint), ""), keep=True)

    def _output(self, output: str, lost: int) -> None:
        if not output and not lost:
            return
        page = self._page
        lines = output.split("\n")
        page.line(("", ""))
        page.line((page.say(N_("Your code printed")), "bold"))
        page.block("\n".join(lines[:PRINTED]), 2, "dim")
        more = len(lines) - PRINTED
        if more > 0:
            rest = Say("… {n} more line, in --json", plural="… {n} more lines, in --json", n=more)
            page.block(page.say(rest), 2)
        if lost:
            kept = Say("… {n} more byte, not kept", plural="… {n} more bytes, not kept", n=lost)
            page.block(page.say(kept), 2)

    def _verdict(self, report: Mapping[str, Any]) -> None:
        say = self._page.say
        words, style = VERDICTS[report["verdict"]]
        parts = [say(Say(words, exercise=report["exercise"]))]
        deciding = [c["outcome"] == "passed" for c in report["checks"] if c["group"] != "stretch"]
        stars = [c["outcome"] == "passed" for c in report["checks"] if c["group"] == "stretch"]
        if deciding:
            parts.append(say(Say("{passed} of {all} checks", passed=sum(deciding), all=len(deciding))))
        if stars:
            parts.append("★" * sum(stars) + "☆" * (len(stars) - sum(stars)))
        self._page.line(("", ""))
        if report["message"]:
            self._page.block(report["message"], 0, style)
        self._page.line((" · ".join(parts), style))
        ran = Say(
            "{seconds:.1f} s, sandbox {sandbox}, device {device}",
            seconds=report["seconds"], sandbox=report["sandbox"], device=report["device"],
        )  # fmt: skip
        self._page.line((say(ran), "dim"))
