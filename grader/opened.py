"""Which hints were opened in the terminal, by exercise and check: a small file of the learner's own, nobody reads it.

``data/opened-hints.json``: ``{"p06": {"slot-mapping": 2}}``. It may be missing, broken or read-only: then nothing was
opened, or it is not kept.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.hints import LEVELS

NAME = "opened-hints.json"
_LARGEST = 1 << 20


def place(env: Mapping[str, str] = os.environ) -> Path:
    """The file: in the data folder beside check.sh, or in the one that ``KVH_DATA`` names."""
    named = env.get("KVH_DATA", "")
    folder = Path(named) if named and "://" not in named else Path(__file__).resolve().parent.parent / "data"
    return folder / NAME


def opened(exercise: str, file: Path | None = None) -> dict[str, int]:
    """How many levels of each check's hints were opened; checks of which none was are left out."""
    checks = _read(file or place()).get(exercise)
    if not isinstance(checks, dict):
        return {}
    return {name: level for name, level in checks.items() if type(level) is int and level in LEVELS}


def note(exercise: str, checks: Iterable[str], level: int, file: Path | None = None) -> None:
    """Keep that ``level`` was opened; a lower one than before changes nothing."""
    known = opened(exercise, file)
    _write(exercise, {**known, **{name: max(level, known.get(name, 0)) for name in checks}}, file or place())


def forget(exercise: str, file: Path | None = None) -> None:
    """Nothing of this exercise was opened."""
    if opened(exercise, file):
        _write(exercise, {}, file or place())


def _read(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            found = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(exercise: str, checks: Mapping[str, int], file: Path) -> None:
    """The whole file in one step, so that nobody ever reads half of it."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_text(json.dumps({**_read(file), exercise: checks}, indent=1, sort_keys=True) + "\n", "utf-8")
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)
