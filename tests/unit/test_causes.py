"""Failures that go together are gathered, as far as a report can tell, and the plainest of them comes first."""

from __future__ import annotations

import io

import pytest

from grader.exercise import discover
from grader.naming import run_here
from grader.render.causes import causes
from grader.render.choose import to_tell
from grader.render.html import page
from grader.render.page import Page
from grader.render.terminal import Terminal
from grader.render.uncached import HITS, uncached
from grader.render.web import groups
from grader.report import CheckResult, Failure, Report
from grader.words import Say, translator

OPS = [["allocate", "a", [1, 2, 3, 4]], ["free", "a"], ["allocate", "b", [5]]]
RENAMED = [["allocate", 0, [7, 7, 8, 8]], ["free", 0], ["allocate", 0, [9]]]
LONGER = [["allocate", "x", [1, 2]], ["allocate", "y", [3, 4]], ["free", "y"], ["allocate", "z", [5]]]


def failed(id, ops, called="allocate", actual="[0]", **more):
    story = {"num_blocks": 2, "block_size": 2, "enable_prefix_cache": True, "ops": ops}
    why = Failure(called=f"{called}(…)", expected="[1]", actual=actual, story=story, step=len(ops) - 1, **more)
    return CheckResult(id, "acceptance", f"what {id} asks", "failed", 0.1, Say("{x} is wrong", x=id), why)


def public(*results):
    return [result.to_json("en") for result in results]


def gathered(*results):
    return [(one.first["id"], [row["id"] for row in one.same], [row["id"] for row in one.likely])
            for one in causes(public(*results))]  # fmt: skip


def test_checks_with_one_short_story_but_for_names_go_together():
    rows = failed("one", OPS, whole=9), failed("exact", RENAMED, whole=3), failed("other", OPS, "free", "KeyError: 1")
    assert gathered(*rows) == [("exact", ["one"], []), ("other", [], [])]


def test_what_is_shared_between_prompts_is_no_matter_of_names():
    shares = [["allocate", "a", [1, 2, 3, 4]], ["free", "a"], ["allocate", "b", [1, 2, 5]]]
    apart = [["allocate", "a", [1, 2, 3, 4]], ["free", "a"], ["allocate", "b", [6, 7, 5]]]
    assert len(gathered(failed("one", shares), failed("two", apart))) == 2


def test_a_story_that_contains_the_short_one_is_only_likely_of_the_same_cause():
    assert gathered(failed("long", LONGER), failed("short", OPS)) == [("short", [], ["long"])]
    said = causes(public(failed("long", LONGER), failed("short", OPS)))[0].said
    assert said is not None and "probably" in translator("en").text(said)
    assert len(gathered(failed("long", LONGER, "append_slot", "3"), failed("short", OPS))) == 2


def test_the_same_error_at_the_same_line_goes_together_and_a_refusal_does_not():
    stack = "mine.py, line 12, in free\n    del self.x\nmine.py, line 30, in _release\n    self.refs[b] -= 1"
    rows = [
        failed("a", OPS, "free", "KeyError: 3", stack=stack),
        failed("b", LONGER, "allocate", "KeyError: 9", stack=stack),
    ]
    assert gathered(*rows) == [("a", ["b"], [])]
    refusals = [
        failed("a", OPS, "slot", "OutOfBlocks", stack=stack),
        failed("b", LONGER, "free", "OutOfBlocks", stack=stack),
    ]
    assert len(gathered(*refusals)) == 2


def test_every_failure_is_in_one_cause_once_and_none_of_a_single_one_is_said():
    rows = [failed(str(n), ops) for n, ops in enumerate((OPS, RENAMED, LONGER, OPS[:1], [["num_free_blocks"]]))]
    seen = [row["id"] for one in causes(public(*rows)) for row in (one.first, *one.more)]
    assert sorted(seen) == ["0", "1", "2", "3", "4"]
    assert causes(public(rows[4]))[0].said is None


