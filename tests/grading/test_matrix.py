"""The matrix: solutions pass everything, every mistake fails and is called by its name, the skeleton passes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from grader.exercise import discover
from grader.judge import Judge
from grader.report import Report
from grader.words import translator
from solutions import mistakes
from solutions.readings import READINGS
from tests.grading import caught
from tests.sampling import third

P06 = discover()["p06"]
IDS = [mistake.id for mistake in mistakes.MISTAKES if mistake.exercise == "p06"]
CORRUPTING = ["evict-keeps-entry", "unchained-hash", "hits-after-gap", "shared-returned", "revived-stays"]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge(P06)
    yield judge
    judge.close()


def graded(judge: Judge, source: str, only: list[str] | None = None) -> Report:
    return judge.grade(source.encode(), P06.file, only)


def not_passed(report: Report) -> dict[str, str]:
    english = translator("en")
    return {
        row.id: english.text(row.message) if row.message else row.outcome
        for row in report.checks
        if row.outcome != "passed"
    }


@pytest.mark.parametrize("reading", third(READINGS), ids=str)
def test_the_reference_passes_everything_in_each_of_the_eight_readings(judge: Judge, reading: tuple[bool, ...]) -> None:
    report = graded(judge, mistakes.reading_source(reading))  # type: ignore[arg-type]
    assert (report.verdict, not_passed(report)) == ("passed", {})


@pytest.mark.slow
@pytest.mark.parametrize("mistake_id", third(IDS))
def test_a_mistake_fails_and_is_called_by_its_name(judge: Judge, mistake_id: str) -> None:
    report = graded(judge, mistakes.source(mistake_id))
    failed = [row for row in report.checks if row.outcome == "failed" and row.group == "acceptance"]
    assert report.verdict == "failed" and failed
    assert {row.failure.mistake for row in failed if row.failure} == {mistake_id}
    assert caught.failed(report) == mistakes.caught(mistake_id), "run python -m tests.grading.caught"
    lengths = [len(row.failure.story["ops"]) for row in failed if row.failure and row.failure.story]
    assert len(lengths) == len(failed) and min(lengths) <= 12 and max(lengths) <= 40


@pytest.mark.slow
@pytest.mark.parametrize("mistake_id", CORRUPTING)
def test_paged_gather_alone_fails_what_corrupts_content(judge: Judge, mistake_id: str) -> None:
    report = graded(judge, mistakes.source(mistake_id), ["paged-gather"])
    assert report.verdict == "failed"
    assert [row.id for row in report.checks] == ["paged-gather"]
    assert report.checks[0].failure is not None and report.checks[0].failure.actual == "K, V"


def test_the_skeleton_passes_nothing(judge: Judge) -> None:
    report = graded(judge, P06.skeleton.read_text("utf-8"))
    assert report.verdict == "failed"
    assert {row.outcome for row in report.checks} == {"failed"}
    written = [text for text in not_passed(report).values() if text.startswith("not written yet")]
    assert len(written) >= len(report.checks) - 1


@pytest.mark.slow
def test_twenty_gradings_of_one_file_say_the_same(judge: Judge) -> None:
    source = mistakes.source("free-forwards")
    only = ["worked-4", "free-returns-everything", "random-duplicates", "paged-gather"]
    said = [
        [(row.id, row.outcome, row.message, row.failure) for row in graded(judge, source, only).checks]
        for _ in range(20)
    ]
    assert all(one == said[0] for one in said)


def test_what_a_shell_tells_other_tests_is_not_the_judges_business(
    judge: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-v --no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert graded(judge, mistakes.reference_source("p06"), ["fresh-pool"]).verdict == "passed"
    assert os.environ["PYTEST_PLUGINS"] == "no_such_plugin"
