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

import pytest

from grader.checks import NOT_RUN_STRIKES, NOT_RUN_TIME, CheckFailed, CheckInfo, CheckSkipped
from grader.report import CheckResult
from grader.sandbox.child import SandboxError
from grader.sandbox.remote import NoMoreStrikes, OutOfTime
from grader.subject import Subject
from grader.words import Say

OnResult = Callable[[CheckResult], None]
OnNote = Callable[[Say], None]

PYTEST = [
    "--disable-plugin-autoload", "--noconftest", "--assert=plain", "--capture=no", "--import-mode=importlib",
    "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:terminal", "-p", "no:logging", "-p", "no:warnings",
    "-p", "no:unraisableexception", "-p", "no:threadexception", "-p", "no:faulthandler",
]  # fmt: skip


class GraderFault(Exception):
    """The grader itself is at fault: verdict "error", never the submission's failure."""


def run_pytest(folder: Path, session: Session, more: Sequence[str] = ()) -> int:
    """Run the checks of an exercise's folder with ``session`` as the only plugin; pytest's exit code.

    Raises KeyboardInterrupt, which pytest would keep for itself.
    """
    args = [*PYTEST, *more, f"--rootdir={folder}", *sorted(str(path) for path in folder.glob("test_*.py"))]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        code = pytest.main(args, plugins=[session])
    if code == pytest.ExitCode.INTERRUPTED and session.fault is None and session.broken is None:
        raise KeyboardInterrupt  # pytest took the Ctrl-C for itself
    if code not in (0, 1, 5):
        session.broken = session.broken or said.getvalue()
    return int(code)


class Session:
    """A pytest plugin: tells which checks there are, gives them their subject, and hears how they end."""

    def __init__(
        self,
        subject: Subject | None,
        only: Sequence[str] | None,
        on_result: OnResult | None,
        on_note: OnNote | None = None,
    ) -> None:
        self.only, self.on_result, self.on_note = only, on_result, on_note
        self.given = subject
        self.items: list[tuple[pytest.Item, CheckInfo]] = []
        self.results: list[CheckResult] = []
        self.broken: str | None = None
        self.not_run: str | None = None
        self.fault: Exception | None = None

    @pytest.fixture
    def subject(self) -> Subject | None:
        return self.given

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        rows = [(item, _info(item)) for item in items]
        rows = [(item, info) for item, info in rows if self.only is None or {info.id, info.mission} & set(self.only)]
        rows.sort(key=lambda row: row[1].last)
        items[:] = [item for item, _ in rows]
        self.items = rows

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
        began = time.perf_counter()
        row = CheckResult(info.id, info.group, info.title, "passed", mission=info.mission)
        if self.not_run is not None:
            row = replace(row, outcome="error", message=Say(self.not_run))
        else:
            assert self.given is not None
            if info.last and self.on_note is not None and self.given.device is not None and self.given.device.busy():
                self.on_note(Say("The rest is judged; what is left waits for torch …"))
            self.given.begin(info.id)
            decides = info.group == "acceptance"
            with contextlib.nullcontext() if decides else self.given.remote.apart():
                row = self._outcome(item, info, row)
            if not decides:
                self.not_run = None
        row = replace(row, seconds=time.perf_counter() - began)
        self.results.append(row)
        if self.on_result is not None:
            self.on_result(row)

    def _outcome(self, item: pytest.Item, info: CheckInfo, row: CheckResult) -> CheckResult:
        try:
            with _set_up(item):
                item.runtest()
        except CheckFailed as failed:
            return replace(row, outcome="failed", message=failed.message, failure=failed.failure)
        except CheckSkipped as skipped:
            return replace(row, outcome="skipped", message=skipped.message)
        except NoMoreStrikes:
            self.not_run = NOT_RUN_STRIKES
            return replace(row, outcome="error", message=Say(NOT_RUN_STRIKES))
        except OutOfTime:
            self.not_run = NOT_RUN_TIME
            assert self.given is not None
            limit = self.given.limits.grading_s
            return replace(row, outcome="failed", message=Say("the grading took longer than {limit:g} s", limit=limit))
        except SandboxError:
            raise
        except Exception:
            raise GraderFault(traceback.format_exc()) from None
        return row


@contextlib.contextmanager
def _set_up(item: pytest.Item) -> Iterator[None]:
    """pytest's own set-up and tear-down of one item, its exceptions let through."""
    state = item.session._setupstate
    state.setup(item)
    item._request._fillfixtures()  # type: ignore[attr-defined]
    try:
        yield
    finally:
        state.teardown_exact(None)


def _info(item: pytest.Item) -> CheckInfo:
    """What the function's decorator announced; a function over stories is one check for each of them."""
    info: CheckInfo = item.function.check  # type: ignore[attr-defined]
    story = getattr(item, "callspec", None) and item.callspec.params.get("story")  # type: ignore[attr-defined]
    if not story:
        return info
    prefix = f"{info.id}-" if info.id else ""
    return replace(info, id=prefix + story.id, title=story.title, why=story.note, hint=story.hint or info.hint)
