"""The stars run beside the acceptance checks: whatever happens to them, those neither notice nor wait in vain."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from grader.exercise import discover
from grader.judge import Judge
from grader.report import CheckResult
from solutions import mistakes

P06 = discover()["p06"]
RIGHT = mistakes.reference_source("p06")
FEW = ["fresh-pool", "can-allocate", "stretch-speed", "stretch-errors"]
HANGS = "    def allocate(self, seq_id, tokens):\n        while self.num_blocks >= 1000: pass\n"
DIES = "    def allocate(self, seq_id, tokens):\n        if self.num_blocks >= 1000: __import__('os')._exit(3)\n"


def but_large_pools(body: str) -> bytes:
    """The reference, whose class is replaced by one that does otherwise where only the stars go."""
    more = f"\nclass BlockManager(BlockManager):\n{body}        return super().allocate(seq_id, tokens)\n"
    return (RIGHT + more).encode()


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge(P06)
    yield judge
    judge.close()


def running() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("kvhotel-stars")]


@pytest.mark.parametrize("body", [HANGS, DIES], ids=["hangs", "dies"])
def test_a_worker_lost_in_a_star_costs_that_star_alone(judge: Judge, body: str) -> None:
    report = judge.grade(but_large_pools(body), P06.file, FEW)
    assert report.verdict == "passed" and report.met_limit
    assert {row.id: row.outcome for row in report.checks} == {**dict.fromkeys(FEW, "passed"), "stretch-speed": "failed"}
    assert running() == []


def test_results_come_in_the_order_of_the_checks(judge: Judge) -> None:
    heard: list[str] = []
    judge.grade(RIGHT.encode(), P06.file, FEW, lambda row: heard.append(row.id))
    assert heard == [info.id for info in judge.checks() if info.id in FEW]


def test_who_gives_up_a_grading_does_not_wait_for_its_stars(judge: Judge) -> None:
    class Enough(Exception):
        pass

    def hear(row: CheckResult) -> None:
        raise Enough

    with pytest.raises(Enough):
        judge.grade(but_large_pools(HANGS), P06.file, FEW, hear)
    assert running() == []
    assert judge.grade(RIGHT.encode(), P06.file, FEW).verdict == "passed"


def test_a_star_that_only_the_clock_denied_is_remembered(judge: Judge) -> None:
    slow = "    def allocate(self, seq_id, tokens):\n        self.num_blocks < 5000 or __import__('time').sleep(0.01)\n"
    for body, passed in ((slow, False), ("    def allocate(self, seq_id, tokens):\n", True)):
        report = judge.grade(but_large_pools(body), P06.file, ["fresh-pool", "stretch-speed"])
        assert [row.outcome == "passed" for row in report.checks] == [True, passed]
        assert report.verdict == "passed" and report.met_limit is not passed
