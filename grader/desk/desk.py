"""The desk as a learner meets it: hand in, look, cancel, delete; and their own notes. Nobody sees another's."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, func, select
from sqlalchemy.orm import Session

from grader.desk import bell, line, reports
from grader.desk.refused import Refused
from grader.desk.store import Store, count
from grader.desk.submission import ABANDONED, DONE, QUEUED, RUNNING, Submission, seen
from grader.desk.suite import fingerprint
from grader.desk.tables import NoteRow, ReportRow, ResultRow, SourceRow, SubmissionRow
from grader.exercise import Exercise, discover
from grader.judge import decoded
from grader.plain import plain
from grader.report import CheckResult, Report
from grader.sandbox.limits import Limits
from grader.words import N_, Say

__all__ = ["Desk", "Refused", "Submission"]

WAITING = 20
"""How many submissions of one person may wait at a time."""
NOTE_KIB = 300
"""A note may hold a whole draft."""
CANCELLED = N_("you cancelled it")
_CHECK = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")


class Desk:
    """The desk of one data folder or database. Any thread may use it; it does not grade by itself.

    ``person`` is an opaque key that only they know; it is kept as its sha256. Whatever is asked for that is somebody
    else's is answered as if it were not there. Refused, with a sentence, where something cannot be done.
    """

    def __init__(self, database: str | Path, waiting: int = WAITING, store: Store | None = None) -> None:
        """``database``: a folder (made where it is missing), or a PostgreSQL URL. Brings its schema up to date."""
        self.store = store or Store(database)
        self.waiting = waiting
        self.exercises = discover()

    def close(self) -> None:
        self.store.close()

    # -- handing in ------------------------------------------------------------------------------------------------

    def submit(self, person: str, exercise: str, source: bytes, name: str, only: Sequence[str] = ()) -> Submission:
        """Put a file in the line, or answer it from the stored report of the same file.

        ``name`` is what its owner calls it; ``only`` as ``--only``: missions or checks. Refused, and nothing kept, for
        an unknown exercise, for what is no text, and for one too many waiting.
        """
        declared = self._declared(exercise)
        name = plain(name, 100, one_line=True).strip() or declared.file
        _, wrong = decoded(source, name, Limits())
        if wrong is not None:
            raise Refused(wrong)
        row = SubmissionRow(
            id=secrets.token_urlsafe(16),
            person=_hidden(person),
            exercise=exercise,
            name=name,
            sha256=hashlib.sha256(source).hexdigest(),
            size=len(source),
            only=_part(only),
            state=QUEUED,
            attempts=0,
        )
        suite = fingerprint(declared)
        with self.store.write() as session:
            row.number = count(session)
            row.created = self.store.now(session)
            if not _any(session, SourceRow.sha256 == row.sha256):
                session.add(SourceRow(sha256=row.sha256, data=source))
                session.flush()
            stored = reports.find(session, row, suite)
            if stored is not None:
                reports.end(row, stored, row.created, stored=True)
            else:
                self._make_sure_of_room(session, row.person)
            session.add(row)
            session.flush()
            made = seen(row, _place(session, row))
        bell.ring(self.store.where)
        return made

    def _declared(self, exercise: str) -> Exercise:
        if exercise not in self.exercises:
            raise Refused(Say("There is no exercise {name}.", name=plain(exercise, 40, one_line=True)))
        return self.exercises[exercise]

    def _make_sure_of_room(self, session: Session, person: str) -> None:
        theirs = select(func.count()).where(SubmissionRow.person == person, SubmissionRow.state == QUEUED)
        waiting = session.scalars(theirs).one()
        if waiting >= self.waiting:
            text = N_("{n} of your submissions are waiting already: wait until one is graded, or cancel one")
            raise Refused(Say(text, n=waiting))

    # -- looking ---------------------------------------------------------------------------------------------------

    def submission(self, person: str, id: str) -> Submission | None:
        with self.store.read() as session:
            row = _own(session, person, id)
            return None if row is None else seen(row, _place(session, row))

    def submissions(self, person: str, exercise: str | None = None, trials: bool = False) -> list[Submission]:
        """Newest first. ``trials``: with those that asked for a part only."""
        wanted = select(SubmissionRow).where(SubmissionRow.person == _hidden(person))
        if exercise is not None:
            wanted = wanted.where(SubmissionRow.exercise == exercise)
        if not trials:
            wanted = wanted.where(SubmissionRow.only == _part(()))
        with self.store.read() as session:
            rows = session.scalars(wanted.order_by(SubmissionRow.number.desc())).all()
            places = line.ahead(session) if any(row.state == QUEUED for row in rows) else {}
            return [seen(row, places.get(row.number, 0)) for row in rows]

    def source(self, person: str, id: str) -> bytes | None:
        with self.store.read() as session:
            row = _own(session, person, id)
            kept = None if row is None else session.get(SourceRow, row.sha256)
            return None if kept is None else kept.data

    def results(self, person: str, id: str, after: int = 0) -> list[CheckResult]:
        """What is judged, in order, without the first ``after``. A second attempt starts anew."""
        with self.store.read() as session:
            row = _own(session, person, id)
            if row is None:
                return []
            if row.state != DONE:
                wanted = select(ResultRow).where(ResultRow.submission == row.id, ResultRow.number >= after)
                found = session.scalars(wanted.order_by(ResultRow.number)).all()
                return [reports.unpack_result(result.data) for result in found]
            data = session.get_one(ReportRow, row.report).data
        return reports.unpack(data).checks[after:]

    def report(self, person: str, id: str) -> Report | None:
        """The report, once it is done."""
        with self.store.read() as session:
            row = _own(session, person, id)
            if row is None or row.state != DONE:
                return None
            data = session.get_one(ReportRow, row.report).data
        return reports.unpack(data)

    # -- ending ----------------------------------------------------------------------------------------------------

    def cancel(self, person: str, id: str) -> bool:
        """End it without a verdict; its judge, if it has one, stops. False where it had ended."""
        with self.store.write() as session:
            row = _own(session, person, id, to_change=True)
            if row is None or row.state not in (QUEUED, RUNNING):
                return False
            row.state, row.ended = ABANDONED, self.store.now(session)
            row.reason = json.dumps(Say(CANCELLED).to_json())
            row.claim = row.judge = row.lease = None
            return True

    def delete(self, person: str, id: str) -> bool:
        """Remove it in whatever state it is, and with the last that has this file the file and its reports."""
        with self.store.write() as session:
            count(session)  # nobody hands the same file in meanwhile
            row = _own(session, person, id, to_change=True)
            if row is None:
                return False
            session.execute(delete(ResultRow).where(ResultRow.submission == row.id))
            sha256 = row.sha256
            session.delete(row)
            session.flush()
            if not _any(session, SubmissionRow.sha256 == sha256):
                session.execute(delete(ReportRow).where(ReportRow.sha256 == sha256))
                session.execute(delete(SourceRow).where(SourceRow.sha256 == sha256))
            return True

    # -- notes -----------------------------------------------------------------------------------------------------

    def note(self, person: str, kind: str, key: str, value: Any) -> None:
        """Keep a JSON value under a name, in place of what was there."""
        text = json.dumps(value, separators=(",", ":"))
        if len(text) > NOTE_KIB * 1024:
            raise Refused(Say("this is too long to be kept: at most {limit} KiB", limit=NOTE_KIB))
        with self.store.write() as session:
            self.store.put(session, NoteRow, person=_hidden(person), kind=kind, key=key, value=text)

    def notes(self, person: str, kind: str) -> dict[str, Any]:
        wanted = select(NoteRow.key, NoteRow.value).where(NoteRow.person == _hidden(person), NoteRow.kind == kind)
        with self.store.read() as session:
            return {key: json.loads(value) for key, value in session.execute(wanted.order_by(NoteRow.key))}

    def forget(self, person: str, kind: str, key: str) -> None:
        own = (NoteRow.person == _hidden(person), NoteRow.kind == kind, NoteRow.key == key)
        with self.store.write() as session:
            session.execute(delete(NoteRow).where(*own))


def _hidden(person: str) -> str:
    return hashlib.sha256(person.encode("utf-8", "surrogatepass")).hexdigest()


def _part(only: Sequence[str]) -> str:
    odd = next((name for name in only if not _CHECK.fullmatch(name)), None)
    if odd is not None or len(only) > 40:
        raise Refused(Say("There is no check or mission {name}.", name=plain(odd or "…", 40, one_line=True)))
    return json.dumps(list(only))


def _own(session: Session, person: str, id: str, to_change: bool = False) -> SubmissionRow | None:
    if "\0" in id:  # PostgreSQL takes no such text
        return None
    wanted = select(SubmissionRow).where(SubmissionRow.id == id, SubmissionRow.person == _hidden(person))
    return session.scalars(wanted.with_for_update() if to_change else wanted).one_or_none()


def _any(session: Session, condition: ColumnElement[bool]) -> bool:
    return session.scalars(select(exists().where(condition))).one()


def _place(session: Session, row: SubmissionRow) -> int:
    return line.ahead(session).get(row.number, 0) if row.state == QUEUED else 0
