"""The editor's text form: what is written is read again, and what cannot be read is said by line and column."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.exercises.p06.stories import STORIES
from grader.replay.form import write
from grader.replay.op import Op, op
from grader.replay.text import Caps, parse
from grader.words import translator

NAMES = st.one_of(
    st.sampled_from(["a", "b", "", "7", 7, -1, 0, "tour group", "[", 'say "hi"', "#1", "1..2", "中文", "a\\b", "\\"]),
    st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=8),
    st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, -(10**18)]),
)
TOKENS = st.lists(st.integers(0, 12) | st.integers(0, 2**63 - 1), min_size=1, max_size=12)


@st.composite
def op_lists(draw: st.DrawFn) -> list[Op]:
    ops, live = [], []
    for _ in range(draw(st.integers(0, 12))):
        kind = draw(st.integers(0, 6)) if live else 0
        if kind == 0:
            name = draw(NAMES)
            ops.append(op("allocate", name, draw(TOKENS)))
            live.append(name)
        elif kind == 1:
            ops.append(op("append_slot", draw(st.sampled_from(live)), draw(st.integers(0, 2**63 - 1))))
        elif kind == 2:
            name = draw(st.sampled_from(live))
            ops.append(op("free", name))
            live = [other for other in live if type(other) is not type(name) or other != name]
        elif kind == 3:
            ops.append(op("slot", draw(st.sampled_from(live)), draw(st.integers(0, 99))))
        elif kind == 4:
            ops.append(op(draw(st.sampled_from(["num_cached_tokens", "slots", "list"])), draw(st.sampled_from(live))))
        elif kind == 5:
            ops.append(op("scribble", draw(st.sampled_from(live)), draw(st.lists(st.integers(0, 9), max_size=5))))
        else:
            ops.append(draw(st.sampled_from([op("num_free_blocks"), op("can_allocate", 5)])))
    return ops


def same(left: list[Op], right: tuple[Op, ...]) -> bool:
    """Equal, and 7 is not "7"."""
    return list(left) == list(right) and repr(left) == repr(list(right))


@settings(deadline=None, derandomize=True, database=None)
@given(op_lists())
def test_what_is_written_is_read_again(ops):
    parsed = parse(write(ops))
    assert parsed.problems == ()
    assert same(ops, parsed.ops)


@settings(deadline=None, derandomize=True, database=None)
@given(st.text(st.sampled_from('alocte freapnd 123 [].."\\#,\n\t é\u2028')))
def test_any_text_is_read_or_refused_never_more(text):
    parsed = parse(text)
    assert all(problem.line >= 1 and problem.column >= 1 for problem in parsed.problems)
    assert same(list(parsed.ops), parse(write(parsed.ops)).ops) or parsed.problems


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.id)
def test_every_story_has_a_written_form(story):
    parsed = parse(write(story.ops))
    assert parsed.problems == () and same(list(story.ops), parsed.ops)


def test_the_form_is_the_short_one():
    ops = [op("allocate", "a", [1, 2, 3, 4, 9]), op("append_slot", "a", 4), op("num_cached_tokens", "a")]
    assert write(ops) == "allocate a [1..4 9]\nappend a 4\ncached a\n"


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("alocate a [1]", 1, 1, "there is no op alocate"),
        ("allocate a [1]\n\nappend b 2", 3, 8, "there is no sequence b yet"),
        ("allocate a [1]\nfree a\nfree a", 3, 6, "a was freed in line 2"),
        ("allocate a [1 2", 1, 16, "the bracket is not closed"),
        ("allocate a", 1, 11, "the tokens stand here in brackets"),
        ("allocate", 1, 9, "something is missing here"),
        ("allocate a [1 x 2]", 1, 15, "x is no token"),
        ("allocate a [1 -2]", 1, 15, "-2 is no token"),
        ("allocate a [9..1]", 1, 13, "runs backwards: write 1..9"),
        ("allocate a []", 1, 13, "at least one token"),
        ("allocate a [1]\nfree a b", 2, 8, "b is too much here"),
        ("allocate a [99999999999999999999]", 1, 13, "too large"),
        ('allocate "a [1]', 1, 10, "quotation mark is not closed"),
        ("allocate [1]", 1, 10, "the name of a sequence stands here"),
        ("allocate a [1]\nslot a first", 2, 8, "a number stands here"),
        ("can_allocate many", 1, 14, "a number stands here"),
    ],
)
def test_a_problem_names_its_line_and_column(text, line, column, said):
    problem = parse(text).problems[0]
    assert (problem.line, problem.column) == (line, column)
    assert said in translator("en").text(problem.say)


def test_the_lines_that_can_be_read_are_kept():
    parsed = parse("allocate a [1]\noops\nfree a  # and out\n")
    assert [one.name for one in parsed.ops] == ["allocate", "free"]
    assert len(parsed.problems) == 1


def test_sizes_are_capped():
    caps = Caps(ops=2, prompt=4, tokens=6, name=3)
    said = [translator("en").text(p.say) for p in parse("free_blocks\n" * 9, caps).problems]
    assert said == ["that is more than 2 ops: cut the story here"]
    assert "at most 4 tokens" in translator("en").text(parse("allocate a [0..9]", caps).problems[0].say)
    assert "over 6 tokens" in translator("en").text(parse("allocate a [1..4]\nallocate b [1..4]", caps).problems[0].say)
    assert "at most 3 characters" in translator("en").text(parse("allocate abcd [1]", caps).problems[0].say)


@pytest.mark.parametrize("name", [-(2**63), -(10**18), 2**63 - 1, "-9", str(2**63 - 1)])
def test_a_number_and_its_text_are_two_names(name):
    assert same([op("allocate", name, [1])], parse(write([op("allocate", name, [1])])).ops)


def test_a_huge_range_costs_nothing():
    assert len(parse("allocate a [0..999999999999999999]").problems) == 1
