"""The stretch checks of a grading, run on a worker of their own beside the acceptance checks: they decide nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from grader.sandbox.remote import APART_S
from grader.subject import Subject

Item = TypeVar("Item")
Row = TypeVar("Row")


class Stars(Generic[Item, Row]):
    """One thread and one worker for the stars of one submission, in their order.

    The learner's file is loaded there once more, after it loaded once without complaint. What it prints there is not
    kept: it printed the same before.
    """

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._thread = ThreadPoolExecutor(1, "kvhotel-stars")
        self._rows: dict[Item, Future[Row]] = {}
        self._spent, self._since = 0.0, math.inf

    def begin(self, items: Sequence[Item], run: Callable[[Subject, Item], Row]) -> None:
        """Start on ``items``; what ``run`` returns or raises for one is what ``row`` then gives."""
        self._rows = {item: self._thread.submit(self._timed, run, item) for item in items}

    def __contains__(self, item: Item) -> bool:
        return item in self._rows

    def row(self, item: Item) -> Row:
        """Wait for ``item``'s."""
        return self._rows[item].result()

    def spent(self) -> float:
        """Seconds that the stars have run so far, each counted up to ``APART_S``: on a busy machine they may have been
        taken from the others."""
        since = self._since
        return self._spent + min(APART_S, max(0.0, time.monotonic() - since))

    def _timed(self, run: Callable[[Subject, Item], Row], item: Item) -> Row:
        self._since = began = time.monotonic()
        try:
            return run(self.subject, item)
        finally:
            self._since = math.inf
            self._spent += min(APART_S, time.monotonic() - began)

    def close(self) -> None:
        """End the worker, and what is still to run."""
        self.subject.remote.abandon()
        self._thread.shutdown(cancel_futures=True)
        self.subject.remote.close()


