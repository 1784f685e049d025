"""The judges' side of the desk: take the next submission, tell how it goes, end it; and what becomes of one whose judge
was lost.

A claim is a lease. Its judge renews it while it grades; where it lapses, or its judge is seen to have died, the
submission waits again. Three attempts, whatever went wrong with them: then it is abandoned, with the reason. Whoever
ends a submission must hold its claim, and ending it takes the claim away in the same transaction: it ends once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, delete, exists, or_, select
from sqlalchemy.orm import Session

from grader.desk import line, reports
from grader.desk.store import Store, count
from grader.desk.submission import ABANDONED, QUEUED, RUNNING
from grader.desk.tables import ResultRow, SourceRow, SubmissionRow, TurnRow
from grader.report import CheckResult, Report
from grader.words import N_, Say

LEASE_S = 15.0
ATTEMPTS = 3
LOST = N_("its judge was lost {n} times while it graded this: tell whoever runs the server, then hand it in again")


@dataclass(frozen=True)
class Claim:
    """What a judge holds: a submission of its own for now. ``token`` is proof of it."""

    submission: str
    token: str
    exercise: str
    source: bytes
    only: tuple[str, ...]


class Claims:
    """Any thread of any judge may use its own. Refused where the database does not do its part."""

    def __init__(self, store: Store, lease_s: float = LEASE_S) -> None:
        self.store, self.lease_s = store, lease_s

    def waiting(self) -> bool:
        """Is there anything for ``claim`` to do? Only reads."""
        with self.store.read() as session:
            lapsed = SubmissionRow.lease < self.store.now(session)
            todo = or_(SubmissionRow.state == QUEUED, (SubmissionRow.state == RUNNING) & lapsed)
            return session.scalars(select(exists().where(todo))).one()

    def claim(self, judge: str, suites: Callable[[str], str | None]) -> Claim | None:
        """The next submission that must be graded; those that a stored report answers are ended on the way.

        ``suites`` gives an exercise's fingerprint, None for one that is no longer there.
        """
        with self.store.write() as session:
            number, now = count(session), self.store.now(session)
            _release_all(session, now, SubmissionRow.lease < now)
            while (row := line.first(session)) is not None:
                suite = suites(row.exercise)
                stored = reports.find(session, row, suite) if suite else None
                if suite and stored is None:
                    break
                if stored is not None:
                    reports.end(row, stored, now, stored=True)
                else:
                    _abandon(row, now, Say("There is no exercise {name}.", name=row.exercise))
                session.flush()
            if row is None:
                return None
            self.store.put(session, TurnRow, person=row.person, last=number)
            session.execute(delete(ResultRow).where(ResultRow.submission == row.id))
            row.state, row.attempts, row.started = RUNNING, row.attempts + 1, now
            row.claim, row.judge, row.lease = secrets.token_urlsafe(16), judge, now + self.lease_s
            row.passed = row.total = row.stars = row.stars_total = 0
            source = session.get_one(SourceRow, row.sha256).data
            return Claim(row.id, row.claim, row.exercise, source, tuple(json.loads(row.only)))

    def beat(self, claim: Claim, results: Sequence[CheckResult], kept: int, totals: tuple[int, int]) -> bool:
        """Renew the lease and keep what is judged: ``results`` are all so far, the first ``kept`` are there already.

        ``totals``: how many acceptance and stretch checks there will be. False where the claim is gone: it was
        cancelled, deleted or given to another, and need not be graded further.
        """
        with self.store.write() as session:
            row = _held(session, claim)
            if row is None:
                return False
            row.lease = self.store.now(session) + self.lease_s
            (row.passed, _), (row.stars, _) = (reports.tally(results, group) for group in ("acceptance", "stretch"))
            row.total, row.stars_total = totals
            for number, result in enumerate(results[kept:], kept):
                data = reports.pack_result(result)
                self.store.put(session, ResultRow, submission=row.id, number=number, data=data)
            return True

    def finish(self, claim: Claim, report: Report, suite: str) -> bool:
        """End it with its report. False where the claim is gone: the report is then nobody's."""
        with self.store.write() as session:
            row = _held(session, claim)
            if row is None:
                return False
            kept = reports.keep(session, row, report, suite)
            reports.end(row, kept, self.store.now(session), stored=False)
            session.execute(delete(ResultRow).where(ResultRow.submission == row.id))
            return True

    def fail(self, claim: Claim, reason: Say, again: bool = True) -> bool:
        """The grader had trouble: another attempt, if one is left. ``again`` off: it cannot be graded at all."""
        with self.store.write() as session:
            row = _held(session, claim)
            if row is None:
                return False
            _release(row, self.store.now(session), reason, ATTEMPTS if again else 0)
            return True

    def give_back(self, claim: Claim) -> bool:
        """Its judge is asked to stop: this was no attempt."""
        with self.store.write() as session:
            row = _held(session, claim)
            if row is None:
                return False
            row.attempts -= 1
            _queue(row)
            return True

    def lapse(self, dead: Callable[[str], bool]) -> int:
        """Let those wait again whose lease is over or whose judge is ``dead``; how many."""
        with self.store.read() as session:
            running = select(SubmissionRow.judge, SubmissionRow.lease).where(SubmissionRow.state == RUNNING)
            rows, now = session.execute(running).all(), self.store.now(session)
        gone = {judge for judge, _ in rows if judge is not None and dead(judge)}
        if not gone and all(lease is None or lease >= now for _, lease in rows):
            return 0
        with self.store.write() as session:
            now = self.store.now(session)
            return _release_all(session, now, or_(SubmissionRow.lease < now, SubmissionRow.judge.in_(gone)))


def _held(session: Session, claim: Claim) -> SubmissionRow | None:
    own = (SubmissionRow.id == claim.submission, SubmissionRow.claim == claim.token)
    return session.scalars(select(SubmissionRow).where(*own).with_for_update()).one_or_none()


def _release_all(session: Session, now: float, which: ColumnElement[bool]) -> int:
    rows = session.scalars(select(SubmissionRow).where(SubmissionRow.state == RUNNING, which).with_for_update()).all()
    for row in rows:
        _release(row, now, Say(LOST, n=row.attempts), ATTEMPTS)
    session.flush()
    return len(rows)


def _release(row: SubmissionRow, now: float, reason: Say, attempts: int) -> None:
    if row.attempts >= attempts:
        _abandon(row, now, reason)
    else:
        _queue(row)


def _queue(row: SubmissionRow) -> None:
    row.state = QUEUED
    row.claim = row.judge = row.lease = None


def _abandon(row: SubmissionRow, now: float, reason: Say) -> None:
    row.state, row.ended, row.reason = ABANDONED, now, json.dumps(reason.to_json())
    row.claim = row.judge = row.lease = None
