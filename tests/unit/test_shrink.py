"""A long story that fails becomes a short one that still does, every time the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from grader.exercises.p06.generate import random_story
from grader.replay.explain import READINGS
from grader.replay.op import Op, Story, p06_story
from grader.replay.result import Parting
from grader.replay.trace import run
from grader.replay.worlds import follow
from grader.shrink import Fails, shrink
from grader.smaller import smaller_blocks
from solutions.mistakes import Mistake
from tests.sampling import third
from tests.unit.replaying import P06, manager, results_of, steady, stories

#: These need a full pool or a gap at the right moment, or one block after two beginnings: this traffic seldom brings
#: that about in a large pool.
SELDOM = (
    "evictable-hits-counted", "coarse-check", "append-before-block", "hits-after-gap", "failed-allocate-touches",
    "evict-foreign-entry", "unchained-hash",
)  # fmt: skip


class Counted:
    """Plays stories on a mistake, and counts as the link would charge: ops, and the stories they came in."""

    def __init__(self, mistake: Mistake) -> None:
        self.module, self.ops, self.played = manager(mistake.cls), 0, 0

    def __call__(self, story: Story) -> int | None:
        self.ops += len(story.ops)
        self.played += 1
        told = follow(story, results_of(self.module, story))
        return told.step if isinstance(told, Parting) else None


def asking_for_lists(story: Story) -> Story:
    """With a look at the caller's list after every append."""
    ops = [row for op in story.ops for row in ([op, Op("list", op.args[:1])] if op.name == "append_slot" else [op])]
    return story.with_ops(ops)


def long_failing(fails: Fails, num_blocks: int, block_size: int) -> tuple[Story, int] | None:
    """A random story that goes on for long before it fails, or the first that fails at all, and where."""
    found = None
    for seed in range(12):
        story = asking_for_lists(random_story(seed, num_blocks, block_size, 900))
        at = fails(story)
        if at is not None and at > 100:
            return story, at
        if at is not None and found is None:
            found = story, at
    return found


@pytest.mark.parametrize("shape", [(4, 2), (16, 4), (64, 16)], ids=str)
@pytest.mark.parametrize("mistake", third(P06), ids=lambda mistake: mistake.id)
def test_a_mistakes_long_story_shrinks_to_a_dozen_ops(mistake: Mistake, shape: tuple[int, int]) -> None:
    fails = Counted(mistake)
    found = long_failing(fails, *shape)
    if found is None:
        assert mistake.id in SELDOM and shape != (4, 2)
        return
    story, at = found
    fails.ops = fails.played = 0
    short = shrink(story, at, fails)
    assert fails.ops + 10 * fails.played <= 30_000 + 1_000
    assert fails(short) == len(short.ops) - 1
    assert len(short.ops) <= 12
    assert shrink(story, at, fails) == short


def test_without_budget_the_story_is_only_cut_where_it_fails() -> None:
    story = p06_story(2, 2, [["allocate", "a", [1]], ["free", "a"], ["num_free_blocks"]])
    assert shrink(story, 1, lambda _: 0, budget_ops=0) == story.with_ops(story.ops[:2])


def test_what_fails_always_shrinks_to_one_plain_op() -> None:
    story = p06_story(9, 4, [["allocate", "seq-17", [77, 5, 6, 3, 8]], ["append_slot", "seq-17", 4]])
    short = shrink(story, 1, lambda candidate: len(candidate.ops) - 1)
    assert short == p06_story(1, 2, [["allocate", "a", [1]]])


@settings(steady, max_examples=100)
@given(story=stories(40))
def test_smaller_blocks_leave_every_block_table_as_it_was(story: Story) -> None:
    for smaller in smaller_blocks(story):
        for reading in READINGS[::3]:
            tables = [
                [step.result for step in run(one, reading).steps if step.op.name == "allocate"]
                for one in (story, smaller)
            ]
            assert tables[0] == tables[1]
