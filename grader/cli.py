"""The command line behind `check.sh`: which command, in which language, with which exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.usage import EXIT_USAGE, UsageError, unknown
from grader.exercise import Exercise, discover
from grader.words import LANGUAGES, N_, Say, Translator, pick_language, translator

if TYPE_CHECKING:
    from grader.commands.options import Options

STOPPED = 130  # what shells give for Ctrl-C
HELP = N_("""\
./check.sh {exercise} [option …]
  --file PATH       grade this file instead of mine/{file}
  --only CHECK      only this check or mission; may be repeated
  --watch           grade again on every save, until Ctrl-C
  --hint CHECK      the next hint for a check, or for each of a mission; --level 1, 2 or 3 says which
  --json [PATH|-]   the report as JSON, to a file or to standard output
  --junit PATH      the report as JUnit XML
  --sandbox NAME    one of {sandboxes}
  --lang en|zh      the language of all messages
Exit code: 0 passed, 1 failed, 2 usage or set-up, 3 the grader's own trouble""")
DOOR = ("test", "bench", "app", "setup", "words")  # commands that check.sh itself knows
COMMANDS = N_("""\
./check.sh test             the tests; --fast for the quick ones, --all for everything
./check.sh bench [NAME]     measure
./check.sh reset EXERCISE   lay the skeleton anew; your file is kept beside it
./check.sh doctor           what this machine has and lacks
./check.sh setup [GROUP …]  install ahead of need: base, test, torch, docker
./check.sh words            bring the translations up to date
./check.sh lessons [NAME]   check the lessons: links, numbers, code, both languages
./check.sh app              the playground""")


def main(arguments: list[str], env: Mapping[str, str] = os.environ) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that has no "✓" still gets the verdict
    rest, lang = _language(arguments)
    tr = translator(pick_language(lang if lang in LANGUAGES else None, env))
    try:
        if lang not in (None, *LANGUAGES):
            raise unknown(Say("There is no language {name}.", name=lang or "-"), LANGUAGES, lang or "")
        return _dispatch(rest, tr)
    except UsageError as error:
        return _refused(arguments, error, tr)
    except KeyboardInterrupt:
        print(tr.text(N_("stopped")), file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # `| head` has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_USAGE


def _dispatch(arguments: list[str], tr: Translator) -> int:
    exercises = discover()
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        return _overview(exercises, tr)
    name, rest = arguments[0], arguments[1:]
    if name in exercises:
        return _exercise(exercises[name], rest, tr)
    commands: dict[str, Callable[[list[str]], int]] = {
        "reset": lambda rest: _reset(exercises, rest, tr),
        "doctor": lambda rest: _doctor(tr),
        "lessons": lambda rest: _lessons(exercises, rest, tr),
    }
    if name not in commands:
        raise unknown(Say("There is no command {name}.", name=name), [*exercises, *commands, *DOOR], name)
    return commands[name](rest)


def _exercise(exercise: Exercise, rest: list[str], tr: Translator) -> int:
    from grader.commands.options import SANDBOXES, parse

    options = parse(rest)
    if options.help:
        sandboxes = ", ".join(SANDBOXES)
        return _print(Say(HELP, exercise=exercise.id, file=exercise.file, sandboxes=sandboxes), tr=tr)
    if options.hint is not None:
        return _hint(exercise, options, tr)
    from grader.commands.grade import run

    return run(exercise, options, tr.lang)


def _hint(exercise: Exercise, options: Options, tr: Translator) -> int:
    from grader.commands.hint import Asked
    from grader.commands.show import check_targets, encoded

    check_targets(options)
    asked = Asked(exercise, options.hint or "", options.level)
    if options.json == "-":
        sys.stdout.buffer.write(encoded(asked.as_json(tr)))
        return 0
    if options.json is not None:
        Path(options.json).write_bytes(encoded(asked.as_json(tr)))
    return _print(*asked.lines(), tr=tr)


def _overview(exercises: Mapping[str, Exercise], tr: Translator) -> int:
    width = max(map(len, exercises), default=0)
    for exercise in exercises.values():
        print(f"./check.sh {exercise.id:<{width}}  {tr.text(exercise.title)}  (mine/{exercise.file})")
    print()
    return _print(COMMANDS, tr=tr)


def _reset(exercises: Mapping[str, Exercise], rest: list[str], tr: Translator) -> int:
    from grader.commands.source import reset
    from grader.opened import forget

    if len(rest) != 1:
        raise UsageError(Say("Say which: ./check.sh reset {names}", names=" | ".join(exercises)))
    if rest[0] not in exercises:
        raise unknown(Say("There is no exercise {name}.", name=rest[0]), exercises, rest[0])
    said = reset(exercises[rest[0]])
    forget(rest[0])  # whoever begins anew is offered the hints anew
    return _print(said, tr=tr)


def _lessons(exercises: Mapping[str, Exercise], rest: list[str], tr: Translator) -> int:
    from grader.commands.lessons import findings

    lines, code = findings(exercises, rest)
    _print(*lines, tr=tr)
    return code


def _doctor(tr: Translator) -> int:
    from grader.commands.doctor import findings

    lines, code = findings()
    _print(*lines, tr=tr)
    return code


def _refused(arguments: list[str], error: UsageError, tr: Translator) -> int:
    """The sentence on standard error; a program that asked for one JSON object gets it there too."""
    if wants_object(arguments):
        from grader.commands.show import encoded
        from grader.report import Report

        report = Report(arguments[0], "error", "none", "cpu", 0.0, error.say)
        sys.stdout.buffer.write(encoded(report.to_json(tr.lang)))
        sys.stdout.flush()
    print(tr.text(error.say), file=sys.stderr)
    return EXIT_USAGE


def wants_object(arguments: list[str]) -> bool:
    """Was `--json -` asked for, in a command line that may make no sense otherwise?"""
    if "--json=-" in arguments:
        return True
    after = [arguments[i + 1 : i + 2] for i, word in enumerate(arguments) if word == "--json"]
    return any(following in ([], ["-"]) or following[0].startswith("--") for following in after)


def _language(arguments: list[str]) -> tuple[list[str], str | None]:
    """The arguments without `--lang` and what it said: known first, so that complaints are in that language."""
    rest: list[str] = []
    lang = None
    words = iter(arguments)
    for word in words:
        if word == "--lang":
            lang = next(words, "")
        elif word.startswith("--lang="):
            lang = word.removeprefix("--lang=")
        else:
            rest.append(word)
    return rest, lang


def _print(*messages: str | Say, tr: Translator) -> int:
    for message in messages:
        print(tr.text(message))
    return 0
