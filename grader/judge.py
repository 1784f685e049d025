"""The judge: runs an exercise's checks over a submission that lives in a sandbox, and writes the report.

The checks are pytest functions, run by pytest in this process; the learner's code never is. A verdict exists only here.
"""

from __future__ import annotations

import contextlib
import importlib
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.beside import Beside
from grader.checks import (
    NOT_RUN_LOAD,
    CheckInfo,
)
from grader.exercise import Exercise
from grader.naming import Namer
from grader.oracle import JudgingOracle
from grader.report import CheckResult, Failure, Report
from grader.sandbox import docker, launcher
from grader.sandbox.child import SandboxError
from grader.sandbox.limits import Limits
from grader.sandbox.pool import Pool
from grader.sandbox.remote import Remote, Submission
from grader.session import GraderFault, OnNote, OnResult, Session, run_pytest
from grader.stars import Stars
from grader.subject import Subject, learner_stack
from grader.torch_setup import why_no_torch
from grader.wording import unloadable
from grader.words import N_, Say


class Judge:
    """Grades submissions of one exercise, one after another. Holds workers ahead of time; ``close`` ends them."""

    def __init__(
        self, exercise: Exercise, sandbox: str = "auto", limits: Limits | None = None, again: bool = True
    ) -> None:
        """``again``: more than one grading is to come, so the next one's worker is started while nobody waits.

        SandboxError where ``sandbox`` cannot be used here.
        """
        self.exercise = exercise
        self.limits = limits or replace(Limits(), memory_mib=exercise.memory_mib)
        self.backend = launcher.pick(sandbox)
        self.workers = Pool(self.backend, self.limits, exercise.torch, size=1 if exercise.torch else 2, refill=again)
        self.driver = (exercise.folder / "driver.py").read_text("utf-8")
        tensors = f"grader.exercises.{exercise.id}.tensors"
        self.tensors = Beside(tensors) if (exercise.folder / "tensors.py").exists() else None

    def warm(self) -> None:
        """Start what the next grading needs, without waiting for it. What was missing may be there by now."""
        if self.tensors is not None:
            if self.tensors.hello is not None and "missing" in self.tensors.hello:
                self.tensors.close()
            self.tensors.start()

    def close(self) -> None:
        self.workers.close()
        if self.tensors is not None:
            self.tensors.close()

    def checks(self) -> list[CheckInfo]:
        """Every check of the exercise, in the order in which they run."""
        collected = Session(None, None, None)
        run_pytest(self.exercise.folder, collected, ["--collect-only"])
        return [info for _, info in collected.items]

    def grade(
        self,
        source: bytes,
        name: str,
        only: Sequence[str] | None = None,
        on_result: OnResult | None = None,
        on_note: OnNote | None = None,
    ) -> Report:
        """Run the checks (``only``: ids, or names of missions) on ``source``, a file called ``name``.

        ``on_result`` hears each result as it comes, ``on_note`` what is waited for; the report then has them all, with
        the mistake they look like.
        Never raises for what the submission does. SandboxError if the sandbox fails: that is nobody's verdict.
        """
        began = time.perf_counter()
        self.warm()
        missing = why_no_torch() if self.exercise.torch and self.backend != docker.NAME else None
        if missing is not None:
            raise SandboxError(missing)
        text, message = decoded(source, name, self.limits)
        if text is None:
            return self._report("failed", began, message=message)
        remote = Remote(Submission(text, name, self.driver), self.workers, self.limits)
        try:
            problem = remote.load()
            if problem is not None:
                return self._unloadable(problem, name, only, began, on_result, remote)
            return self._run(remote, only, began, on_result, on_note)
        finally:
            remote.close()

    # -- inside ----------------------------------------------------------------------------------------------------

    def _memory(self) -> int:
        return self.limits.memory_bytes(self.exercise.torch) >> 20

    def _run(
        self,
        remote: Remote,
        only: Sequence[str] | None,
        began: float,
        on_result: OnResult | None,
        on_note: OnNote | None,
    ) -> Report:
        oracle_module = importlib.import_module(f"grader.exercises.{self.exercise.id}.oracle")
        subject = Subject(remote, oracle_module.Oracle(), self.limits, self._memory(), self.tensors)
        stars = self._stars(remote, oracle_module.Oracle())
        with contextlib.closing(stars) if stars is not None else contextlib.nullcontext():
            session = Session(subject, only, on_result, on_note, stars)
            code = run_pytest(self.exercise.folder, session)
        if session.fault is not None:
            raise session.fault
        if session.broken is not None or code not in (0, 1):
            raise GraderFault(session.broken or f"pytest ended with {code}")
        remote.close()
        remote.met_limit |= stars is not None and stars.subject.remote.met_limit
        results, known = self._named(session.results, subject, oracle_module)
        return self._report(verdict(results), began, _no_verdict(results), results, remote, known)

    def _stars(self, remote: Remote, oracle: JudgingOracle) -> Stars[pytest.Item, CheckResult] | None:
        """Where the stretch checks run meanwhile; None where a second worker would cost more than it saves."""
        if self.exercise.torch:
            return None
        more = Remote(remote.submission, self.workers, self.limits)
        stars = Stars[pytest.Item, CheckResult](Subject(more, oracle, self.limits, self._memory()))
        remote.lent = stars.spent
        return stars

    def _named(
        self, results: list[CheckResult], subject: Subject, oracle_module: Any
    ) -> tuple[list[CheckResult], bool]:
        """The results with the mistakes they look like, and whether any could be looked for."""
        if not any(row.outcome == "failed" for row in results):
            return results, True
        namer = Namer(self.exercise.id, self.driver, oracle_module.modules)
        stars = {row.id for row in results if row.group == "stretch"}
        names = namer.name([row for row in subject.evidence if row.check not in stars])

        def with_name(row: CheckResult) -> CheckResult:
            mistake = names.get(row.id)
            if mistake is None or row.failure is None:
                return row
            failure = replace(row.failure, mistake=mistake.id, mistake_what=mistake.what, mistake_why=mistake.why)
            return replace(row, failure=failure)

        return [with_name(row) for row in results], namer.known

    def _unloadable(
        self,
        problem: Any,
        name: str,
        only: Sequence[str] | None,
        began: float,
        on_result: OnResult | None,
        remote: Remote,
    ) -> Report:
        message = unloadable(problem, name, self.limits, self._memory())
        session = Session(None, only, None)
        run_pytest(self.exercise.folder, session, ["--collect-only"])
        rows = []
        for _, info in session.items:
            row = CheckResult(info.id, info.group, info.title, "error", message=Say(NOT_RUN_LOAD), mission=info.mission)
            rows.append(row)
        remote.close()
        stack = learner_stack(problem)
        if rows and stack:
            rows[0] = replace(rows[0], failure=Failure(stack=stack))
        for row in rows:
            if on_result is not None:
                on_result(row)
        return self._report("failed", began, message=message, checks=rows, remote=remote)

    def _report(
        self,
        verdict: str,
        began: float,
        message: Say | None = None,
        checks: list[CheckResult] | None = None,
        remote: Remote | None = None,
        named: bool = True,
    ) -> Report:
        outputs = remote.outputs if remote is not None else []
        text = "".join(text for text, _ in outputs)
        keep = self.limits.kept_output_kib * 1024
        return Report(
            exercise=self.exercise.id,
            verdict=verdict,
            sandbox=self.backend,
            device=self.tensors.device if self.tensors is not None else "cpu",
            seconds=time.perf_counter() - began,
            message=message,
            checks=checks or [],
            output=text[:keep],
            output_lost=sum(lost for _, lost in outputs) + max(0, len(text) - keep),
            named=named,
            met_limit=remote is not None and remote.met_limit,
        )


def decoded(source: bytes, name: str, limits: Limits) -> tuple[str | None, Say | None]:
    """The file's text, or what is wrong with it as a file."""
    if len(source) > limits.source_kib * 1024:
        text = N_("{name} is larger than {limit} KiB: hand in the class alone")
        return None, Say(text, name=name, limit=limits.source_kib)
    try:
        decoded = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = N_("{name} is not UTF-8 text (byte {position}): save it as UTF-8")
        return None, Say(text, name=name, position=error.start)
    if "\0" in decoded:
        return None, Say("{name} contains a null byte: is it a Python file?", name=name)
    if not decoded.strip():
        return None, Say("{name} is empty: write the class into it first", name=name)
    return decoded, None


def verdict(results: Sequence[CheckResult]) -> str:
    """Acceptance decides: one failed or not run is "failed"; one that could not be judged here leaves no verdict."""
    outcomes = {row.outcome for row in results if row.group == "acceptance"}
    if outcomes & {"failed", "error"}:
        return "failed"
    return "error" if "skipped" in outcomes else "passed"


def _no_verdict(results: Sequence[CheckResult]) -> Say | None:
    if verdict(results) != "error":
        return None
    return next(row.message for row in results if row.group == "acceptance" and row.outcome == "skipped")
