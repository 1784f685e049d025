"""A mistake written into the reference's text answers as its class does, and is as small as it can be."""

from __future__ import annotations

import difflib
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from grader.replay.op import Story
from solutions.mistake_edits import EDITS
from solutions.mistakes import BY_ID, MISTAKES, Mistake, edited, reference_source
from solutions.p06_block_manager import OutOfBlocks
from tests.unit.replaying import P06, play, steady, story_of
from tests.unit.replaying import stories as any_story
from tests.unit.test_mistakes import L22, load, play_l22

EDITED = {mistake.id: load(edited(mistake.id)) for mistake in P06}


def both(mistake: Mistake, story: Story) -> tuple[Any, Any]:
    by_class = SimpleNamespace(BlockManager=mistake.cls, OutOfBlocks=OutOfBlocks)
    return play(EDITED[mistake.id], story), play(by_class, story)


def test_every_mistake_has_one():
    assert EDITS.keys() == BY_ID.keys()


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_it_is_one_place_of_the_reference(mistake):
    old, new = reference_source(mistake.exercise).splitlines(), edited(mistake.id).splitlines()
    hunks = [line for line in difflib.unified_diff(old, new, n=3, lineterm="") if line.startswith("@@")]
    assert len(hunks) == 1
    assert all(len(line) <= 120 for line in new)


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_p06_answers_as_the_class_does_on_every_mistakes_story(mistake):
    for other in P06:
        by_text, by_class = both(mistake, story_of(other))
        assert by_text == by_class


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
@settings(steady, max_examples=60)
@given(story=any_story())
def test_p06_answers_as_the_class_does_on_any_story(mistake, story):
    (results, views), (told, seen) = both(mistake, story)
    assert len(results) == len(told)
    crash = bool(told) and isinstance(told[-1], dict) and "raise" in told[-1] and not told[-1]["refused"]
    last = len(told) - 1 if crash else len(told)  # in which class a broken manager crashes says nothing
    assert (results[:last], views) == (told[:last], seen)


@pytest.mark.torch
@pytest.mark.parametrize("mistake", L22, ids=lambda mistake: mistake.id)
def test_l22_answers_as_the_class_does(mistake):
    reference = pytest.importorskip("solutions.l22_paged_attention")
    module = load(edited(mistake.id))
    random = Random(22)
    for story in [*(other.story for other in L22), *(requests(random) for _ in range(60))]:
        by_text = answers(module, module.KVCacheManager, story)
        by_class = answers(reference, mistake.cls, story)
        end = by_class.index("OOM") if "OOM" in by_class else len(by_class)  # a refused decode may have counted
        assert by_text[: end + 1] == by_class[: end + 1]


def answers(module: Any, manager: Any, story: dict[str, Any]) -> list[Any]:
    try:
        return play_l22(module, manager, story)
    except (ValueError, TypeError, IndexError) as crash:
        return [type(crash).__name__]


def requests(random: Random) -> dict[str, Any]:
    """Two requests that grow and are looked at, in a pool that may be too small; where it is not, one is read, too."""
    names, ops = ["r", "s"], list[list[Any]]()
    for name in names:
        ops.append(["prefill", name, random.randint(1, 9)])
    for _ in range(10):
        name = random.choice(names)
        ops += [["decode", name], [random.choice(["table", "seq_len"]), name], ["free_blocks"]]
    blocks = random.choice([3, 5, 40])
    pool = random.sample(range(blocks), blocks)
    ops += [["gather", "r"], ["table", "r"]] if blocks == 40 else []
    return {"num_blocks": blocks, "block_size": random.randint(1, 4), "head_dim": 2, "ops": ops, "free_blocks": pool}
