"""A KVCacheManager beside the contract, op by op: where its lists, its answers and its rows first part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.exercises.l22.stories import ORDER, PREFILL, TURNS, l22_story
from grader.playing_paged import play_paged
from grader.sandbox.limits import Limits
from solutions.mistakes import reference_source, source

pytestmark = [pytest.mark.torch, pytest.mark.slow]
NAME = "l22_paged_attention.py"


def play(text: str, story):
    return play_paged(text.encode(), NAME, story, "process")


@pytest.mark.parametrize("story", [PREFILL, ORDER, TURNS], ids=lambda story: story.id)
def test_the_answer_never_parts(story):
    seen = play(reference_source("l22"), story)
    assert seen.problem is None and seen.first_difference is None and len(seen.looks) == len(story.ops)


def test_a_state_that_no_answer_shows_yet_is_a_difference():
    seen = play(source("round-down"), PREFILL)
    first = seen.looks[seen.first_difference or 0]
    assert (first.op.name, first.answered, first.kept) == ("prefill", True, False)
    assert first.mine.requests == [("r", 6, [0])] and first.reference.requests == [("r", 6, [0, 1])]


def test_rows_say_where_in_the_cache_they_stand():
    last = play(source("sorted-table"), ORDER).looks[-1]
    assert last.mine.origins == [*range(8, 12), *range(28, 32), 36]
    assert last.reference.origins == [*range(28, 32), *range(8, 12), 36]
    assert last.mine.shape == last.reference.shape == [9, 8]


def test_lists_that_cannot_be_read_leave_the_answers():
    hidden = reference_source("l22").replace("self.free_blocks", "self.pool") + (
        "\n\nclass KVCacheManager(KVCacheManager):\n    free_blocks = property(lambda self: 'mine')\n"
    )
    seen = play(hidden, l22_story(4, 4, [["prefill", "r", 3], ["gather", "r"]]))
    assert [look.mine.free for look in seen.looks] == [None, None] and seen.first_difference is None


@pytest.mark.parametrize(
    ("text", "said"),
    [("def (", "is not valid Python"), ("x = 1", "no {what}"), ("while True: pass", "still running"),
     ("\0", "null byte")],
)  # fmt: skip
def test_what_cannot_be_played_is_said(text, said):
    limits = replace(Limits(), load_s=1.5, memory_mib=2048)
    seen = play_paged(text.encode(), NAME, PREFILL, "process", limits)
    assert seen.looks == () and seen.problem is not None and said in seen.problem.msgid


def test_a_call_that_never_returns_ends_the_play_there():
    stuck = reference_source("l22") + (
        "\n\nclass KVCacheManager(KVCacheManager):\n    def get_physical_cache(self, req):\n        while True: pass\n"
    )
    seen = play(stuck, l22_story(4, 4, [["prefill", "r", 3], ["gather", "r"], ["gather", "r"]]))
    assert len(seen.looks) == 1 and seen.problem is not None and "still running" in seen.problem.msgid
