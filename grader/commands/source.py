"""The learner's file: found, read, and laid anew."""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path

from grader.commands.usage import UsageError
from grader.exercise import Exercise
from grader.words import Say

ROOT = Path(__file__).resolve().parents[2]
READ_AT_MOST = 1 << 20  # four times the limit for a source: enough for the judge to see that it is too large


def path_of(exercise: Exercise, given: Path | None) -> Path:
    """`given`, else the exercise's file in `mine/`. Raises UsageError if there is nothing."""
    path = given if given is not None else ROOT / "mine" / exercise.file
    if os.path.lexists(path):
        return path
    if given is not None:
        raise UsageError(Say("{path} is not there", path=str(given)))
    lay = f"./check.sh reset {exercise.id}"
    raise UsageError(Say("{path} is not there; {command} lays it", path=f"mine/{exercise.file}", command=lay))


def read(path: Path) -> bytes:
    """The content, no more than READ_AT_MOST bytes. Raises UsageError where there is no file that can be read."""
    name = path.name
    try:
        if path.is_dir():
            raise UsageError(Say("{name} is a folder: name one Python file", name=name))
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device could keep us waiting for ever
            raise UsageError(Say("{name} is not a regular file: name one Python file", name=name))
        with path.open("rb") as file:
            return file.read(READ_AT_MOST)
    except PermissionError:
        raise UsageError(Say("{name} cannot be read: its permissions do not allow it", name=name)) from None
    except OSError as error:
        problem = error.strerror or "?"
        raise UsageError(Say("{name} cannot be read: {problem}", name=name, problem=problem)) from None


def reset(exercise: Exercise) -> Say:
    """Lay the skeleton anew, the old file kept beside it under a name not yet taken; says what was done."""
    path = ROOT / "mine" / exercise.file
    path.parent.mkdir(exist_ok=True)
    skeleton = exercise.skeleton.read_bytes()
    shown = f"mine/{path.name}"
    if os.path.lexists(path):
        if path.is_file() and path.read_bytes() == skeleton:
            return Say("{path} is the untouched skeleton already", path=shown)
        kept = _keep(path)
        path.write_bytes(skeleton)
        return Say("{path} is the skeleton again; your old file is mine/{kept}", path=shown, kept=kept.name)
    path.write_bytes(skeleton)
    return Say("{path} is laid", path=shown)


def _keep(path: Path) -> Path:
    """Move `path` to the first free `NAME.old-N`."""
    for number in itertools.count(1):
        kept = path.with_name(f"{path.name}.old-{number}")
        if not os.path.lexists(kept):
            path.rename(kept)
            return kept
    raise AssertionError
