"""A fingerprint of all that decides a verdict: where it is the same, a stored report still holds."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.exercise import Exercise

GRADER = Path(__file__).resolve().parents[1]
ROOT = GRADER.parent
NOT_A_VERDICT = ("desk", "render", "commands", "exercises")
"""Rooms of the grader that only keep or show what was found; an exercise's own folder is added by itself."""


@cache
def fingerprint(exercise: Exercise) -> str:
    """The exercise's checks, the grader's code, the answers that mistakes are named by, Python and the pinned packages.

    Read once a process: what is loaded here is what grades.
    """
    found = hashlib.sha256(repr(sys.version_info[:3]).encode())
    for name, path in sorted(_files(exercise)):
        found.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _files(exercise: Exercise) -> Iterator[tuple[str, Path]]:
    for path in GRADER.rglob("*.py"):
        if path.relative_to(GRADER).parts[0] not in NOT_A_VERDICT:
            yield str(path.relative_to(ROOT)), path
    for path in exercise.folder.rglob("*"):
        inside = path.relative_to(exercise.folder)
        if path.suffix in (".py", ".toml") and "lesson" not in inside.parts:
            yield f"exercise/{inside}", path
    for path in (*(ROOT / "solutions").glob("*.py"), *ROOT.glob("constraints.txt")):
        yield str(path.relative_to(ROOT)), path
