"""Ops, stories, results, chain tags and traces as data."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.replay.op import Op, Story, op, p06_story
from grader.replay.record import from_json, narrow, to_json, wide
from grader.replay.result import ANY, REFUSED, SKIPPED, raised, refused, same, shown
from grader.replay.state import chain_tag, chain_tags
from grader.replay.trace import run
from grader.replay.watch import from_replies
from tests.bench.traffic import traffic
from tests.unit.replaying import manager, play, steady, stories

SUBCLASS = {"raise": ["Mine", "OutOfBlocks", "Exception"], "text": "none left", "refused": True, "stack": "x"}
CRASH = {"raise": ["KeyError", "LookupError"], "text": "'a'", "refused": False, "stack": ""}


@pytest.mark.parametrize(
    ("one", "call"),
    [
        (op("allocate", "a", [1, 2, 3]), 'allocate("a", [1, 2, 3])'),
        (op("append_slot", 0, 4), "append_slot(0, 4)"),
        (op("free", 'say "hi"'), 'free("say \\"hi\\"")'),
        (op("num_free_blocks"), "num_free_blocks"),
        (op("can_allocate", 5), "can_allocate(5)"),
    ],
)
def test_an_op_as_python(one: Op, call: str) -> None:
    assert one.call() == call


def test_a_long_prompt_is_shortened_in_the_middle_of_a_call() -> None:
    assert op("allocate", "a", list(range(25))).call() == (
        'allocate("a", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 11 more …, 21, 22, 23, 24])'
    )


def test_an_op_knows_its_sequence() -> None:
    assert [op("free", 0).seq, op("can_allocate", 5).seq, op("num_free_blocks").seq] == [0, None, None]


@settings(steady, max_examples=50)
@given(story=stories())
def test_a_story_comes_back_from_json(story: Story) -> None:
    assert Story.from_json(json.loads(json.dumps(story.to_json()))) == story


@pytest.mark.parametrize(
    ("expected", "actual", "answer"),
    [
        (1, 1, True), (1, True, False), (True, 1, False), (0, False, False), (None, None, True), (None, 0, False),
        ([0, 1], [0, 1], True), ([0, 1], [0, True], False), ([0], [0, 1], False), ([], None, False),
        (REFUSED, SUBCLASS, True), (REFUSED, CRASH, False), (REFUSED, None, False), (None, SUBCLASS, False),
        (SKIPPED, {"skip": True}, True), (SKIPPED, SUBCLASS, False), ([0], {"odd": "tuple", "text": "(0,)"}, False),
        (ANY, CRASH, True), (5, {"trouble": "exit", "code": 0}, False),
    ],
)  # fmt: skip
def test_results_are_the_same_in_type_and_value(expected: Any, actual: Any, answer: bool) -> None:
    assert same(expected, actual) is answer


def test_a_refusal_is_told_from_a_crash() -> None:
    assert [refused(SUBCLASS), refused(CRASH), raised(SUBCLASS), raised(CRASH)] == [True, False, True, True]
    assert [refused(value) or raised(value) for value in (None, 0, "raise", [1], SKIPPED)] == [False] * 5


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ([0, 1], "[0, 1]"), (None, "None"), (SUBCLASS, "Mine: none left"), (REFUSED, "OutOfBlocks"),
        ({"odd": "tuple", "text": "(0, 1)"}, "tuple (0, 1)"), ({"trouble": "exit", "code": 0}, "exit"),
    ],
)  # fmt: skip
def test_a_result_in_one_line(result: Any, text: str) -> None:
    assert shown(result) == text


def test_chain_tags_never_change() -> None:
    """They are in stored traces and shared links."""
    assert chain_tags([1, 2, 3, 4, 5], 2) == ["0c730b69905c5ef7", "2f4b2947749e9307"]


def test_a_chain_tag_tells_the_whole_history() -> None:
    tags = {
        chain_tag(None, [3, 4]),
        chain_tag(chain_tag(None, [1, 2]), [3, 4]),
        chain_tag(chain_tag(None, [5, 6]), [3, 4]),
    }
    assert len(tags) == 3


def test_tokens_whose_hashes_collide_have_different_tags() -> None:
    """64 bits with a sign."""
    pairs = [(-1, -2), (0, 2**61 - 1), (2**63 - 1, -(2**63))]
    assert all(chain_tag(None, [one]) != chain_tag(None, [other]) for one, other in pairs)
    with pytest.raises(OverflowError):
        chain_tag(None, [2**63])


digits = st.builds(
    lambda quotes, sign, number: "'" * quotes + sign + str(number),
    st.integers(0, 3), st.sampled_from(["", "-"]), st.integers(10**14, 10**18),
)  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5) | digits,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
)  # fmt: skip


@settings(steady, max_examples=150)
@given(value=values)
def test_what_is_widened_comes_back_and_holds_no_number_that_javascript_rounds(value: Any) -> None:
    text = json.dumps(wide(value))
    assert narrow(json.loads(text)) == value

    def safe(digits: str) -> int:
        assert abs(int(digits)) < 2**53
        return int(digits)

    json.loads(text, parse_int=safe)


@settings(steady, max_examples=80)
@given(story=stories())
def test_a_trace_comes_back_from_json_whole(story: Story) -> None:
    for trace in (run(story), from_replies(story, *play(manager(), story))):
        assert from_json(json.loads(json.dumps(to_json(trace)))) == trace


def test_tokens_and_ids_of_any_size_travel_in_a_trace() -> None:
    big = 2**61 - 1
    rows = [["allocate", big, [big, 2**53, -(2**53), 1]], ["append_slot", big, 2**53 - 1], ["free", big]]
    story = p06_story(3, 2, [*rows, ["allocate", str(big), [big]], ["allocate", "1" * 16, [0]]], id="big", title="Big")
    trace = run(story)
    text = json.dumps(to_json(trace))
    assert str(2**53) + "," not in text.replace('"', "#") and f'"{big}"' in text
    back = from_json(json.loads(text))
    assert back == trace and (back.story.id, back.story.title) == ("big", "Big")


def test_a_trace_of_another_schema_is_refused() -> None:
    data = {**to_json(run(p06_story(1, 1, []))), "schema": 2}
    with pytest.raises(ValueError, match="schema"):
        from_json(data)


def test_a_step_state_is_reached_by_its_events() -> None:
    story = p06_story(3, 2, [["allocate", "a", [1, 2, 3]], ["free", "a"]])
    trace = run(story)
    first, last = trace.at(0), trace.at(1)
    assert first is not None and last is not None
    assert (first.tables, list(first.free_list)) == ({"a": [0, 1]}, [2])
    assert (last.tables, list(last.free_list), list(last.evictable)) == ({}, [2, 1], [0])
    assert trace.at(-1) == trace.initial


@pytest.mark.slow
def test_a_long_trace_is_cheap() -> None:
    """10,000 ops on 1,024 blocks. The aim is 2 s and 3 MB; a busy machine gets four times the time."""
    story = traffic()
    began = time.process_time()
    trace = run(story)
    text = json.dumps(to_json(trace), separators=(",", ":"))
    assert time.process_time() - began < 8
    assert len(story.ops) == 10_000 and len(text) < 3_000_000


SOUND = {"free_list": [0], "evictable": [], "ref": [0, 0], "block_hash": [1, None], "hash_to_block": [], "tables": []}
ANSWERS: list[Any] = [
    None, 0, 10**20, -5, [], [0, 9, -1, 10**20], "x", CRASH, SUBCLASS, SKIPPED,
    {"odd": "set", "text": ""}, {"trouble": "exit"},
]  # fmt: skip
JUNK: list[Any] = [
    None, 1, "x", [], {}, {"inside": 1}, {"inside": {}, "public": []}, {"public": {"num_free_blocks": True}},
    {"public": {"num_free_blocks": 1, "tables": [[["a"], [0]]], "cached": []}},
    {"public": {"num_free_blocks": 1, "tables": [["a", ["0"]]], "cached": []}},
    {"public": {"num_free_blocks": 1, "tables": [["a"]], "cached": 5}},
    *({"inside": {**SOUND, **spoilt}} for spoilt in (
        {"free_list": [9]}, {"evictable": [0, 0]}, {"ref": [0]}, {"block_hash": [{}, None]}, {"hash_to_block": [[1]]},
        {"tables": [["a", [True]]]},
    )),
]  # fmt: skip


@settings(steady, max_examples=100)
@given(
    junk=st.lists(st.sampled_from(JUNK), max_size=4),
    after=st.integers(0, 4),
    results=st.lists(st.sampled_from(ANSWERS), max_size=4),
)
def test_no_view_or_result_from_a_sandbox_makes_the_replay_fail(
    junk: list[Any], after: int, results: list[Any]
) -> None:
    story = p06_story(2, 2, [["allocate", "a", [1, 2]], ["append_slot", "a", 3], ["slots", "a"], ["free", "a"]])
    views = play(manager(), story)[1]
    trace = from_replies(story, results, [*views[:after], *junk])
    assert len(trace.steps) == len(results)
    assert from_json(to_json(trace)) == trace
    assert len(list(trace.states())) == len(list(trace.views())) == len(results)


def test_an_inside_that_becomes_unreadable_is_judged_from_outside_from_there() -> None:
    story = p06_story(3, 2, [["allocate", "a", [1, 2, 3]], ["num_free_blocks"], ["free", "a"], ["num_free_blocks"]])
    results, views = play(manager(), story)
    views[3]["inside"] = None
    trace = from_replies(story, results, views)
    assert [step.readable for step in trace.steps] == [True, True, False, False]
    assert [step.agree for step in trace.steps] == [True] * 4
    assert [state is None for state in trace.states()] == [False, False, True, True]
    assert [view and view["num_free_blocks"] for view in trace.views()] == [1, 1, 3, 3]
    assert trace.steps[2].explained


def test_results_alone_make_a_trace_as_well() -> None:
    story = p06_story(3, 2, [["allocate", "a", [1, 2, 3]], ["num_free_blocks"], ["free", "a"]])
    trace = from_replies(story, [[0, 1], 2, None])
    assert [step.agree for step in trace.steps] == [True, False, None]
    assert trace.steps[1].expected == 1 and list(trace.views()) == [None] * 3


def test_a_lost_block_shows_from_outside() -> None:
    story = p06_story(3, 2, [["allocate", "a", [1, 2, 3]], ["allocate", "b", [1, 2, 4]]])
    public = {"num_free_blocks": 1, "tables": [["a", [0, 1]], ["b", [0, 1]]], "cached": [["a", 0], ["b", 3]]}
    fresh = {"num_free_blocks": 3, "tables": [], "cached": []}
    first = {"num_free_blocks": 1, "tables": [["a", [0, 1]]], "cached": [["a", 0]]}
    trace = from_replies(story, [[0, 1], [0, 1]], [{"public": view} for view in (fresh, first, public)])
    assert [(one.name, one.block) for one in trace.steps[1].broken] == [("I1", 1), ("I5", None)]
