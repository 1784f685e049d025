"""The desk of this server: opened once, with the judges that grade what is handed in.

Trouble with it (a data folder that is read-only, full or broken) is a sentence and never an exception: whoever reads
finds nothing, notes are kept in memory, and ``desk_problem`` says why. Every screen goes on.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from grader.desk.desk import Desk, Refused
from grader.desk.submission import Submission
from grader.report import CheckResult, Report
from grader.words import Say

ROOT = Path(__file__).resolve().parent.parent
#: A folder, or the URL of a database; the folder ``data`` of the checkout where it is not set.
VARIABLE = "KVH_DATA"
#: So many gradings at a time; one less than there are cores where it is not set.
JUDGES = "KVH_JUDGES"
#: A desk that could not be opened is tried again, at most so often: the disk may have room by now.
AGAIN_S = 3.0

Answer = TypeVar("Answer")


class Tolerant(Desk):
    """The desk of ``where``. Only ``submit``, ``cancel`` and ``delete`` raise Refused."""

    def __init__(self, where: str | Path, judges: Callable[[str], Any] | None = None) -> None:
        """``judges`` starts them, once there is a desk; None: nobody grades."""
        self.where = str(where)
        self.problem: Say | None = None
        self._start, self.judges = judges, None
        self._desk: Desk | None = None
        self._tried = 0.0
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}

    def close(self) -> None:
        if self.judges is not None:
            self.judges.close()
        if self._desk is not None:
            self._desk.close()

    def submit(self, person: str, exercise: str, source: bytes, name: str, only: Sequence[str] = ()) -> Submission:
        return self._sure().submit(person, exercise, source, name, only)

    def cancel(self, person: str, id: str) -> bool:
        return self._sure().cancel(person, id)

    def delete(self, person: str, id: str) -> bool:
        return self._sure().delete(person, id)

    def submission(self, person: str, id: str) -> Submission | None:
        return self._try(lambda desk: desk.submission(person, id), None)

    def submissions(self, person: str, exercise: str | None = None, trials: bool = False) -> list[Submission]:
        return self._try(lambda desk: desk.submissions(person, exercise, trials), [])

    def source(self, person: str, id: str) -> bytes | None:
        return self._try(lambda desk: desk.source(person, id), None)

    def results(self, person: str, id: str, after: int = 0) -> list[CheckResult]:
        return self._try(lambda desk: desk.results(person, id, after), [])

    def report(self, person: str, id: str) -> Report | None:
        return self._try(lambda desk: desk.report(person, id), None)

    def note(self, person: str, kind: str, key: str, value: Any) -> None:
        def keep(desk: Desk) -> bool:
            desk.note(person, kind, key, value)
            return True

        self._kept.setdefault((person, kind), {})[key] = value
        if self._try(keep, False):
            self._kept.get((person, kind), {}).pop(key, None)

    def notes(self, person: str, kind: str) -> dict[str, Any]:
        return {**self._try(lambda desk: desk.notes(person, kind), {}), **self._kept.get((person, kind), {})}

    def forget(self, person: str, kind: str, key: str) -> None:
        self._kept.get((person, kind), {}).pop(key, None)
        self._try(lambda desk: desk.forget(person, kind, key), None)

    def healthy(self) -> Say | None:
        """Why it cannot be used now, or None."""
        self._try(lambda desk: desk.submission("", ""), None)
        return self.problem

    def _try(self, act: Callable[[Desk], Answer], otherwise: Answer) -> Answer:
        try:
            answer = act(self._sure())
        except Refused as refused:
            self.problem = refused.say
            return otherwise
        self.problem = None
        return answer

    def _sure(self) -> Desk:
        """The desk, opened where it is not yet. Refused where it cannot be."""
        with self._lock:
            if self._desk is None:
                if self.problem is not None and time.monotonic() - self._tried < AGAIN_S:
                    raise Refused(self.problem)
                self._tried = time.monotonic()
                self._desk = Desk(self.where)
                if self._start is not None:
                    self.judges = self._start(self.where)
            return self._desk


_lock = threading.Lock()
_desk: Tolerant | None = None


def desk() -> Tolerant:
    """The desk of this server, which starts its judges the first time."""
    global _desk
    with _lock:
        if _desk is None:
            _desk = Tolerant(os.environ.get(VARIABLE) or ROOT / "data", _judges)
            atexit.register(_desk.close)
        return _desk


def _judges(where: str) -> Any:
    from grader.desk.judges import Judges

    return Judges(where, count=int(os.environ.get(JUDGES) or 0) or None)


def use(other: Tolerant | None) -> None:
    """Take another one from now on, as tests do; None: open it anew when it is next asked for."""
    global _desk
    with _lock:
        _desk = other


def desk_problem() -> Say | None:
    """Why nothing can be handed in or looked up now, or None."""
    return desk().healthy()


def judges_problem() -> Say | None:
    """Why nothing is graded here though it can be handed in: there is no sandbox; or None."""
    judges = desk().judges
    problem: Say | None = None if judges is None else judges.problem
    return problem
