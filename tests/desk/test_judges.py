"""Real judges, real sandboxes: from a file handed in to its verdict, and every way in which that is cut short."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from grader.checklist import checklist
from grader.desk.claims import LOST, Claims
from grader.desk.desk import CANCELLED, Desk
from grader.desk.judges import MUTE, Judges
from grader.desk.judging import NO_SANDBOX
from grader.exercise import discover
from grader.words import Say
from solutions import mistakes
from tests.desk.judging_here import needs_bubblewrap
from tests.desk.room import ANN, CHEAP, Room, soon
from tests.desk.table_tools import take

pytestmark = [pytest.mark.slow, needs_bubblewrap]
RIGHT = mistakes.reference_source("p06").encode()
HANGS = RIGHT + b"\nimport time\nBlockManager.allocate = lambda self, seq_id, token_ids: time.sleep(60)\n"
LONG = ("random-long", "random-small", "random-duplicates")


_numbers = count()


def another(source: bytes = RIGHT) -> bytes:
    """The same as a file that nobody has handed in yet."""
    return source + b"\n# %d\n" % next(_numbers)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One for all who do no harm to it: its judges get ready once."""
    room = Room(tmp_path_factory.mktemp("room") / "data")
    yield room
    assert room.close() == set()


@pytest.fixture
def own_room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "data")
    yield room
    assert room.close() == set()


def test_right_wrong_and_unreadable_files_get_their_verdicts(room: Room) -> None:
    right = room.grade(another(), ())
    assert (right.state, right.verdict, right.passed, right.attempts) == ("done", "passed", right.total, 1)
    assert right.total > 30 and 0 <= right.stars <= right.stars_total > 0
    report = room.desk.report(ANN, right.id)
    assert report is not None and report.sandbox == "bubblewrap" and report.verdict == "passed"
    assert len(room.desk.results(ANN, right.id)) == right.total + right.stars_total
    wrong = room.grade(mistakes.source("free-forwards").encode(), ("mistake-free-forwards",))
    assert (wrong.verdict, wrong.passed, wrong.total) == ("failed", 0, 1)
    report = room.desk.report(ANN, wrong.id)
    assert report is not None and report.checks[0].failure is not None
    assert not report.met_limit and report.checks[0].failure.mistake == "free-forwards"
    broken = room.grade(b"class BlockManager(:\n", ())
    assert (broken.verdict, broken.passed) == ("failed", 0)


def test_results_come_one_by_one_while_it_runs(room: Room) -> None:
    made = room.desk.submit(ANN, "p06", another(), "mine.py")
    seen: list[int] = []

    def ended() -> bool:
        one = room.desk.submission(ANN, made.id)
        assert one is not None
        results = room.desk.results(ANN, made.id)
        if one.state == "running" and one.total:
            seen.append(len(results))
            assert one.passed <= one.total and len(results) <= one.total + one.stars_total
        return one.state == "done"

    assert soon(ended, 90)
    assert seen == sorted(seen)
    assert any(0 < n < len(checklist(discover()["p06"])) for n in seen)
    assert [row.id for row in room.desk.results(ANN, made.id, after=40)][:1] == [room.desk.results(ANN, made.id)[40].id]


def test_the_verdict_names_the_exercises_own_file_whatever_it_was_called(room: Room) -> None:
    made = room.desk.submit(ANN, "p06", b"def f(:\n", "../../\x1b[31mevil.py")
    done = room.until(made.id, "done")
    report = room.desk.report(ANN, made.id)
    assert report is not None and report.message is not None
    assert "p06_block_manager.py" in str(report.message.args) and "evil" not in str(report.dump())
    assert done.name == "../../evil.py"


def test_the_same_file_again_is_answered_from_the_stored_report(room: Room) -> None:
    source = another()
    first = room.grade(source)
    again = room.desk.submit("somebody else", "p06", source, "other.py", CHEAP)
    assert (first.stored, again.stored, again.state, again.verdict) == (False, True, "done", "passed")
    part = room.desk.submit(ANN, "p06", source, "mine.py", ("worked-1",))
    assert part.state == "queued"
    room.until(part.id, "done")


def test_a_file_that_ran_out_of_time_is_graded_again(room: Room) -> None:
    source = another(HANGS)
    first = room.grade(source)
    assert (first.state, first.verdict) == ("done", "failed")
    again = room.grade(source)
    assert (again.state, again.verdict, again.stored, again.attempts) == ("done", "failed", False, 1)


@pytest.mark.parametrize("end", ["cancel", "delete"])
def test_a_judge_stops_what_nobody_wants_any_more(room: Room, end: str) -> None:
    id = room.begun(another(HANGS), LONG)
    assert getattr(room.desk, end)(ANN, id)
    left = room.desk.submission(ANN, id)
    if end == "cancel":
        assert left is not None and left.reason is not None
        assert (left.state, left.reason.msgid, left.verdict) == ("abandoned", CANCELLED, None)
    else:
        assert left is None
    after = room.grade(another())
    assert after.verdict == "passed"
    assert room.desk.submission(ANN, id) == left


