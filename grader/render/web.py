"""A report as HTML, in parts: the printable page lays them one after the other, the app puts buttons between them.

Here the verdict and the checks, a line each; one failure in full is in ``web_failure``. Every text goes through
``html.escape``; what is given is the report's public form, whose texts are plain already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from grader.render.causes import causes
from grader.render.choose import waits
from grader.render.terminal import GROUPS
from grader.render.uncached import uncached
from grader.words import N_, Say

CSS = Path(__file__).with_name("report.css").read_text("utf-8")
SLOW = 0.5  # seconds from which a check's time is shown

Check = Mapping[str, Any]
Words = Callable[[str | Say], str]

VERDICTS = {"passed": ("✓", N_("Passed")), "failed": ("✗", N_("Failed")), "error": ("–", N_("No verdict"))}


class Kind(NamedTuple):
    """How a check stands: its sign, its class in the style sheet, and the word for it."""

    sign: str
    style: str
    word: str


PASSED, FAILED = Kind("✓", "ok", N_("passed")), Kind("✗", "bad", N_("failed"))
WAITING = Kind("…", "mid", N_("not written yet"))
SKIPPED, NOT_RUN = Kind("–", "mid", N_("skipped")), Kind("–", "mid", N_("not run"))
EARNED, NOT_EARNED = Kind("★", "ok", N_("star earned")), Kind("☆", "mid", N_("star not earned"))
_COUNTED = {
    FAILED: N_("{n} failed"),
    WAITING: N_("{n} not written yet"),
    SKIPPED: N_("{n} skipped"),
    NOT_RUN: N_("{n} not run"),
}
_OUTCOMES = {"passed": PASSED, "failed": FAILED, "skipped": SKIPPED, "error": NOT_RUN}
_STARS = {**_OUTCOMES, "passed": EARNED, "failed": NOT_EARNED}


def kind_of(check: Check) -> Kind:
    """A stretch check that fails is a star that is not earned; one that meets a TODO is no mistake."""
    if check["group"] == "stretch":
        return _STARS[check["outcome"]]
    return WAITING if waits(check) else _OUTCOMES[check["outcome"]]


def part(inner: str, kind: str = "") -> str:
    """``inner`` where the styles of a report hold."""
    return f'<div class="kvr {kind}">{inner}</div>'


def verdict(report: Mapping[str, Any], title: str, words: Words) -> str:
    """The verdict in colour and in words, the counts, the stars, what it ran on, and what is wrong with the file."""
    sign, word = VERDICTS[report["verdict"]]
    ran = Say(
        "{seconds:.1f} s, sandbox {sandbox}, device {device}",
        seconds=report["seconds"], sandbox=report["sandbox"], device=report["device"],
    )  # fmt: skip
    head = (
        f'<div class="kvr-verdict"><span class="kvr-seal" aria-hidden="true">{sign}</span>'
        f'<div><h2>{escape(words(word))}</h2><p class="quiet small">{escape(title)}</p></div></div>'
    )
    body = counts(report["checks"], None, words) + f'<p class="quiet small">{escape(words(ran))}</p>' + _cause(report)
    return part(head + body, f"kvr-{report['verdict']}")


def counts(checks: Iterable[Check], total: int | None, words: Words) -> str:
    """How many deciding checks stand how, and the stars; the same as a bar. ``total``: how many there will be of the
    deciding ones, while they are still coming."""
    rows = [(check["group"] == "stretch", kind_of(check)) for check in checks]
    deciding = [kind for star, kind in rows if not star]
    stars = [kind is EARNED for star, kind in rows if star]
    passed = deciding.count(PASSED)
    said = []
    if deciding:
        whole = Say("{passed} of {all} checks", passed=passed, all=len(deciding))
        so_far = Say("{n} passed", n=passed)
        said.append(f"<b>{escape(words(whole if total is None else so_far))}</b>")
    for kind, form in _COUNTED.items():
        if kind in deciding:
            count = Say(form, n=deciding.count(kind))
            said.append(f'<span class="{kind.style}">{escape(words(count))}</span>')
    if stars:
        text = Say("{earned} of {all} stars", earned=sum(stars), all=len(stars))
        drawn = "★" * sum(stars) + "☆" * stars.count(False)
        said.append(f'<span><span aria-hidden="true">{drawn}</span> {escape(words(text))}</span>')
    rest = max(0, (total or 0) - len(deciding))
    shares = {"ok": passed, "bad": deciding.count(FAILED)}
    shares |= {"mid": len(deciding) - sum(shares.values()), "rest": rest}
    bar = "".join(f'<i class="{style}" style="flex-grow:{n}"></i>' for style, n in shares.items() if n)
    return f'<p class="kvr-counts">{"".join(said)}</p><div class="kvr-bar" aria-hidden="true">{bar}</div>'


def groups(checks: Iterable[Check], words: Words, fold: bool = True) -> str:
    """A line a check under the heading of its group. ``fold``: those that passed, those that wait for what is not
    written yet, and those that fail as another one does lie behind one line each."""
    checks, found = list(checks), dict[str, list[Check]]()
    beside = _beside(checks) if fold else set()
    for check in checks:
        key = "stretch" if check["group"] == "stretch" else check["mission"] or check["group"]
        found.setdefault(key, []).append(check)
    return "".join(_group(key, rows, words, fold, beside) for key, rows in found.items())


def _cause(report: Mapping[str, Any]) -> str:
    """What no check can say: why the file cannot be graded at all, or why there is no verdict."""
    if not report["message"]:
        return ""
    stacks = [check["stack"] for check in report["checks"] if check["outcome"] == "error" and check["stack"]]
    shown = "".join(f'<pre tabindex="0">{escape(stack)}</pre>' for stack in stacks[:1])
    return f'<div class="kvr-why"><p>{escape(report["message"])}</p>{shown}</div>'


def _beside(checks: list[Check]) -> set[str]:
    """The failed checks that go with another one: where a fault shows in many, one of them stands for all."""
    wrong = [row for row in checks if row["outcome"] == "failed" and row["group"] != "stretch" and not waits(row)]
    bare = uncached(checks)
    rest = {row["id"] for cause in causes([row for row in wrong if row not in bare]) for row in cause.more}
    return rest | {row["id"] for row in bare[1:]}


def _group(key: str, rows: list[Check], words: Words, fold: bool, beside: set[str]) -> str:
    passed = [row for row in rows if row["outcome"] == "passed"]
    waiting = [row for row in rows if waits(row)]
    alike = [row for row in rows if row["id"] in beside]
    folded = [
        (FAILED, Say("{n} check fails as one that is listed does",
                     plural="{n} checks fail as one that is listed does", n=len(alike)), alike),
        (PASSED, Say("{n} check passed", plural="{n} checks passed", n=len(passed)), passed),
        (WAITING, Say("{n} check waits for what is not written yet",
                      plural="{n} checks wait for what is not written yet", n=len(waiting)), waiting),
    ]  # fmt: skip
    shown = [row for row in rows if not fold or not (row in passed or row in waiting or row in alike)]
    inner = _lines(shown, words)
    for kind, summary, behind in folded:
        if fold and behind:
            head = f'<span class="{kind.style}">{kind.sign}</span> {escape(words(summary))}'
            inner += f"<details><summary>{head}</summary>{_lines(behind, words)}</details>"
    heading = escape(words(GROUPS.get(key, key)))
    count = escape(words(Say("{passed} of {all}", passed=len(passed), all=len(rows))))
    return f'<section class="kvr-group"><h3>{heading} <span>{count}</span></h3>{inner}</section>'


def _lines(rows: Iterable[Check], words: Words) -> str:
    lines, reasons = [], set[str]()
    for row in rows:
        kind = kind_of(row)
        word = words(Say("{word}: ", word=Say(kind.word)))
        told = "" if row["outcome"] == "passed" else f'<em class="{kind.style}">{escape(word)}</em>'
        time = f" · {row['seconds']:.1f} s" if row["seconds"] >= SLOW else ""
        reason = row["message"] if row["outcome"] in ("skipped", "error") else None
        more = ""
        if reason and reason not in reasons:  # many checks may share one: it is said once
            reasons.add(reason)
            more = f'<p class="quiet">{escape(reason)}</p>'
        lines.append(
            f'<li class="kvr-check"><b class="{kind.style}" aria-hidden="true">{kind.sign}</b>'
            f"<span>{told}{escape(row['title'])}</span><small><code>{escape(row['id'])}</code>{time}</small>{more}</li>"
        )
    return f"<ul>{''.join(lines)}</ul>" if lines else ""
