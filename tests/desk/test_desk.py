"""What a learner may do at the desk, and what nobody else may see."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from grader.desk.claims import Claims
from grader.desk.desk import WAITING, Desk, Refused
from grader.desk.store import Store
from grader.desk.tables import ReportRow, ResultRow, SourceRow, SubmissionRow
from tests.desk.conftest import Clock
from tests.desk.table_tools import finish, report, sizes, suites, take

ANN, BOB = "ann's key", "bob's key"
SOURCE = b"class BlockManager:\n    pass\n"


def test_a_submission_waits_with_what_was_said_of_it(desk: Desk, clock: Clock) -> None:
    made = desk.submit(ANN, "p06", SOURCE, "  C:\\my\u202e file\n.py ")
    assert (made.state, made.attempts, made.verdict, made.stored, made.reason) == ("queued", 0, None, False, None)
    assert (made.exercise, made.size, made.only, made.ahead) == ("p06", len(SOURCE), (), 0)
    assert made.name == "C:\\my file⏎.py"
    assert made.created == datetime.fromtimestamp(clock.now, UTC) and made.started is None
    assert desk.submission(ANN, made.id) == made
    assert desk.source(ANN, made.id) == SOURCE
    assert len(made.id) >= 20


@pytest.mark.parametrize(
    ("exercise", "source", "only", "sentence"),
    [
        ("p07", SOURCE, (), "There is no exercise {name}."),
        ("p06", b"", (), "{name} is empty: write the class into it first"),
        ("p06", b" \n", (), "{name} is empty: write the class into it first"),
        ("p06", b"\x89PNG\r\n\x1a\n", (), "{name} is not UTF-8 text (byte {position}): save it as UTF-8"),
        ("p06", b"x\0", (), "{name} contains a null byte: is it a Python file?"),
        ("p06", b"#" * 300 * 1024, (), "{name} is larger than {limit} KiB: hand in the class alone"),
        ("p06", SOURCE, ("../etc",), "There is no check or mission {name}."),
        ("p06", SOURCE, ("a",) * 41, "There is no check or mission {name}."),
    ],
)
def test_what_cannot_be_graded_is_refused_before_anything_is_kept(
    desk: Desk, store: Store, exercise: str, source: bytes, only: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(Refused) as refused:
        desk.submit(ANN, exercise, source, "mine.py", only)
    assert refused.value.say.msgid == sentence
    assert sizes(store, [SubmissionRow, SourceRow]) == [0, 0]


def test_of_a_burst_as_many_wait_as_may_and_the_others_are_refused_whole(desk: Desk, store: Store) -> None:
    """A hundred from one person in ten threads at once."""
    made: list[str] = []
    refused: list[Refused] = []

    def hand_in(thread: int) -> None:
        for n in range(10):
            try:
                made.append(desk.submit(ANN, "p06", b"x = %d\n" % (10 * thread + n), "mine.py").id)
            except Refused as one:
                refused.append(one)

    threads = [threading.Thread(target=hand_in, args=(n,)) for n in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(made), len(refused)) == (WAITING, 100 - WAITING)
    assert {one.say.args["n"] for one in refused} == {WAITING}
    assert sizes(store, [SubmissionRow, SourceRow]) == [WAITING, WAITING]
    assert desk.submit(BOB, "p06", SOURCE, "mine.py").ahead == 1


def test_nobody_sees_or_ends_anothers(desk: Desk, store: Store) -> None:
    made = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claims = Claims(store)
    claim = take(claims)
    assert claim is not None
    assert not desk.cancel(BOB, made.id) and not desk.delete(BOB, made.id)
    assert finish(claims, claim)
    assert desk.submission(BOB, made.id) is None and desk.submissions(BOB) == []
    assert desk.source(BOB, made.id) is None and desk.report(BOB, made.id) is None
    assert desk.results(BOB, made.id) == []
    for id in ("", "\0", "x" * 1000, made.id.upper(), "' OR 1=1 --"):
        assert desk.submission(ANN, id) is None
    assert desk.report(ANN, made.id) == report()
    with store.read() as session:
        assert ANN not in str(session.scalars(select(SubmissionRow.person)).all())


def test_results_come_while_it_runs_and_a_second_attempt_starts_anew(desk: Desk, store: Store, clock: Clock) -> None:
    made = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claims, rows = Claims(store), report(passed=3, failed=1).checks
    first = take(claims, "one")
    assert first is not None and claims.beat(first, rows[:2], 0, (4, 1))
    assert claims.beat(first, rows[:4], 2, (4, 1))
    assert desk.results(ANN, made.id) == rows[:4] and desk.results(ANN, made.id, after=3) == rows[3:4]
    going = desk.submission(ANN, made.id)
    assert going is not None
    assert (going.state, going.passed, going.total, going.stars, going.stars_total) == ("running", 3, 4, 0, 1)
    clock.now += 60
    second = take(claims, "two")
    assert second is not None and not claims.beat(first, rows, 4, (4, 1))
    again = desk.submission(ANN, made.id)
    assert again is not None and again.started is not None
    assert (again.attempts, again.passed, desk.results(ANN, made.id)) == (2, 0, [])
    assert again.started - again.created == timedelta(seconds=60)
    assert claims.finish(second, report("failed", passed=3, failed=1), suites("p06") or "")
    done = desk.submission(ANN, made.id)
    assert done is not None
    assert (done.state, done.verdict, done.passed, done.total, done.stars) == ("done", "failed", 3, 4, 1)
    assert desk.results(ANN, made.id, after=3) == rows[3:] and sizes(store, [ResultRow]) == [0]


def test_the_same_file_is_answered_by_the_stored_report_even_where_the_line_is_full(store: Store) -> None:
    desk, claims = Desk("", waiting=1, store=store), Claims(store)
    first = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claim = take(claims)
    assert claim is not None and finish(claims, claim)
    desk.submit(ANN, "p06", b"another = 1\n", "mine.py")
    with pytest.raises(Refused):
        desk.submit(ANN, "p06", b"a third = 1\n", "mine.py")
    again = desk.submit(ANN, "p06", SOURCE, "the same.py")
    assert (again.state, again.stored, again.verdict, again.seconds) == ("done", True, "passed", 0.5)
    assert desk.report(ANN, again.id) == desk.report(ANN, first.id)
    assert sizes(store, [ReportRow, SourceRow]) == [1, 2]
    assert not desk.submit(BOB, "l22", SOURCE, "mine.py").stored
    assert not desk.submit(BOB + "2", "p06", SOURCE, "mine.py", ("worked-1",)).stored


def test_a_changed_suite_grades_anew(desk: Desk, store: Store) -> None:
    claims = Claims(store)
    old = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claim = take(claims)
    assert claim is not None and claims.finish(claim, report(), "the suite of yesterday")
    again = desk.submit(ANN, "p06", SOURCE, "mine.py")
    assert (again.state, again.stored) == ("queued", False)
    claim = take(claims)
    assert claim is not None and claims.finish(claim, report("failed"), suites("p06") or "")
    verdicts = [one.verdict for one in desk.submissions(ANN)]
    assert verdicts == ["failed", "passed"] and desk.report(ANN, old.id) == report()


def test_a_grading_without_a_verdict_answers_for_nothing_else(desk: Desk, store: Store) -> None:
    claims = Claims(store)
    made = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claim = take(claims)
    assert claim is not None and finish(claims, claim, "error")
    done = desk.submission(ANN, made.id)
    assert done is not None and (done.state, done.verdict) == ("done", "error")
    assert desk.report(ANN, made.id) is not None
    assert desk.submit(ANN, "p06", SOURCE, "mine.py").state == "queued"


@pytest.mark.parametrize("met_limit", [False, True])
def test_a_failed_report_answers_for_the_same_file_unless_a_limit_was_met(store: Store, met_limit: bool) -> None:
    desk, claims, suite = Desk("", store=store), Claims(store), suites("p06") or ""
    made, other = (desk.submit(person, "p06", SOURCE, "mine.py") for person in (ANN, BOB))
    found = replace(report("failed", failed=1), met_limit=met_limit)
    claim = take(claims)
    assert claim is not None and claims.finish(claim, found, suite)
    assert desk.report(ANN, made.id) == found
    again = desk.submit(ANN, "p06", SOURCE, "mine.py")
    if not met_limit:
        assert (again.state, again.stored, again.verdict) == ("done", True, "failed")
        assert take(claims) is None  # and whoever had waited with the same file is answered too
        return
    assert (again.state, again.stored) == ("queued", False)
    claim = take(claims)  # the other person's: graded anew, and that report may be given again
    assert claim is not None and claim.submission == other.id and claims.finish(claim, report(), suite)
    assert take(claims) is None
    done = desk.submission(ANN, again.id)
    assert done is not None and (done.state, done.stored, done.verdict) == ("done", True, "passed")
    assert desk.report(ANN, made.id) == found


def test_what_waits_twice_is_graded_once(desk: Desk, store: Store) -> None:
    claims = Claims(store)
    first, second = (desk.submit(person, "p06", SOURCE, "mine.py") for person in (ANN, BOB))
    claim = take(claims)
    assert claim is not None and claim.submission == first.id and finish(claims, claim)
    assert take(claims) is None
    done = desk.submission(BOB, second.id)
    assert done is not None and (done.state, done.stored, done.attempts) == ("done", True, 0)


def test_one_with_a_hundred_waiting_does_not_keep_the_others_waiting(store: Store) -> None:
    desk, claims = Desk("", waiting=100, store=store), Claims(store)
    many = [desk.submit(ANN, "p06", b"a = %d\n" % n, "mine.py").id for n in range(100)]
    few = [desk.submit(BOB, "p06", b"b = %d\n" % n, "mine.py").id for n in range(2)]
    assert [one.ahead for one in reversed(desk.submissions(BOB))] == [1, 3]
    assert [one.ahead for one in reversed(desk.submissions(ANN))][:4] == [0, 2, 4, 5]
    order = [claim.submission for _ in range(5) if (claim := take(claims)) is not None]
    assert order == [many[0], few[0], many[1], few[1], many[2]]


def test_a_trial_of_a_part_is_no_submission_of_the_whole(desk: Desk) -> None:
    whole = desk.submit(ANN, "l22", SOURCE, "mine.py")
    part = desk.submit(ANN, "l22", SOURCE, "mine.py", ["prefill"])
    assert [one.id for one in desk.submissions(ANN)] == [whole.id]
    assert [one.id for one in desk.submissions(ANN, trials=True)] == [part.id, whole.id]
    assert desk.submissions(ANN, "p06", trials=True) == []


def test_a_source_goes_with_the_last_submission_that_has_it(desk: Desk, store: Store) -> None:
    claims = Claims(store)
    first = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claim = take(claims)
    assert claim is not None and finish(claims, claim)
    second = desk.submit(BOB, "p06", SOURCE, "mine.py")
    assert sizes(store, [SourceRow, ReportRow]) == [1, 1]
    assert desk.delete(ANN, first.id) and not desk.delete(ANN, first.id)
    assert desk.source(BOB, second.id) == SOURCE and desk.report(BOB, second.id) is not None
    assert desk.delete(BOB, second.id)
    assert sizes(store, [SourceRow, ReportRow, SubmissionRow]) == [0, 0, 0]


def test_deleted_while_it_runs_its_verdict_is_nobodys(desk: Desk, store: Store) -> None:
    claims = Claims(store)
    made = desk.submit(ANN, "p06", SOURCE, "mine.py")
    claim = take(claims)
    assert claim is not None and claims.beat(claim, report().checks, 0, (2, 1))
    assert desk.delete(ANN, made.id)
    assert not claims.beat(claim, report().checks, 0, (2, 1)) and not finish(claims, claim)
    assert sizes(store, [SubmissionRow, SourceRow, ReportRow, ResultRow]) == [0] * 4


def test_notes_are_ones_own_and_the_last_counts(desk: Desk) -> None:
    desk.note(ANN, "draft", "p06", "x = 1\n\0\ud800")
    desk.note(ANN, "draft", "p06", {"text": "编号", "opened": [1, None, 2.5]})
    desk.note(ANN, "draft", "l22", True)
    desk.note(BOB, "draft", "p06", "bob's")
    assert desk.notes(ANN, "draft") == {"l22": True, "p06": {"text": "编号", "opened": [1, None, 2.5]}}
    assert desk.notes(ANN, "hint") == {}
    desk.forget(ANN, "draft", "p06")
    desk.forget(ANN, "draft", "never")
    assert desk.notes(ANN, "draft") == {"l22": True}
    with pytest.raises(Refused):
        desk.note(ANN, "draft", "p06", "x" * 400_000)


def test_two_tabs_may_note_the_same_at_once(desk: Desk) -> None:
    threads = [threading.Thread(target=desk.note, args=(ANN, "kind", "key", n)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert desk.notes(ANN, "kind")["key"] in range(8)
