"""Grade the learner's file: once, or again on every save."""

from __future__ import annotations

import contextlib
import itertools
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.options import Options
from grader.commands.show import Hints, OneObject, OnTerminal, Show, check_targets, write_targets
from grader.commands.source import path_of, read
from grader.commands.usage import UsageError, unknown
from grader.exercise import Exercise
from grader.opened import opened
from grader.report import Report
from grader.sandbox.child import SandboxError
from grader.words import Say

if TYPE_CHECKING:
    from grader.checks import CheckInfo

POLL = 0.1  # seconds between two looks at a watched file


def run(exercise: Exercise, options: Options, lang: str) -> int:
    """Grade, show, write; the exit code. Raises UsageError."""
    path = path_of(exercise, options.file)
    check_targets(options)
    with contextlib.ExitStack() as stack:
        if options.json == "-":  # whatever prints meanwhile, standard output holds one object
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            return _grade(exercise, options, lang, path, stack)
        except UsageError:
            raise
        except SandboxError as error:
            report = _grader_failed(exercise, error.say)
        except Exception as error:
            traceback.print_exc()
            report = _grader_failed(exercise, f"{type(error).__name__}: {error}")
        _finish(report, _show(exercise, options, lang), options, lang)
        return report.exit_code


def chosen(checks: Sequence[CheckInfo], missions: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The ids of the checks that `--only` names, by id or by mission. Raises UsageError."""
    for name in wanted:
        if name not in missions and all(name != check.id for check in checks):
            known = [*missions, *(check.id for check in checks)]
            raise unknown(Say("There is no check {name}.", name=name), known, name)
    return [check.id for check in checks if check.id in wanted or check.mission in wanted]


def _grade(exercise: Exercise, options: Options, lang: str, path: Path, stack: contextlib.ExitStack) -> int:
    from grader.judge import Judge  # brings pytest

    judge = stack.enter_context(contextlib.closing(Judge(exercise, sandbox=options.sandbox, again=options.watch)))
    only = chosen(judge.checks(), exercise.missions, options.only) if options.only else None

    def hints() -> Mapping[str, int]:
        before = opened(exercise.id)
        return {check.id: before.get(check.id, 0) for check in judge.checks() if check.hint}

    content = read(path)
    for turn in itertools.count():
        show = _show(exercise, options, lang, hints)
        if turn:
            show.again(time.strftime("%H:%M:%S"))
        report = judge.grade(content, path.name, only, show.check, show.note)
        _finish(report, show, options, lang)
        if not options.watch:
            return report.exit_code
        show.note(Say("Watching {name}: save it to grade again, Ctrl-C to stop", name=path.name))
        try:
            content = _wait(path, content)
        except KeyboardInterrupt:
            return report.exit_code
    raise AssertionError


def _show(exercise: Exercise, options: Options, lang: str, hints: Hints = dict) -> Show:
    return OneObject(lang) if options.json == "-" else OnTerminal(exercise.id, lang, hints)


def _finish(report: Report, show: Show, options: Options, lang: str) -> None:
    with contextlib.redirect_stdout(sys.__stdout__):
        show.finish(report)
    write_targets(options, report, lang)


def _grader_failed(exercise: Exercise, problem: str | Say) -> Report:
    """The report of a grading that did not take place through no fault of the submission."""
    say = Say("The grader itself had trouble: {problem}. This says nothing about your file.", problem=problem)
    return Report(exercise.id, "error", "none", "cpu", 0.0, say)


def _wait(path: Path, graded: bytes) -> bytes:
    """The file's content, as soon as it is something else than what was graded.

    The first look compares the content: it may have been saved during the grading. An editor may take the
    file away for a moment.
    """
    seen = None
    while True:
        stamp = _stamp(path)
        if stamp is not None and stamp != seen:
            seen = stamp
            with contextlib.suppress(UsageError):
                content = read(path)
                if content != graded:
                    return content
        time.sleep(POLL)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
