"""Eight readings in step are eight readings side by side."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.replay.explain import READINGS, Reading
from grader.replay.op import Story, p06_story
from grader.replay.result import ANY, REFUSED, Parting, Result, same
from grader.replay.trace import run
from grader.replay.worlds import Worlds, distinct, follow
from solutions.mistakes import Mistake
from tests.unit.replaying import P06, ROOT, manager, results_of, steady, stories, story_of

CASES = ROOT.parent / "shared" / "cases" / "p06_bug_reports.json"


def alone(story: Story, results: list[Result]) -> tuple[set[Reading], Parting | None]:
    """Each reading kept separately: those that agree throughout, and where the last of them parted."""
    each = {reading: Worlds(story, [reading]) for reading in READINGS}
    for index, (op, actual) in enumerate(zip(story.ops, results, strict=False)):
        expected = {reading: worlds.step(op, actual) for reading, worlds in each.items()}
        left = {reading: worlds for reading, worlds in each.items() if not expected[reading]}
        if not left:
            told = distinct(result for results in expected.values() for result in results)
            return set(each), Parting(index, told, actual)
        each = left
    return set(each), None


def as_set(results: tuple[Result, ...]) -> set[str]:
    return {json.dumps(result) for result in results}


def hold(story: Story, results: list[Result]) -> None:
    readings, parting = alone(story, results)
    told = follow(story, results)
    if parting is None:
        assert isinstance(told, Worlds) and set(told.readings) == readings
    else:
        assert isinstance(told, Parting)
        assert (told.step, told.actual, as_set(told.expected)) == (
            parting.step, parting.actual, as_set(parting.expected)
        )  # fmt: skip


@settings(steady, max_examples=150)
@given(story=stories(40), reading=st.sampled_from(READINGS))
def test_a_right_manager_leaves_the_same_readings(story: Story, reading: Reading) -> None:
    results = results_of(manager(reading=reading), story)
    hold(story, results)
    assert reading in alone(story, results)[0]


@settings(steady, max_examples=150)
@given(story=stories(40), mistake=st.sampled_from(P06), reading=st.sampled_from(READINGS))
def test_a_wrong_manager_parts_at_the_same_op_with_the_same_expectations(
    story: Story, mistake: Mistake, reading: Reading
) -> None:
    hold(story, results_of(manager(mistake.cls, reading), story))


@settings(steady, max_examples=100)
@given(story=stories(40))
def test_before_each_op_the_same_results_are_expected(story: Story) -> None:
    together, each = Worlds(story), [Worlds(story, [reading]) for reading in READINGS]
    for op in story.ops:
        told = as_set(distinct(told.result for _, told in together.expected(op)))
        assert told == as_set(distinct(worlds.expected(op)[0][1].result for worlds in each))
        together.play(op)
        for worlds in each:
            worlds.play(op)
    assert {world.readings: world.state for world in together.worlds} == {
        world.readings: next(
            one.state for one, reading in zip(each, READINGS, strict=True) if reading in world.readings
        )
        for world in together.worlds
    }


def test_readings_that_gave_different_answers_are_told_apart() -> None:
    """A duplicate waits in the pool or on the free list: who comes next gets another block."""
    twins = [["allocate", "a", [1, 2]], ["allocate", "b", [1, 2]], ["allocate", "c", [5]]]
    story = p06_story(4, 2, [*twins, ["free", "b"], ["free", "c"], ["allocate", "z", [9, 9, 9]]])
    for table, carry in (([3, 2], True), ([3, 1], False)):
        worlds = follow(story, [[0], [1], [2], None, None, table])
        assert isinstance(worlds, Worlds)
        assert {reading.allocate_duplicates_carry for reading in worlds.readings} == {carry}


def cases() -> list[Any]:
    if not CASES.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="no ../shared"), id="shared")]
    return [pytest.param(case, id=case["id"]) for case in json.loads(CASES.read_text("utf-8"))]


def expected_of(value: Any) -> Result:
    return {"OutOfBlocks": REFUSED, "*": ANY}.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("case", cases())
def test_a_shared_case_is_explained_in_every_reading(case: dict[str, Any]) -> None:
    story = p06_story(case["num_blocks"], case["block_size"], case["ops"], case["enable_prefix_cache"])
    for reading in READINGS:
        for op, step, value in zip(story.ops, run(story, reading).steps, case["expect"], strict=True):
            expected = expected_of(value)
            assert expected is ANY or same(expected, step.result), (reading, op)


WORKED: dict[str, tuple[Story, list[Any]]] = {
    "1": (
        p06_story(6, 4, [
            ["allocate", "x", [11, 12, 13, 14, 15, 16]], ["num_free_blocks"], ["slot", "x", 5],
            ["append_slot", "x", 17], ["append_slot", "x", 18], ["append_slot", "x", 19], ["num_free_blocks"],
            ["free", "x"], ["allocate", "y", [1, 2, 3]],
        ], cache=False),
        [[0, 1], 4, 5, 6, 7, 8, 3, None, [3]],
    ),
    "2": (
        p06_story(8, 2, [
            ["allocate", "a", [1, 2, 3, 4, 5]], ["num_cached_tokens", "a"], ["allocate", "b", [1, 2, 3, 4, 6]],
            ["num_cached_tokens", "b"], ["num_free_blocks"], ["free", "a"], ["num_free_blocks"], ["free", "b"],
            ["num_free_blocks"], ["allocate", "c", [1, 2, 3, 4]], ["num_cached_tokens", "c"],
        ]),
        [[0, 1, 2], 0, [0, 1, 3], 4, 4, None, 5, None, 8, [0, 4], 2],
    ),
    "3": (
        p06_story(3, 2, [
            ["allocate", "a", [1, 2, 3, 4, 5]], ["free", "a"], ["allocate", "b", [1, 2, 3, 4, 5, 6, 7]],
            ["num_free_blocks"], ["allocate", "b", [1, 2, 3, 4, 5, 6]], ["num_cached_tokens", "b"], ["num_free_blocks"],
        ]),
        [[0, 1, 2], None, REFUSED, 3, [0, 1, 2], 4, 0],
    ),
    "4": (
        p06_story(3, 2, [
            ["allocate", "a", [7, 8, 9]], ["append_slot", "a", 10], ["free", "a"], ["allocate", "b", [7, 8, 9, 10, 11]],
            ["num_cached_tokens", "b"], ["free", "b"], ["allocate", "z", [50, 51, 52, 53, 54, 55]], ["free", "z"],
            ["allocate", "b2", [7, 8, 9, 10, 11]], ["num_cached_tokens", "b2"],
        ]),
        [[0, 1], 3, None, [0, 1, 2], 4, None, [2, 1, 0], None, ANY, 0],
    ),
}  # fmt: skip

#: Free list and evictable pool (oldest first) where the spec tells them, by the index of the op.
POOLS = {
    "1": {7: ([3, 4, 5, 2, 1, 0], [])},
    "2": {7: ([4, 5, 6, 7, 2, 3], [1, 0]), 9: ([5, 6, 7, 2, 3], [1])},
    "3": {1: ([2], [1, 0]), 2: ([2], [1, 0])},
    "4": {2: ([2], [1, 0]), 5: ([2], [1, 0])},
}


@pytest.mark.parametrize("reading", READINGS, ids=lambda r: "".join("yn"[not answer] for answer in r))
@pytest.mark.parametrize("number", WORKED)
def test_a_worked_example_holds_in_every_reading(number: str, reading: Reading) -> None:
    story, expected = WORKED[number]
    trace = run(story, reading)
    assert all(want is ANY or same(want, step.result) for want, step in zip(expected, trace.steps, strict=True))
    for index, (free, cart) in POOLS[number].items():
        state = trace.at(index)
        assert state is not None and (list(state.free_list), list(state.evictable)) == (free, cart)


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_follow_catches_a_mistake_on_its_own_story(mistake: Mistake) -> None:
    assert isinstance(follow(story_of(mistake), results_of(manager(mistake.cls), story_of(mistake))), Parting)
