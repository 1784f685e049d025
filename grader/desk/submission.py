"""A submission as its owner sees it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, cast

from grader.desk.tables import SubmissionRow
from grader.words import Say

State = Literal["queued", "running", "done", "abandoned"]
QUEUED, RUNNING, DONE, ABANDONED = "queued", "running", "done", "abandoned"


@dataclass(frozen=True)
class Submission:
    """One file handed in.

    ``passed`` of ``total`` acceptance checks, ``stars`` of ``stars_total`` stretch checks: so far while it runs; the
    totals are 0 until a judge has looked. ``verdict`` is the report's. Times are UTC, ``started`` that of the last of
    ``attempts``. ``ahead``: how many are graded before it (0: it is next, or no longer queued). ``stored``: answered
    from the report of the same file. ``reason``: why it was abandoned.
    """

    id: str
    exercise: str
    name: str
    sha256: str
    size: int
    only: tuple[str, ...]
    state: State
    attempts: int
    verdict: str | None
    passed: int
    total: int
    stars: int
    stars_total: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    seconds: float | None
    ahead: int
    stored: bool
    reason: Say | None


def seen(row: SubmissionRow, ahead: int = 0) -> Submission:
    """What the row says."""
    created = _time(row.created)
    assert created is not None
    return Submission(
        id=row.id,
        exercise=row.exercise,
        name=row.name,
        sha256=row.sha256,
        size=row.size,
        only=tuple(json.loads(row.only)),
        state=cast(State, row.state),
        attempts=row.attempts,
        verdict=row.verdict,
        passed=row.passed,
        total=row.total,
        stars=row.stars,
        stars_total=row.stars_total,
        created=created,
        started=_time(row.started),
        ended=_time(row.ended),
        seconds=row.seconds,
        ahead=ahead,
        stored=row.stored,
        reason=None if row.reason is None else Say.from_json(json.loads(row.reason)),
    )


def _time(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
