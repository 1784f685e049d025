"""Reports as they are stored: packed, unsaid, and found again by what was graded."""

from __future__ import annotations

import json
import secrets
import zlib
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.desk.refused import Refused
from grader.desk.submission import DONE
from grader.desk.tables import ReportRow, SubmissionRow
from grader.report import CheckResult, Report
from grader.words import N_, Say


def pack(report: Report) -> bytes:
    return zlib.compress(json.dumps(report.dump(), separators=(",", ":")).encode(), 1)


def unpack(data: bytes) -> Report:
    """Refused for a report that another version wrote in another form."""
    try:
        return Report.load(json.loads(zlib.decompress(data)))
    except (ValueError, TypeError, KeyError) as error:
        text = N_("this report was written by another version of the grader: hand the file in again")
        raise Refused(Say(text)) from error


def pack_result(row: CheckResult) -> str:
    return json.dumps(Report("", "", "", "", 0.0, checks=[row]).dump()["checks"][0], separators=(",", ":"))


def unpack_result(data: str) -> CheckResult:
    return Report.load({**Report("", "", "", "", 0.0).dump(), "checks": [json.loads(data)]}).checks[0]


def find(session: Session, row: SubmissionRow, suite: str) -> ReportRow | None:
    """The report of the same file, exercise, part and suite, if there is one that may be given again."""
    same = (ReportRow.sha256 == row.sha256, ReportRow.exercise == row.exercise, ReportRow.only == row.only)
    return session.scalars(select(ReportRow).where(*same, ReportRow.suite == suite)).one_or_none()


def keep(session: Session, row: SubmissionRow, report: Report, suite: str) -> ReportRow:
    """Store the report of this submission. One without a verdict, or that met a limit, answers for nothing but it."""
    decided = report.verdict != "error" and not report.met_limit
    known = find(session, row, suite) if decided else None
    if known is not None:  # two judges had the same file at once: the first one's stands
        return known
    kept = ReportRow(
        id=secrets.token_urlsafe(16),
        sha256=row.sha256,
        exercise=row.exercise,
        only=row.only,
        suite=suite if decided else None,
        data=pack(report),
    )
    session.add(kept)
    session.flush()
    return kept


def end(row: SubmissionRow, kept: ReportRow, now: float, stored: bool) -> None:
    """The submission is done, by this report."""
    report = unpack(kept.data)
    row.state, row.report, row.verdict, row.seconds = DONE, kept.id, report.verdict, report.seconds
    row.ended, row.stored = now, stored
    row.claim = row.judge = row.lease = None
    row.passed, row.total = tally(report.checks, "acceptance")
    row.stars, row.stars_total = tally(report.checks, "stretch")


def tally(rows: Sequence[CheckResult], group: str) -> tuple[int, int]:
    """How many of the group passed, and how many there are."""
    outcomes = [row.outcome for row in rows if row.group == group]
    return outcomes.count("passed"), len(outcomes)
