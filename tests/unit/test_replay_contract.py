"""The replay tells what the reference does, in each of the eight readings, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from grader.replay.caller import OF_THE_CALLER, Caller
from grader.replay.compare import first_difference
from grader.replay.events import apply
from grader.replay.explain import READINGS, Reading, explain
from grader.replay.observe import agree, observe
from grader.replay.op import Story
from grader.replay.result import SKIPPED, same
from grader.replay.state import State
from grader.replay.trace import run
from grader.replay.watch import from_replies
from grader.replay.witness import Witness
from tests.sampling import third
from tests.unit.replaying import manager, play, results_of, steady, stories

each_reading = pytest.mark.parametrize(
    "reading", third(READINGS), ids=lambda r: "".join("yn"[not answer] for answer in r)
)


@each_reading
@settings(steady, max_examples=45)
@given(story=stories())
def test_the_explained_result_is_the_references(reading: Reading, story: Story) -> None:
    told = [step.result for step in run(story, reading).steps]
    results = results_of(manager(reading=reading), story)
    assert len(told) == len(results) and all(map(same, told, results))


@each_reading
@settings(steady, max_examples=45)
@given(story=stories())
def test_the_explained_events_lead_from_each_state_of_the_reference_to_the_next(reading: Reading, story: Story) -> None:
    results, views = play(manager(reading=reading), story)
    witness = Witness(story)
    state = witness.see(None, None, views[0])
    assert state == State(**story.params)
    for op, result, view in zip(story.ops, results, views[1:], strict=True):
        events = explain(state, op, reading).events
        after = witness.see(op, result, view)
        assert apply(state.copy(), events) == after, op
        state = after


@each_reading
@settings(steady, max_examples=45)
@given(story=stories())
def test_explain_and_observe_agree_on_the_reference(reading: Reading, story: Story) -> None:
    results, views = play(manager(reading=reading), story)
    witness = Witness(story)
    state = witness.see(None, None, views[0])
    for op, result, view in zip(story.ops, results, views[1:], strict=True):
        after = witness.see(op, result, view)
        observed = observe(state, after, op, result)
        assert agree(explain(state, op, reading).events, observed), op
        assert apply(state.copy(), observed) == after, op
        state = after


@each_reading
@settings(steady, max_examples=25)
@given(story=stories())
def test_the_reference_breaks_no_invariant_and_is_followed_all_the_way(reading: Reading, story: Story) -> None:
    trace = from_replies(story, *play(manager(reading=reading), story))
    assert all(step.agree and step.readable and step.broken == () and step.view is None for step in trace.steps)
    assert first_difference(trace, run(story, reading)) is None


@settings(steady, max_examples=45)
@given(story=stories())
def test_seen_from_outside_the_reference_is_right_as_well(story: Story) -> None:
    results, views = play(manager(), story)
    trace = from_replies(story, results, [{"public": view["public"]} for view in views])
    assert trace.initial is None
    assert all(step.agree and not step.readable and step.broken == () for step in trace.steps)
    assert [set(map(str, view["tables"])) for view in trace.views()] == [
        set(map(str, view["public"]["tables"])) for view in views[1:]
    ]
    assert first_difference(trace, run(story)) is None


@settings(steady, max_examples=45)
@given(story=stories())
def test_explain_only_reads(story: Story) -> None:
    state, caller = State(**story.params), Caller()
    for op in story.ops:
        before = state.copy()
        told = explain(state, op)
        assert state == before
        caller.note(op, caller.answer(op) if op.name in OF_THE_CALLER else told.result)
        apply(state, told.events)


def test_an_op_that_cannot_be_asked_is_skipped() -> None:
    story = Story.from_json(
        {"num_blocks": 2, "block_size": 2, "enable_prefix_cache": True,
         "ops": [["free", "a"], ["append_slot", "a", 1], ["slot", "a", 0], ["num_cached_tokens", "a"], ["list", "a"],
                 ["scribble", "a", [1]], ["allocate", "a", [1]], ["allocate", "a", [1]], ["slot", "a", 1]]}
    )  # fmt: skip
    results = [step.result for step in run(story).steps]
    assert results == [SKIPPED] * 6 + [[0], SKIPPED, SKIPPED]
    assert results == results_of(manager(), story)
