"""Who is next: the oldest first, round robin between people.

A person stands in line since their oldest waiting submission came or since they were last served, whichever is later.
Who has stood there longest is next, with the oldest of theirs. So one with a hundred waiting and one with a single one
take turns, and however many newcomers there are, nobody is passed over for ever.
"""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from grader.desk.submission import QUEUED
from grader.desk.tables import SubmissionRow, TurnRow


def order(waiting: Iterable[tuple[str, int]], turns: Mapping[str, int]) -> list[int]:
    """The numbers of ``waiting``, (person, number) each, in the order in which they will be graded."""
    theirs: dict[str, deque[int]] = defaultdict(deque)
    for person, number in sorted(waiting, key=lambda row: row[1]):
        theirs[person].append(number)
    served = 1 + max([*turns.values(), *(numbers[-1] for numbers in theirs.values())], default=0)
    line = [(max(numbers[0], turns.get(person, 0)), person) for person, numbers in theirs.items()]
    heapq.heapify(line)
    found = []
    while line:
        _, person = heapq.heappop(line)
        found.append(theirs[person].popleft())
        if theirs[person]:
            heapq.heappush(line, (served, person))
            served += 1
    return found


def ahead(session: Session) -> dict[int, int]:
    """For each waiting submission's number, how many are graded before it."""
    waiting = session.execute(select(SubmissionRow.person, SubmissionRow.number).where(SubmissionRow.state == QUEUED))
    rows = [(person, number) for person, number in waiting]
    turns = session.execute(select(TurnRow.person, TurnRow.last).where(TurnRow.person.in_({row[0] for row in rows})))
    return {number: place for place, number in enumerate(order(rows, {person: last for person, last in turns}))}


def first(session: Session) -> SubmissionRow | None:
    """The submission that is next, or None. Call it with the count in hand: only then nobody else takes it."""
    oldest = func.min(SubmissionRow.number).label("oldest")
    theirs = select(SubmissionRow.person, oldest).where(SubmissionRow.state == QUEUED).group_by(SubmissionRow.person)
    each = theirs.subquery()
    since = case((TurnRow.last > each.c.oldest, TurnRow.last), else_=each.c.oldest)
    longest = select(each.c.oldest).outerjoin(TurnRow, TurnRow.person == each.c.person).order_by(since).limit(1)
    number = session.scalars(longest).one_or_none()
    if number is None:
        return None
    wanted = select(SubmissionRow).where(SubmissionRow.number == number, SubmissionRow.state == QUEUED)
    return session.scalars(wanted.with_for_update()).one_or_none()
