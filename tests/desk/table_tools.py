"""Small things that the desk's tests share."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select, update

from grader.desk.claims import Claim, Claims
from grader.desk.store import Store
from grader.desk.suite import fingerprint
from grader.desk.tables import Base, CountRow
from grader.exercise import discover
from grader.report import CheckResult, Report

EXERCISES = discover()


def suites(exercise: str) -> str | None:
    return fingerprint(EXERCISES[exercise]) if exercise in EXERCISES else None


def take(claims: Claims, judge: str = "judge") -> Claim | None:
    return claims.claim(judge, suites)


def report(verdict: str = "passed", passed: int = 2, failed: int = 0, seconds: float = 0.5) -> Report:
    rows = [CheckResult(f"c{n}", "acceptance", f"check {n}", "passed") for n in range(passed)]
    rows += [CheckResult(f"f{n}", "acceptance", f"failing {n}", "failed") for n in range(failed)]
    rows += [CheckResult("star", "stretch", "a star", "passed")]
    return Report("p06", verdict, "bubblewrap", "cpu", seconds, checks=rows)


def finish(claims: Claims, claim: Claim, verdict: str = "passed") -> bool:
    return claims.finish(claim, report(verdict), suites(claim.exercise) or "")


def empty(store: Store) -> None:
    """As if nobody had ever used it."""
    with store.write() as session:
        for table in reversed(Base.metadata.sorted_tables):
            if table.name != CountRow.__tablename__:
                session.execute(delete(table))
        session.execute(update(CountRow).values(value=0))


def sizes(store: Store, tables: Sequence[type[Base]]) -> list[int]:
    with store.read() as session:
        return [session.scalars(select(func.count()).select_from(table)).one() for table in tables]
