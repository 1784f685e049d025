"""The checks as a pytest session: which there are, what they are given, how each ended.

pytest runs in the judge's own process; the learner's code never does.
"""

from __future__ import annotations

import contextlib
import io
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.checks import NOT_RUN_STRIKES, NOT_RUN_TIME, CheckFailed, CheckInfo, CheckSkipped
from grader.report import CheckResult
from grader.sandbox.child import SandboxError
from grader.sandbox.remote import NoMoreStrikes, OutOfTime
from grader.stars import Stars
from grader.subject import Subject
from grader.words import Say

OnResult = Callable[[CheckResult], None]
OnNote = Callable[[Say], None]

PYTEST = [
    "--disable-plugin-autoload", "--noconftest", "--assert=plain", "--capture=no", "--import-mode=importlib",
    "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:logging", "-p", "no:warnings",
    "-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:faulthandler",
]  # fmt: skip


FOR_OTHERS = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
"""What a learner's shell tells the pytest of their own tests."""


class GraderFault(Exception):
    """The grader itself is at fault: verdict "error", never the submission's failure."""


def run_pytest(folder: Path, session: Session, more: Sequence[str] = ()) -> int:
    """Run the checks of an exercise's folder with ``session`` as the only plugin; pytest's exit code.

    Raises KeyboardInterrupt, which pytest would keep for itself.
    """
    args = [*PYTEST, *more, f"--rootdir={folder}", *sorted(str(path) for path in folder.glob("test_*.py"))]
    with contextlib.redirect_stdout(io.StringIO()) as said, _without(*FOR_OTHERS):
        code = pytest.main(args, plugins=[session])
    if code == pytest.ExitCode.INTERRUPTED and session.fault is None and session.broken is None:
        raise KeyboardInterrupt  # pytest took the Ctrl-C for itself
    if code not in (0, 1, 5):
        session.broken = session.broken or said.getvalue()
    return int(code)


@contextlib.contextmanager
def _without(*names: str) -> Iterator[None]:
    """These variables of the environment put aside."""
    kept = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


class Session:
    """A pytest plugin: tells which checks there are, runs them on the subject, keeps how they end."""

    def __init__(
        self,
        subject: Subject | None,
        only: Sequence[str] | None,
        on_result: OnResult | None,
        on_note: OnNote | None = None,
        stars: Stars[pytest.Item, CheckResult] | None = None,
    ) -> None:
        """``stars``: where the stretch checks run while the others do. Without it they run in their turn."""
        self.only, self.on_result, self.on_note, self.stars = only, on_result, on_note, stars
        self.given = subject
        self.items: list[tuple[pytest.Item, CheckInfo]] = []
        self.results: list[CheckResult] = []
        self.broken: str | None = None
        self.not_run: str | None = None
        self.fault: Exception | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        rows = [(item, _info(item)) for item in items]
        rows = [(item, info) for item, info in rows if self.only is None or {info.id, info.mission} & set(self.only)]
        rows.sort(key=lambda row: row[1].last)
        items[:] = [item for item, _ in rows]
        self.items = rows
        if self.stars is not None and len({info.group for _, info in rows}) > 1:
            self.stars.begin([item for item, info in rows if info.group == "stretch"], self._star)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken = str(report.longrepr)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        info = next(info for one, info in self.items if one is item)
        if self.given is not None:
            try:
                self._run(item, info)
            except Exception as fault:
                self.fault = fault
                item.session.shouldstop = "the grader is at fault"
        return True

    def _run(self, item: pytest.Item, info: CheckInfo) -> None:
        assert self.given is not None
        if info.group == "stretch":
            beside = self.stars is not None and item in self.stars
            row = self.stars.row(item) if self.stars is not None and beside else self._star(self.given, item)
        elif self.not_run is not None:
            row = replace(_row(info), outcome="error", message=Say(self.not_run))
        else:
            if info.last and self.on_note is not None and self.given.device is not None and self.given.device.busy():
                self.on_note(Say("The rest is judged; what is left waits for torch …"))
            row, self.not_run = _judged(self.given, item)
        self.results.append(row)
        if self.on_result is not None:
            self.on_result(row)

    def _star(self, subject: Subject, item: pytest.Item) -> CheckResult:
        with subject.remote.apart():
            return _judged(subject, item)[0]


def _judged(subject: Subject, item: pytest.Item) -> tuple[CheckResult, str | None]:
    """How the check of ``item`` ends, and why those after it cannot run, if so. Raises what is the grader's fault."""
    began = time.perf_counter()
    info = _info(item)
    subject.begin(info.id)
    outcome, message, failure, not_run = "passed", None, None, None
    try:
        item.function(subject=subject, **_params(item))  # type: ignore[attr-defined]
    except CheckFailed as failed:
        outcome, message, failure = "failed", failed.message, failed.failure
    except CheckSkipped as skipped:
        outcome, message = "skipped", skipped.message
    except NoMoreStrikes:
        outcome, not_run = "error", NOT_RUN_STRIKES
        message = Say(not_run)
    except OutOfTime:
        outcome, not_run = "failed", NOT_RUN_TIME
        message = Say("the grading took longer than {limit:g} s", limit=subject.limits.grading_s)
    except SandboxError:
        raise
    except Exception:
        raise GraderFault(traceback.format_exc()) from None
    spent = time.perf_counter() - began
    return replace(_row(info), outcome=outcome, message=message, failure=failure, seconds=spent), not_run


def _row(info: CheckInfo) -> CheckResult:
    return CheckResult(info.id, info.group, info.title, "passed", mission=info.mission)


def _params(item: pytest.Item) -> dict[str, Any]:
    """What the function was parametrized with: nothing, or a story."""
    call = getattr(item, "callspec", None)
    return dict(call.params) if call is not None else {}


def _info(item: pytest.Item) -> CheckInfo:
    """What the function's decorator announced; a function over stories is one check for each of them."""
    info: CheckInfo = item.function.check  # type: ignore[attr-defined]
    story = _params(item).get("story")
    if story is None:
        return info
    prefix = f"{info.id}-" if info.id else ""
    return replace(info, id=prefix + story.id, title=story.title, why=story.note, hint=story.hint or info.hint)
