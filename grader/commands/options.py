"""The command line of a grading."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from grader.commands.usage import UsageError, unknown
from grader.sandbox.launcher import BACKENDS
from grader.words import Say

SANDBOXES = ("auto", *BACKENDS)


@dataclass(frozen=True)
class Options:
    """`json` is a path, or "-" for standard output; `only` and `hint` are as given, not yet looked up. `level` None:
    the next one that was not opened yet."""

    file: Path | None
    json: str | None
    junit: Path | None
    only: tuple[str, ...]
    watch: bool
    hint: str | None
    level: int | None
    sandbox: str
    help: bool


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        option = re.search(r"--[a-z]+", message)
        raise UsageError(Say("{option} needs a value", option=option.group() if option else message))


def parse(arguments: list[str]) -> Options:
    """Raises UsageError."""
    parser = _Parser(add_help=False, allow_abbrev=False)
    for flag in ("--watch", "--help"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("-h", dest="help", action="store_true")
    parser.add_argument("--json", nargs="?", const="-")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--sandbox", default="auto")
    for name in ("--file", "--junit", "--hint", "--level"):
        parser.add_argument(name)
    given, rest = parser.parse_known_args(arguments)
    if rest:
        known = ["--lang", *(name for name in parser._option_string_actions if name.startswith("--"))]
        raise unknown(Say("There is no option {name}.", name=rest[0]), known, rest[0])
    if given.sandbox not in SANDBOXES:
        raise unknown(Say("There is no sandbox {name}.", name=given.sandbox), SANDBOXES, given.sandbox)
    if given.level not in (None, "1", "2", "3"):
        raise UsageError(Say("--level is 1, 2 or 3, not {level}", level=given.level))
    if given.level and not given.hint:
        raise UsageError(Say("--level goes with --hint CHECK"))
    if given.watch and given.json == "-":
        raise UsageError(Say("--watch grades many times and --json - prints one object: give --json a path"))
    return Options(
        file=Path(given.file) if given.file is not None else None,
        json=given.json,
        junit=Path(given.junit) if given.junit is not None else None,
        only=tuple(name for names in given.only for name in names.split(",") if name),
        watch=given.watch,
        hint=given.hint,
        level=int(given.level) if given.level else None,
        sandbox=given.sandbox,
        help=given.help,
    )
