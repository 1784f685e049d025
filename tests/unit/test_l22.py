"""l22 graded for real: the reference, every mistake, the skeleton, right answers with other insides, wrong ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from random import Random
from typing import Any

import pytest

from grader.exercise import discover
from grader.exercises.l22.generate import random_stories
from grader.exercises.l22.hints import HINTS
from grader.exercises.l22.oracle import Oracle
from grader.exercises.l22.stories import STORIES, Rows, l22_story
from grader.judge import Judge
from grader.naming import load_driver, run_here
from grader.replay.op import Story
from grader.replay.result import Parting, refused, shown
from grader.report import CheckResult, Report
from grader.sandbox.child import Child, Ending, EndingKind
from grader.sandbox.link import HEAD
from grader.sandbox.pool import Pool
from grader.sandbox.remote import Played
from grader.words import translator
from solutions import mistakes
from solutions.mistakes import MISTAKES, Mistake, reference_source, source
from tests.grading import caught
from tests.sampling import third
from tests.unit.l22_answers import BASE, RIGHT, WRONG

pytestmark = pytest.mark.torch
L22 = discover()["l22"]
MINE = [mistake for mistake in MISTAKES if mistake.exercise == "l22"]


class Kept(Child):
    """A worker that outlives the link it was given to: a fresh process takes the learner's place, torch stays."""

    def __init__(self, child: Child) -> None:
        self.child, self.backend, self.pid = child, child.backend, child.pid
        self.stdin, self.stdout, self.stderr = child.stdin, child.stdout, child.stderr

    def kill(self) -> None:
        pass

    def close(self) -> None:
        pass

    def wait(self, timeout: float) -> Ending | None:
        return self.child.wait(timeout)

    def hit(self) -> EndingKind | None:
        return self.child.hit()


class OneWorker(Pool):
    """Hands out the same worker again and again: torch is imported once, not once a grading."""

    kept: Kept | None = None

    def take(self) -> Child:
        if self.kept is not None and self.kept.wait(0) is None:
            body = b'{"n":0,"do":"restart"}'
            os.write(self.kept.stdin.fileno(), HEAD.pack(len(body), 0) + body)
        else:
            self.kept = Kept(super().take())
        return self.kept

    def close(self) -> None:
        if self.kept is not None:
            self.kept.child.close()
        super().close()


Grade = Callable[..., Report]


@pytest.fixture(scope="module")
def grade() -> Iterator[Grade]:
    with closing(Judge(L22, "process")) as judge:
        judge.workers.close()
        judge.workers = OneWorker(judge.backend, judge.limits, torch=True, size=1, refill=False)
        yield lambda text, *only: judge.grade(text.encode(), L22.file, only or None)


def failed(report: Report, group: str = "acceptance") -> list[CheckResult]:
    return [row for row in report.checks if row.outcome != "passed" and row.group == group]


def said(row: CheckResult) -> str:
    assert row.message is not None
    return translator("en").text(row.message)


def test_the_reference_passes_everything(grade: Grade) -> None:
    report = grade(reference_source("l22"))
    assert (report.verdict, failed(report), failed(report, "stretch")) == ("passed", [], [])


@pytest.mark.parametrize("mistake", third(MINE), ids=lambda mistake: mistake.id)
def test_a_mistake_fails_and_is_named(grade: Grade, mistake: Mistake) -> None:
    report = grade(source(mistake.id))
    assert report.verdict == "failed"
    assert {row.failure and row.failure.mistake for row in failed(report)} == {mistake.id}
    assert caught.failed(report) == mistakes.caught(mistake.id), "run python -m tests.grading.caught"
    assert all(row.failure and row.failure.story and len(row.failure.story["ops"]) <= 12 for row in failed(report))


def test_nothing_of_the_skeleton_passes(grade: Grade) -> None:
    report = grade(L22.skeleton.read_text("utf-8"))
    assert report.verdict == "failed"
    assert [row.id for row in report.checks if row.outcome == "passed"] == []
    assert all(said(row).startswith("not written yet") for row in report.checks)
    assert {row.failure and row.failure.mistake for row in report.checks} == {None}


