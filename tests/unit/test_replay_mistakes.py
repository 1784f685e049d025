"""On a manager that makes a mistake the replay never fails, and shows where the manager left the contract."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.replay.compare import first_difference
from grader.replay.events import apply
from grader.replay.explain import READINGS, Reading, explain
from grader.replay.observe import agree, observe
from grader.replay.op import p06_story
from grader.replay.record import from_json, to_json
from grader.replay.result import same
from grader.replay.trace import Trace, run
from grader.replay.watch import from_replies
from grader.replay.witness import Witness
from solutions.mistakes import Mistake
from tests.sampling import third
from tests.unit.replaying import P06, crashed, manager, mistaken, play, steady, stories, story_of, watched

each_mistake = pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)


@each_mistake
@pytest.mark.parametrize("reading", third(READINGS), ids=lambda r: "".join("yn"[not answer] for answer in r))
def test_a_mistake_parts_from_the_contract_on_its_own_story(mistake: Mistake, reading: Reading) -> None:
    if mistake.id == "evict-foreign-entry" and not (
        reading.allocate_duplicates_carry or reading.append_duplicates_carry
    ):
        return  # no mistake where duplicates carry no hash
    trace = watched(manager(mistake.cls, reading), story_of(mistake))
    parted = [step for step in trace.steps if step.agree is False]
    assert parted
    assert all(step.readable for step in trace.steps)


@each_mistake
def test_where_agree_is_false_the_observed_or_the_result_is_another(mistake: Mistake) -> None:
    for step in watched(manager(mistake.cls), story_of(mistake)).steps:
        if step.agree is False:
            assert not agree(step.explained, step.events) or step.expected != step.result


@each_mistake
def test_seen_from_outside_a_mistake_parts_at_the_first_wrong_result_and_is_not_judged_after_it(
    mistake: Mistake,
) -> None:
    results, views = play(manager(mistake.cls), story_of(mistake))
    trace = from_replies(story_of(mistake), results, [{"public": view["public"]} for view in views])
    agreed = [step.agree for step in trace.steps]
    first = agreed.index(False)
    assert agreed[:first] == [True] * first
    assert agreed[first + 1 :] == [None] * (len(agreed) - first - 1)


#: Which invariants a mistake breaks on its own story. The others keep their books in order, and are wrong all the same.
BREAKS = {
    "hit-limit-len": {"I5"},
    "evictable-hits-counted": {"I4"},
    "revived-stays": {"I1", "I2", "I4"},
    "evict-keeps-entry": {"I3"},
    "shared-returned": {"I1", "I2"},
}


@each_mistake
def test_the_invariants_that_a_mistake_breaks_are_named(mistake: Mistake) -> None:
    trace = watched(manager(mistake.cls), story_of(mistake))
    assert {one.name for step in trace.steps for one in step.broken} == BREAKS.get(mistake.id, set())


@each_mistake
@settings(steady, max_examples=20)
@given(story=stories(), reading=st.sampled_from(READINGS))
def test_explain_and_apply_stand_on_every_state_that_a_mistake_leads_to(
    mistake: Mistake, story: Any, reading: Reading
) -> None:
    results, views = play(manager(mistake.cls, reading), story)
    witness = Witness(story)
    state = witness.see(None, None, views[0])
    for op, result, view in zip(story.ops, results, views[1:], strict=False):
        for other in READINGS:
            apply(state.copy(), explain(state, op, other).events)
        after = witness.see(op, result, view)
        assert apply(state.copy(), observe(state, after, op, result)) == after
        state = after


@each_mistake
@settings(steady, max_examples=20)
@given(story=stories(), public=st.booleans())
def test_the_trace_of_a_mistake_gives_back_every_state_and_view_also_as_json(
    mistake: Mistake, story: Any, public: bool
) -> None:
    results, views = play(manager(mistake.cls), story)
    if public:
        views = [{"public": view["public"]} for view in views]
    trace = from_replies(story, results, views)
    assert from_json(to_json(trace)) == trace
    witness = Witness(story)
    witness.see(None, None, views[0])
    for op, result, view, state, seen in zip(
        story.ops, results, views[1:], trace.states(), trace.views(), strict=False
    ):
        assert witness.see(op, result, view) == state
        assert seen is None if view["public"] is None else _told(seen) == _told(view["public"])
    assert crashed(results) or len(trace.steps) == len(story.ops)


def _told(view: Any) -> Any:
    return view["num_free_blocks"], dict(view["tables"]), dict(view["cached"])


@each_mistake
def test_the_first_difference_is_no_later_than_the_first_wrong_result(mistake: Mistake) -> None:
    story = story_of(mistake)
    mine, reference = watched(manager(mistake.cls), story), run(story)
    found = first_difference(mine, reference)
    wrong = [
        step
        for step, (seen, told) in enumerate(zip(mine.steps, reference.steps, strict=False))
        if not same(told.result, seen.result)
    ]
    assert found is not None and found.step <= wrong[0]


def at(trace: Trace, reference: Trace) -> tuple[int, str, str]:
    found = first_difference(trace, reference)
    assert found is not None
    return found[:3]


def test_the_moment_of_a_mistake_is_seen_inside_before_it_shows_outside() -> None:
    story = p06_story(
        3, 2, [["allocate", "a", [1, 2]], ["free", "a"], ["allocate", "z", [9, 9, 8, 8, 7, 7]], ["free", "z"],
               ["allocate", "b", [1, 2, 3]]],
    )  # fmt: skip
    module = mistaken("evict-keeps-entry")
    assert at(watched(module, story), run(story)) == (2, "inside", "hash_to_block")
    results, views = play(module, story)
    from_outside = from_replies(story, results, [{"public": view["public"]} for view in views])
    assert at(from_outside, run(story)) == (4, "view", "cached")


def test_a_view_parts_where_results_do_not() -> None:
    story = p06_story(3, 2, [["allocate", "a", [1, 2, 3]], ["allocate", "b", [1, 2, 4]], ["free", "a"]])
    results, views = play(mistaken("shared-returned"), story)
    trace = from_replies(story, results, [{"public": view["public"]} for view in views])
    found = first_difference(trace, run(story))
    assert found == (2, "view", "num_free_blocks", 1, 2)
    assert [one.name for one in trace.steps[-1].broken] == ["I4"]
