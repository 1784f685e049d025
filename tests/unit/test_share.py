"""Links: what is put into one comes out again, and whatever else is in one does no harm."""

from __future__ import annotations

import base64
import zlib
from random import Random
from urllib.parse import parse_qs

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from app import share
from app.stories import FIRST, OWN, stories
from grader.exercises.p06.evening import busy_evening
from grader.replay.form import write
from grader.replay.op import p06_story
from grader.replay.text import parse
from tests.unit.replaying import steady
from tests.unit.replaying import stories as any_story

MISTAKES = frozenset({"free-forwards"})


def fields(query: str) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(query).items()}


@steady
@given(any_story())
def test_ones_own_story_survives_the_link(story):
    assume(not parse(write(story.ops)).problems)  # what the editor takes
    opened = share.opened(fields(share.query(story, "free-forwards", "zh")), MISTAKES)
    assert (opened.story_id, opened.by, opened.problem) == (OWN, "free-forwards", None)
    assert (opened.own.params, opened.own.ops) == (story.params, story.ops)


@pytest.mark.parametrize("story", stories().values(), ids=lambda story: story.id)
def test_a_story_of_the_house_is_called_by_name(story):
    query = share.query(story, share.REFERENCE, "en")
    assert query == f"story={story.id}&lang=en"
    assert share.opened(fields(query + "&step=8"), MISTAKES) == share.Shared(story.id, step=8)


def test_a_story_of_30_ops_takes_less_than_2_kb():
    random, rows = Random(1), []
    for number in range(10):
        rows += [["allocate", f"guest{number}", [random.randrange(32_000) for _ in range(24)]]]
        rows += [["append_slot", f"guest{number}", random.randrange(32_000)] for _ in range(2)]
    assert len(share.query(p06_story(64, 16, rows), "free-forwards", "en")) < 2_000
    evening = p06_story(32, 4, [op.to_json() for op in busy_evening().ops[:30]])
    assert len(share.query(evening, share.REFERENCE, "en")) < 1_000


def test_a_story_too_long_for_a_link_has_none():
    random = Random(1)
    rows = [["allocate", f"s{number}", [random.randrange(10**6) for _ in range(99)]] for number in range(99)]
    assert share.query(p06_story(8, 2, rows), share.REFERENCE, "en") is None


@pytest.mark.parametrize(
    ("link", "story_id", "by"),
    [
        ({"story": "worked-9"}, FIRST, share.REFERENCE),
        ({"s": "1oops"}, FIRST, share.REFERENCE),
        ({"s": ""}, FIRST, share.REFERENCE),
        ({"s": "2AAAA"}, FIRST, share.REFERENCE),
        ({"s": "1" + "A" * 5000}, FIRST, share.REFERENCE),
        ({"story": "worked-1", "by": "nobody"}, "worked-1", share.REFERENCE),
        ({"story": "../../etc/passwd", "by": "free-forwards"}, FIRST, "free-forwards"),
    ],
)
def test_a_broken_link_opens_another_story_and_says_so(link, story_id, by):
    opened = share.opened(link, MISTAKES)
    assert (opened.story_id, opened.by, opened.own) == (story_id, by, None)
    assert opened.problem is not None


@pytest.mark.parametrize("step", ["-1", "x", "", "99999999999", "٣"])
def test_a_step_that_is_none_is_left_out(step):
    assert share.opened({"story": FIRST, "step": step}, MISTAKES) == share.Shared(FIRST)


@settings(deadline=None, derandomize=True, database=None)
@given(st.text(max_size=60))
def test_nothing_in_a_link_raises(blob):
    assert share.opened({"s": blob}, MISTAKES).problem is not None


@settings(deadline=None, derandomize=True, database=None)
@given(st.data())
def test_a_mistyped_link_gives_a_story_or_a_sentence(data):
    good = share.pack(busy_evening())
    at = data.draw(st.integers(0, len(good) - 1))
    opened = share.opened({"s": good[:at] + data.draw(st.sampled_from("AbZ09-_")) + good[at + 1 :]}, MISTAKES)
    assert (opened.own is None) == (opened.problem is not None)


def packed(text: str) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, share._DICTIONARY)
    return "1" + base64.urlsafe_b64encode(squeeze.compress(text.encode()) + squeeze.flush()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text", ["", "8 2", "8 2 2\n", "9999 2 1\n", "8 0 1\n", "8 2 1\nfree a", "x y z\n", "8 2 1\n" + " " * 10**6]
)
def test_a_link_is_held_to_what_the_editor_allows(text):
    with pytest.raises(ValueError):
        share.unpack(packed(text))