@pytest.mark.parametrize("name", third(RIGHT))
def test_a_right_answer_passes_whatever_its_inside(grade: Grade, name: str) -> None:
    assert [(row.id, said(row)) for row in failed(grade(RIGHT[name]))] == []


def test_the_taught_rule_misses_only_the_stars_and_looks_like_no_mistake(grade: Grade) -> None:
    report = grade(BASE)
    assert report.verdict == "passed"
    assert [row.id for row in failed(report, "stretch")] == ["block-size-1", "decode-oom-keeps-length"]
    assert [row.failure and row.failure.mistake for row in failed(report, "stretch")] == [None, None]


@pytest.mark.parametrize("name", third(WRONG))
def test_a_wrong_answer_fails_and_is_told_why(grade: Grade, name: str) -> None:
    text, mission, words = WRONG[name]
    report = grade(text, *([mission] if mission else []))
    assert report.verdict == "failed"
    rows = failed(report)
    told = [said(row) for row in rows] if mission else [translator("en").text(report.message or "")]
    assert any(words in text for text in told), told


# -- without a sandbox: the reference in this process, as naming runs it ----------------------------------------------

DRIVER = load_driver((L22.folder / "driver.py").read_text("utf-8"))


def followed(story: Story, module: Any) -> Parting | None:
    oracle = Oracle()
    results = run_here(DRIVER, module, story, blob=oracle.blob(story))
    assert len(results) == len(story.ops)
    return oracle.follow(story, Played(results=results))


@pytest.mark.parametrize("kind", ["prefill", "decode", "gather"])
@pytest.mark.parametrize("text", [reference_source("l22"), RIGHT["as taught"]], ids=["reference", "taught"])
def test_every_part_of_a_story_is_a_story(kind: str, text: str) -> None:
    """What cannot be asked is skipped by the driver and the model alike."""
    module = load_driver(text)
    for seed, story in enumerate(random_stories(kind, 60)):
        random = Random(seed)
        part = story.with_ops(op for op in story.ops if random.random() < 0.7)
        assert (followed(story, module), followed(part, module)) == (None, None)


def test_the_named_stories_are_the_specs_values() -> None:
    module = load_driver(reference_source("l22"))
    by_id = {story.id: (story, run_here(DRIVER, module, story, blob=Oracle().blob(story))) for story in STORIES}
    assert len(by_id) == len(STORIES)
    assert all(
        followed(story, module) is None and story.title and story.note and story.hint in HINTS for story in STORIES
    )
    assert by_id["prefill"][1][2] == [0, 1] and len(by_id["prefill"][1][4]) == 8
    assert [len(by_id["decode"][1][step]) for step in (2, 6, 10)] == [2, 2, 3]
    assert refused(by_id["oom"][1][0]) and by_id["oom"][1][1:] == [[], 5, [0]]
    assert by_id["gather"][1][2]["tensor"]["shape"] == [9, 64]
    assert by_id["cut"][1][4]["tensor"]["shape"] == [5, 8]


def test_a_wrong_gather_says_where_its_rows_come_from() -> None:
    rows: Rows = [["fill"], ["request", "r", 9, [7, 2, 9]], ["gather", "r"]]
    right, wrong = l22_story(10, 4, rows), l22_story(10, 4, [*rows[:1], ["request", "r", 9, [2, 7, 9]], rows[2]])
    module = load_driver(reference_source("l22"))
    parting = Oracle().follow(right, Played(results=run_here(DRIVER, module, wrong, blob=Oracle().blob(wrong))))
    assert parting is not None and parting.step == 2
    assert shown(parting.expected[0]) == "float32 [9, 8] = cache[7], cache[2], cache[9][:1]"
    assert shown(parting.actual) == "float32 [9, 8] = cache[2], cache[7], cache[9][:1]"


def test_every_check_has_a_hint_a_mission_and_a_why() -> None:
    with closing(Judge(L22, "process")) as judge:
        checks = judge.checks()
    assert len({info.id for info in checks}) == len(checks)
    assert all(info.hint in HINTS and info.mission in L22.missions and info.why and info.title for info in checks)
    assert {info.hint for info in checks} == set(HINTS)
