"""A grading on the terminal: a line a check as it comes, then what failed and why, then where to go next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rich.cells import cell_len

from grader.hints import LEVELS, next_level
from grader.render.causes import Cause
from grader.render.choose import OTHERS, by_todo, to_tell, waits
from grader.render.failure import tell
from grader.render.page import Page
from grader.render.uncached import uncached, uncached_said
from grader.words import N_, Say

MARKS = {
    "passed": ("✓", "green", ""),
    "failed": ("✗", "red", N_("failed: ")),
    "skipped": ("-", "yellow", N_("skipped: ")),
}
GROUPS = {
    "acceptance": N_("Acceptance: these decide"),
    "prefill": N_("Mission 1: prefill"),
    "decode": N_("Mission 2: decode"),
    "gather": N_("Mission 3: gather"),
    "stretch": N_("Stretch: these earn stars and fail nobody"),
}
LATER = {"acceptance": N_("Acceptance, with tensors")}  # a group's heading when another came between
VERDICTS = {
    "passed": (N_("{exercise}: passed"), "bold green"),
    "failed": (N_("{exercise}: failed"), "bold red"),
    "error": (N_("{exercise}: no verdict"), "bold yellow"),
}
PRINTED = 8  # lines shown of what the learner's code printed
SLOW = 0.5  # seconds from which a check's time is shown

Check = Mapping[str, Any]


class Terminal:
    """Shows one grading: `check` for each result as it comes, `note` in between, `finish` with the report.

    A check that waits for code not written yet, and one that did not run, gets no line of its own: they are counted at
    the end.

    `hints` gives, for every check that has hints, how many of the three levels were opened; it is asked only after a
    failure. Everything given is of the report's public form.
    """

    def __init__(self, page: Page, exercise: str, hints: Callable[[], Mapping[str, int]]) -> None:
        self._page = page
        self._exercise = exercise
        self._hints = hints
        self._headings: list[str] = []
        self._reason: str | None = None

    def note(self, text: str) -> None:
        self._page.line((text, "dim"))

    def again(self, clock: str) -> None:
        """A line between two gradings of one file."""
        self._page.rule(clock)

    def check(self, check: Check) -> None:
        """One line: state by shape and word, title, id, time if it took some."""
        if check["outcome"] == "error" or waits(check):
            return
        say = self._page.say
        stretch = check["group"] == "stretch"
        self._head("stretch" if stretch else check["mission"] or check["group"])
        mark, style, word = MARKS[check["outcome"]]
        if stretch and check["outcome"] in ("passed", "failed"):
            mark, style = ("★", "green") if check["outcome"] == "passed" else ("☆", "yellow")
        seconds = f"  {check['seconds']:.1f} s" if check["seconds"] >= SLOW else ""
        head = f" {mark} {say(word)}"
        tail = f"{check['id']}{seconds}"
        if cell_len(head) + cell_len(check["title"]) + 2 + cell_len(tail) <= self._page.console.width:
            self._page.line((head, style), (check["title"], ""), (f"  {tail}", "dim"))
        else:
            self._page.labelled(head, check["title"], label_style=style)
            self._page.block(tail, cell_len(head), "dim")
        if check["outcome"] == "skipped" and check["message"] not in (None, self._reason):
            self._reason = check["message"]  # many checks may share one: it is said once
            self._page.block(check["message"], 3)

    def _head(self, heading: str) -> None:
        if self._headings[-1:] == [heading]:
            return
        words = LATER.get(heading, heading) if heading in self._headings else GROUPS.get(heading, heading)
        self._headings.append(heading)
        self._page.line(("", ""))
        self._page.line((self._page.say(words), "bold"))

    def finish(self, report: Mapping[str, Any]) -> None:
        """The failures, what waits, what the learner's code printed, the verdict and the next step."""
        self._cause(report)
        failed = [c for c in report["checks"] if c["outcome"] == "failed"]
        failed = [c for c in failed if c["group"] != "stretch"] or failed
        waiting = [c for c in failed if waits(c)]
        bare = uncached(failed)
        wrong = [c for c in failed if not waits(c) and c not in bare]
        told = [cause.first for cause in self._told(wrong)]
        if bare:
            told += self._uncached(bare)
        if told and not bare and not report.get("mistakes_known", True):
            self._page.line(("", ""))
            self._page.block(self._page.say(N_("No known mistake was looked for: solutions/ is not there")), 0, "dim")
        if waiting:
            self._waiting(waiting)
        self._output(report["output"].rstrip(), report["output_lost"])
        self._verdict(report)
        asked = [*told, *bare, *waiting]
        opened = self._hints() if asked else {}
        hinted = next((check["id"] for check in asked if check["id"] in opened), None)
        if hinted is not None:
            self._page.line((self._page.say(self._offer(hinted, opened[hinted])), ""), keep=True)

    def _told(self, wrong: list[Check]) -> list[Cause]:
        """The failures in full, one for each cause; those that go with it are named under it, the others at the end."""
        page, found = self._page, to_tell(wrong)
        for cause in found:
            if cause.said is not None:
                page.line(("", ""))
                page.block(page.say(cause.said), 0, "bold")
            tell(page, cause.first)
            if cause.more:
                page.line(("", ""))
                page.block(page.say(Say("Failed with it: {checks}", checks=_ids(cause.more))), 2, "red")
        named = [check["id"] for cause in found for check in (cause.first, *cause.more)]
        rest = [check for check in wrong if check["id"] not in named]
        if rest:
            page.line(("", ""))
            page.block(page.say(Say("Failed too: {checks}", checks=_ids(rest))), 0, "red")
        if len(found) > 1 or rest:
            page.block(page.say(OTHERS), 0, "dim")
        return found

    def _uncached(self, bare: list[Check]) -> list[Check]:
        """What fails because nothing is ever found in the cache, with the plainest of them."""
        page, first, rest = self._page, bare[0], _ids(bare[1:])
        page.line(("", ""))
        page.block(page.say(uncached_said(bare)), 0, "bold yellow")
        tell(page, first)
        page.line(("", ""))
        page.block(page.say(Say("Failed with it: {checks}", checks=rest)), 2, "red")
        return [first]

    def _offer(self, check: str, opened: int) -> Say:
        """The hint to open next, of the first check that failed."""
        level = next_level([opened])
        command = f"./check.sh {self._exercise} --hint {check} --level {level or 1}"
        if level == 1:
            return Say("A hint, if you want one: {command}", command=command)
        if level is None:
            return Say("You have opened all hints of this check; to read them again: {command}", command=command)
        return Say("You have opened {n} of {all} hints of this check. The next one: {command}",
                   n=opened, all=len(LEVELS), command=command)  # fmt: skip

    def _cause(self, report: Mapping[str, Any]) -> None:
        """Why there is no verdict, or why checks were not run: said once for all of them."""
        page = self._page
        missing = [c for c in report["checks"] if c["outcome"] == "error"]
        if report["message"] or missing:
            page.line(("", ""))
        if report["message"]:
            page.block(report["message"], 0, VERDICTS[report["verdict"]][1])
        for stack in [c["stack"] for c in missing if c["stack"]]:
            page.block(stack, 2, "dim")
        if missing:
            page.line((page.say(Say("{n} check not run", plural="{n} checks not run", n=len(missing))), "yellow"))
        for reason in dict.fromkeys(c["message"] for c in missing if not report["message"] and c["message"]):
            page.block(reason, 2)

    def _waiting(self, waiting: list[Check]) -> None:
        """What is not written yet: a line a TODO, however many checks wait for it."""
        page = self._page
        text = Say(
            "{n} check waits for what is not written yet", plural="{n} checks wait for what is not written yet",
            n=len(waiting),
        )  # fmt: skip
        page.line(("", ""))
        page.block(page.say(text), 0, "yellow")
        for place, (todo, rows) in enumerate(item for item in by_todo(waiting) if item[0]):
            line: str | Say = Say("{todo} ({n} check)", plural="{todo} ({n} checks)", todo=todo, n=len(rows))
            page.block(page.say(Say("next: {todo}", todo=line) if place == 0 else line), 2)
        command = f"./check.sh {self._exercise}"
        page.line(("  " + page.say(Say("then: {command} (or leave {command} --watch running)", command=command)), ""))

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
        self._page.line((" · ".join(parts), style))
        ran = Say(
            "{seconds:.1f} s, sandbox {sandbox}, device {device}",
            seconds=report["seconds"], sandbox=report["sandbox"], device=report["device"],
        )  # fmt: skip
        self._page.line((say(ran), "dim"))


def _ids(checks: Iterable[Check]) -> str:
    return ", ".join(check["id"] for check in checks)
