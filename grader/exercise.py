"""Exercises are found, never listed: a folder under `grader/exercises` with an `exercise.toml` is one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

EXERCISES = Path(__file__).resolve().parent / "exercises"


@dataclass(frozen=True)
class Exercise:
    """What `exercise.toml` declares.

    `title` is a message id, `torch` says if the sandbox needs torch, `missions` are the groups that `--only`
    takes beside check ids; `folder` holds the checks, the skeleton and the hints.
    """

    id: str
    order: int
    title: str
    file: str
    class_name: str
    exception: str
    torch: bool
    memory_mib: int
    missions: tuple[str, ...]
    folder: Path

    @property
    def skeleton(self) -> Path:
        """What `reset` lays into `mine/`."""
        return self.folder / "skeleton.py"


def discover(root: Path = EXERCISES) -> dict[str, Exercise]:
    """Every exercise under `root` by id, in their declared order. Raises KeyError if a declaration lacks."""
    found = [_read(path) for path in root.glob("*/exercise.toml")]
    return {exercise.id: exercise for exercise in sorted(found, key=lambda e: (e.order, e.id))}


def _read(path: Path) -> Exercise:
    declared = tomllib.loads(path.read_text("utf-8"))
    return Exercise(
        id=path.parent.name,
        order=declared["order"],
        title=declared["title"],
        file=declared["file"],
        class_name=declared["class"],
        exception=declared["exception"],
        torch=declared["torch"],
        memory_mib=declared["memory_mib"],
        missions=tuple(declared["missions"]),
        folder=path.parent,
    )