def test_a_story_that_nobody_can_compare_stands_alone():
    odd = [["free", None], ["allocate"], [3], ["slot", [1], [2]], ["append_slot", "never", "x"], ["prefill", "r", 6]]
    assert len(gathered(failed("odd", odd[:1] + odd[3:]), failed("long", [["free", n] for n in range(99)]))) == 2


def test_all_three_ways_to_see_a_report_say_what_goes_together():
    rows = [
        failed("one", OPS, whole=9),
        failed("exact", RENAMED, whole=3),
        failed("far", [["num_free_blocks"]], "n", "7"),
    ]
    report = Report("p06", "failed", "process", "cpu", 0.5, None, rows)
    file = io.StringIO()
    Terminal(Page("en", file, 100), "p06", dict).finish(report.to_json("en"))
    assert "These 2 checks fail on one and the same short story" in file.getvalue()
    assert "Failed with it: one" in file.getvalue() and file.getvalue().count("✗ what") == 2
    assert "These 2 checks fail on one and the same short story" in page(report.to_json("en"), "en", "t")
    folded = groups(report.to_json("en")["checks"], translator("en").text)
    assert "1 check fails as one that is listed does" in folded
    assert folded.index("what exact asks") < folded.index("<details>") < folded.index("what one asks")


class Bare:
    """A manager in which nothing is ever found: the reference with its cache off, whatever it is asked for."""

    def __new__(cls, num_blocks, block_size, enable_prefix_cache=True):
        from solutions.p06_block_manager import BlockManager

        return BlockManager(num_blocks, block_size, False)


def unfound(id, ops, manager=Bare):
    from types import SimpleNamespace

    from grader.naming import load_driver
    from grader.replay.op import Story
    from grader.replay.result import shown
    from solutions.p06_block_manager import OutOfBlocks

    story = {"num_blocks": 4, "block_size": 2, "enable_prefix_cache": True, "ops": ops}
    driver = load_driver((discover()["p06"].folder / "driver.py").read_text("utf-8"))
    made = run_here(driver, SimpleNamespace(BlockManager=manager, OutOfBlocks=OutOfBlocks), Story.from_json(story))
    answers = [shown(one) for one in made]
    return CheckResult(id, "acceptance", id, "failed", failure=Failure(actual=answers[-1], story=story, answers=answers,
                                                                      step=len(ops) - 1))  # fmt: skip


SHARED = [["allocate", "a", [1, 2, 3]], ["allocate", "b", [1, 2, 4]]]


def test_what_a_manager_without_a_cache_would_answer_is_gathered_under_the_todo():
    rows = [unfound(id, SHARED) for id in sorted(HITS)] + [failed("of its own", OPS)]
    assert [row["id"] for row in uncached(public(*rows))][0] == "prefix-sharing"
    assert {row["id"] for row in uncached(public(*rows))} == HITS
    file = io.StringIO()
    Terminal(Page("en", file, 100), "p06", dict).finish(
        Report("p06", "failed", "x", "cpu", 1, None, rows).to_json("en")
    )
    assert "the prefix cache (TODO 10)" in file.getvalue() and file.getvalue().count("✗ ") == 2


@pytest.mark.parametrize("left_out", sorted(HITS))
def test_where_anything_is_found_in_the_cache_nothing_is_said_of_it(left_out):
    rows = [unfound(id, SHARED) for id in HITS if id != left_out]
    assert uncached(public(*rows)) == []
    assert uncached(public(*rows, failed(left_out, OPS))) == []  # it fails, but not as without a cache


def test_the_failures_told_are_of_causes_unlike_each_other():
    rows = [failed(f"same-{n}", OPS) for n in range(5)] + [
        failed("other", [["num_free_blocks"]], "num_free_blocks", "7")
    ]
    assert {cause.first["id"] for cause in to_tell(public(*rows))} == {"same-0", "other"}
