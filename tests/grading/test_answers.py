"""Answers as other people would write them: right ones pass, wrong ones fail, hopeless ones get a sentence.

Right and wholly wrong answers are files under `tests/answers`; most wrong ones are a right one with one passage
changed (`edits.py`), and what breaks a limit stands in `bad.py`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.exercise import discover
from grader.exercises.p06.generate import known_block_evicted, prefix_of_duplicates
from grader.judge import Judge
from grader.naming import load_driver, run_here
from grader.replay.explain import READINGS, Reading
from grader.replay.worlds import Worlds, follow
from grader.report import Report
from grader.sandbox.limits import Limits
from grader.words import translator
from tests.sampling import third

HERE = Path(__file__).parent
ANSWERS = HERE.parent / "answers"
EXERCISES = discover()
SAY = translator("en").text

# The sentences of `bad.py` are the first that these give.
FIRST = ["slot-mapping", "append-across-boundary", "out-of-blocks-is-atomic", "can-allocate"]
# A wrong type shows in every check that asks for it.
TYPED = ["slot-mapping", "append-across-boundary", "prefix-sharing", "can-allocate"]
SHORT = {"op_s": 0.5, "load_s": 1.0}


def beside(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def beside_text(name: str, text: str) -> ModuleType:
    """A right answer as a module of this process."""
    module = ModuleType(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.modules[name] = module  # for dataclasses
        exec(compile(text, f"{name}.py", "exec"), vars(module))
    return module


edits, bad = beside("edits"), beside("bad")


def right(exercise: str, name: str) -> str:
    return (ANSWERS / "right" / exercise / f"{name}.py").read_text("utf-8")


def names(folder: str) -> list[str]:
    return sorted(path.stem for path in (ANSWERS / folder).glob("*.py"))


def judge(exercise: str, **limits: float) -> Iterator[Judge]:
    found = EXERCISES[exercise]
    one = Judge(found, limits=replace(Limits(), memory_mib=found.memory_mib, **limits))
    yield one
    one.close()


@pytest.fixture(scope="module")
def p06() -> Iterator[Judge]:
    yield from judge("p06")


@pytest.fixture(scope="module")
def hasty() -> Iterator[Judge]:
    yield from judge("p06", **SHORT)


@pytest.fixture(scope="module")
def l22() -> Iterator[Judge]:
    yield from judge("l22")


def deciding(one: Judge) -> list[str]:
    return [info.id for info in one.checks() if info.group == "acceptance"]


def sentences(report: Report) -> list[str]:
    rows = [row.message for row in report.checks if row.outcome == "failed"]
    return [SAY(message) for message in (report.message, *rows) if message is not None]


def mistakes(report: Report) -> set[str]:
    return {row.failure.mistake for row in report.checks if row.failure and row.failure.mistake}


def expect_failed(report: Report, mistake: str | None) -> None:
    assert report.verdict == "failed", sentences(report)
    assert sentences(report) and all(sentences(report))
    assert mistake is None or mistake in mistakes(report), (mistakes(report), sentences(report)[:1])


@pytest.mark.parametrize("name", third(names("right/p06")))
def test_a_right_answer_passes(p06: Judge, name: str) -> None:
    report = p06.grade(right("p06", name).encode(), f"{name}.py", only=deciding(p06))
    assert report.verdict == "passed", sentences(report)


@pytest.mark.parametrize("name", ["closures", "out_of_bounds"])
@pytest.mark.slow
def test_stars_decide_nothing(p06: Judge, name: str) -> None:
    report = p06.grade(right("p06", name).encode(), f"{name}.py")
    assert report.verdict == "passed", sentences(report)
    assert "failed" in {row.outcome for row in report.checks if row.group == "stretch"}


def test_the_right_answers_cover_all_eight_readings() -> None:
    driver = load_driver((EXERCISES["p06"].folder / "driver.py").read_text("utf-8"))
    stories = [prefix_of_duplicates(seed) for seed in range(120)]
    stories += [known_block_evicted(*shape) for shape in ((6, 1, 0), (6, 2, 1), (7, 2, 0))]
    found = set()
    for name in names("right/p06"):
        module = beside_text(name, right("p06", name))
        left: tuple[Reading, ...] = READINGS
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for story in stories:
                worlds = follow(story, run_here(driver, module, story), left)
                assert isinstance(worlds, Worlds), (name, worlds)
                left = worlds.readings
        found |= set(left) if len(left) == 1 else set()
    assert found == set(READINGS)


@pytest.mark.parametrize("edit", third(edits.CLASSIC), ids=lambda edit: edit.name)
def test_a_classic_mistake_by_another_hand_is_named(p06: Judge, edit: Any) -> None:
    source = edit.apply(right("p06", edit.base))
    expect_failed(p06.grade(source.encode(), "answer.py", only=deciding(p06)), edit.mistake)


@pytest.mark.parametrize("edit", third(edits.UNLISTED), ids=lambda edit: edit.name)
@pytest.mark.slow
def test_a_mistake_that_nobody_listed_fails(p06: Judge, edit: Any) -> None:
    source = edit.apply(right("p06", edit.base))
    expect_failed(p06.grade(source.encode(), "answer.py", only=deciding(p06)), None)


@pytest.mark.parametrize("name", third(names("wrong/p06")))
def test_a_wrong_answer_fails(p06: Judge, name: str) -> None:
    text = (ANSWERS / "wrong" / "p06" / f"{name}.py").read_text("utf-8")
    mistake = text.partition("\n")[0].removeprefix("# mistake: ")
    report = p06.grade(text.encode(), f"{name}.py", only=deciding(p06))
    expect_failed(report, None if mistake == "none" else mistake)


@pytest.mark.parametrize("name", third(edits.ODD))
def test_right_by_value_and_wrong_by_type_fails(hasty: Judge, name: str) -> None:
    source = edits.odd(name, right("p06", edits.odd_base(name)))
    report = hasty.grade(source.encode(), "answer.py", only=TYPED)
    expect_failed(report, None)
    assert any("must return" in text or "make it a property" in text for text in sentences(report)), sentences(report)


@pytest.mark.parametrize("name", third(bad.FILES))
def test_what_is_hardly_a_submission_gets_a_sentence(hasty: Judge, name: str) -> None:
    says, content = bad.FILES[name]
    report = hasty.grade(content, "answer.py", only=FIRST)
    expect_failed(report, None)
    assert says in sentences(report)[0]
    assert "\n" not in sentences(report)[0]


@pytest.mark.parametrize("name", third(bad.CALLS))
@pytest.mark.slow
def test_what_breaks_a_limit_in_a_call_gets_a_sentence(hasty: Judge, name: str) -> None:
    says, text = bad.CALLS[name]
    report = hasty.grade(f"{right('p06', 'taught_names')}\n\n{text}".encode(), "answer.py", only=FIRST)
    expect_failed(report, None)
    assert says in sentences(report)[0]
    assert "\n" not in sentences(report)[0]


@pytest.mark.parametrize("name, told", [("loop-on-import", "after 5 s"), ("sleep-in-a-call", "after 2 s")])
@pytest.mark.slow
def test_limits_at_their_real_values(p06: Judge, name: str, told: str) -> None:
    called = f"{right('p06', 'taught_names')}\n{bad.CALLS[name][1]}" if name in bad.CALLS else ""
    content = bad.FILES[name][1] if name in bad.FILES else called.encode()
    report = p06.grade(content, "answer.py", only=FIRST[1:2])
    expect_failed(report, None)
    assert told in sentences(report)[0]


@pytest.mark.slow
def test_the_same_file_twenty_times(p06: Judge) -> None:
    """One that fails in several checks, whose order of hand-outs is that of a set of strings."""
    shuffled = "deque(int(b) for b in {*map(str, range(num_blocks))})"
    source = right("p06", "taught_names").replace("deque(range(num_blocks))", shuffled)
    only = ["slot-mapping", "prefix-sharing", "worked-2", "mistake-unchained-hash", "random-small"]
    told = {str(comparable(p06.grade(source.encode(), "answer.py", only=only))) for _ in range(20)}
    assert len(told) == 1


def comparable(report: Report) -> tuple[Any, ...]:
    rows = [(row.id, row.outcome, row.message and SAY(row.message), row.failure) for row in report.checks]
    return report.verdict, rows


@pytest.mark.torch
@pytest.mark.parametrize("name", third(names("right/l22")))
def test_a_right_l22_answer_passes(l22: Judge, name: str) -> None:
    report = l22.grade(right("l22", name).encode(), f"{name}.py", only=deciding(l22))
    assert report.verdict == "passed", sentences(report)


@pytest.mark.torch
@pytest.mark.parametrize("edit", third(edits.L22), ids=lambda edit: edit.name)
@pytest.mark.slow
def test_a_wrong_l22_answer_fails(l22: Judge, edit: Any) -> None:
    source = edit.apply(right("l22", edit.base))
    expect_failed(l22.grade(source.encode(), "answer.py", only=deciding(l22)), edit.mistake)
