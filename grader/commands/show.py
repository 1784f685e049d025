"""Where a grading goes while it runs and when it is done: the terminal, a JSON object, files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from grader.commands.options import Options
from grader.commands.usage import UsageError
from grader.report import CheckResult, Report
from grader.words import Say, translator

#: How many levels of each check's hints were opened, for every check that has hints.
Hints = Callable[[], Mapping[str, int]]


class Show(Protocol):
    """What a person or a program gets to see of one grading."""

    def again(self, clock: str) -> None: ...
    def note(self, say: Say) -> None: ...
    def check(self, result: CheckResult) -> None: ...
    def finish(self, report: Report) -> None: ...


class OneObject:
    """The report as one JSON object on standard output, at the end."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def again(self, clock: str) -> None:
        """Programs wait for the object."""

    def note(self, say: Say) -> None:
        """Programs wait for the object."""

    def check(self, result: CheckResult) -> None:
        """Programs wait for the object."""

    def finish(self, report: Report) -> None:
        sys.stdout.buffer.write(encoded(report.to_json(self._lang)))
        sys.stdout.flush()


class OnTerminal:
    """Check by check as they come. `hints` is asked if one is to be offered."""

    def __init__(self, exercise: str, lang: str, hints: Hints) -> None:
        from grader.render.page import Page  # rich takes 40 ms, which --json need not wait for
        from grader.render.terminal import Terminal

        self._lang = lang
        self._terminal = Terminal(Page(lang), exercise, hints)

    def again(self, clock: str) -> None:
        self._terminal.again(clock)

    def note(self, say: Say) -> None:
        self._terminal.note(translator(self._lang).text(say))

    def check(self, result: CheckResult) -> None:
        self._terminal.check(result.to_json(self._lang))

    def finish(self, report: Report) -> None:
        self._terminal.finish(report.to_json(self._lang))


def encoded(payload: dict[str, Any]) -> bytes:
    """JSON in UTF-8, whatever the terminal's encoding is."""
    return json.dumps(payload, ensure_ascii=False, indent=1).encode() + b"\n"


def check_targets(options: Options) -> None:
    """Raises UsageError if --json or --junit names a place where no file can be: better said before."""
    for path in _targets(options):
        if path.is_dir() or not path.parent.is_dir():
            raise UsageError(Say("{path}: no file can be written there", path=str(path)))


def write_targets(options: Options, report: Report, lang: str) -> None:
    """Write what --json PATH and --junit PATH ask for. Raises UsageError if a file cannot be written."""
    payload = report.to_json(lang)
    for path in _targets(options):
        if path is options.junit:
            from grader.render.junit import junit

            data = junit(payload)
        else:
            data = encoded(payload)
        try:
            path.write_bytes(data)
        except OSError as error:
            say = Say("{path} cannot be written: {problem}", path=str(path), problem=error.strerror or "?")
            raise UsageError(say) from None


def _targets(options: Options) -> list[Path]:
    json_path = None if options.json in (None, "-") else Path(options.json or "")
    return [path for path in (options.junit, json_path) if path is not None]
