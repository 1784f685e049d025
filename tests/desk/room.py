"""A desk with judges in this process, for tests."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from grader.desk.desk import Desk
from grader.desk.judges import Judges
from grader.desk.submission import Submission
from grader.desk.suite import fingerprint
from grader.sandbox.family import below
from tests.desk.processes import running

CHEAP = ("free-returns-everything",)
ANN = "ann's key"


class Room:
    """A desk with a judge of this process's own, and what there was of the judge's processes."""

    def __init__(self, folder: Path, sandbox: str = "bubblewrap") -> None:
        self.seen: set[int] = set()
        fingerprint.cache_clear()  # as a server reads it, at its start
        self.desk = Desk(folder)
        self.judges = Judges(folder, sandbox, 1)
        assert self.judges.ready.wait(60)

    def until(self, id: str, *states: str, within_s: float = 90.0) -> Submission:
        end = time.monotonic() + within_s
        while True:
            found = self.desk.submission(ANN, id)
            assert found is not None
            if found.state in states:
                self.look()
                return found
            assert time.monotonic() < end, found
            time.sleep(0.01)

    def grade(self, source: bytes, only: tuple[str, ...] = CHEAP) -> Submission:
        made = self.desk.submit(ANN, "p06", source, "mine.py", only)
        return self.until(made.id, "done", "abandoned")

    def begun(self, source: bytes, only: tuple[str, ...] = CHEAP) -> str:
        made = self.desk.submit(ANN, "p06", source, "mine.py", only)
        self.until(made.id, "running")
        return made.id

    def look(self) -> None:
        """Remember which processes there are of the judges, to ask for them later."""
        for judge in self.judges.pids():
            self.seen |= {judge} | below(judge)

    def close(self) -> set[int]:
        """The processes that are left of the judges, after a while."""
        self.look()
        self.judges.close()
        self.desk.close()
        soon(lambda: not running(self.seen), 15)
        return running(self.seen)


def soon(what: Callable[[], bool], within_s: float = 30.0) -> bool:
    end = time.monotonic() + within_s
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