def test_closing_gives_back_what_is_being_graded(own_room: Room) -> None:
    id = own_room.begun(another(HANGS), LONG)
    own_room.judges.close()
    back = own_room.desk.submission(ANN, id)
    assert back is not None
    assert (back.state, back.attempts) == ("queued", 0)
    assert own_room.close() == set()


def test_a_judge_told_to_end_gives_back_and_another_takes_its_place(own_room: Room) -> None:
    id = own_room.begun(another(HANGS), LONG)
    [old] = own_room.judges.pids()
    os.kill(old, signal.SIGTERM)
    assert soon(lambda: own_room.judges.pids() not in ([old], []))
    again = own_room.until(id, "running")
    assert again.attempts == 1


def test_a_file_whose_judge_is_lost_three_times_is_abandoned_and_says_so(own_room: Room) -> None:
    id = own_room.begun(another(HANGS), LONG)
    for attempt in (1, 2, 3):
        assert soon(lambda: own_room.judges.pids() != [])
        assert own_room.until(id, "running").attempts == attempt
        [judge] = own_room.judges.pids()
        os.kill(judge, signal.SIGKILL)
        own_room.until(id, "queued", "abandoned", *(["running"] if attempt < 3 else []))
        assert soon(lambda judge=judge: judge not in own_room.judges.pids())
    lost = own_room.until(id, "abandoned")
    assert lost.reason is not None
    assert (lost.attempts, lost.reason.msgid) == (3, LOST)


def pause(room: Room, judge: int) -> None:
    """Stop it where it is, but not within a transaction: that would stop the others too."""
    while True:
        os.kill(judge, signal.SIGSTOP)
        with contextlib.closing(sqlite3.connect(room.desk.store.where, timeout=0.2, isolation_level=None)) as one:
            try:
                one.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError:
                os.kill(judge, signal.SIGCONT)
                time.sleep(0.01)


def test_a_judge_that_was_paused_comes_back_too_late(own_room: Room) -> None:
    """Its submission is another's by then: what it brings is nobody's."""
    id = own_room.begun(another(), LONG)
    [judge] = own_room.judges.pids()
    pause(own_room, judge)
    claims = Claims(own_room.desk.store)
    assert claims.lapse(lambda _: True) == 1
    mine = take(claims, "another")
    assert mine is not None and mine.submission == id
    os.kill(judge, signal.SIGCONT)
    assert own_room.grade(another()).verdict == "passed"  # it lives on, or another does
    still = own_room.desk.submission(ANN, id)
    assert still is not None
    assert (still.state, still.attempts) == ("running", 2)
    assert claims.give_back(mine)


@pytest.mark.full
def test_a_judge_that_stays_paused_is_replaced(own_room: Room) -> None:
    """Even where it was stopped with the database locked."""
    [judge] = own_room.judges.pids()
    os.kill(judge, signal.SIGSTOP)
    holding = own_room.desk.submit(ANN, "p06", another(), "mine.py", CHEAP)
    assert own_room.until(holding.id, "done").verdict == "passed"
    assert judge not in own_room.judges.pids()


def test_a_check_that_is_not_there_is_said(room: Room) -> None:
    none = room.grade(another(), ("no-such-check",))
    assert (none.state, none.verdict, none.attempts) == ("abandoned", None, 1)
    assert none.reason is not None and none.reason.args == {"name": "no-such-check"}


def test_missions_alone(room: Room) -> None:
    source = mistakes.reference_source("l22").encode()
    made = room.desk.submit(ANN, "l22", source, "mine.py", ("prefill",))
    done = room.until(made.id, "done")
    assert (done.verdict, done.only) == ("passed", ("prefill",))
    assert {row.mission for row in room.desk.results(ANN, made.id)} == {"prefill"}
    assert room.desk.submissions(ANN, "l22") == []
    assert [one.id for one in room.desk.submissions(ANN, "l22", trials=True)] == [made.id]


def test_without_a_sandbox_it_says_what_to_install_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    desk = Desk(tmp_path / "data")
    waiting = desk.submit(ANN, "p06", RIGHT, "mine.py")
    judges = Judges(tmp_path / "data", "auto", 1)
    try:
        assert judges.ready.wait(60)
        assert judges.problem is not None and judges.problem.msgid == NO_SANDBOX
        time.sleep(1)
        still = desk.submission(ANN, waiting.id)
        assert still is not None and (still.state, still.attempts) == ("queued", 0)
    finally:
        judges.close()
        desk.close()


def test_judges_that_do_not_start_are_no_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.desk.judges.ROOT", tmp_path)  # where there is no grader
    judges = Judges(tmp_path / "data", "bubblewrap", 1)
    try:
        assert judges.ready.wait(60)
        assert judges.problem == Say(MUTE, status=1)
    finally:
        judges.close()
