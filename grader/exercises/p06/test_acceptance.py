"""The eight acceptance points, the fine print of the contract, and the worked examples."""

from __future__ import annotations

import pytest

from grader.checks import check
from grader.exercises.p06.stories_engines import ENGINE_STORIES
from grader.exercises.p06.stories_mistakes import MISTAKE_STORIES
from grader.exercises.p06.stories_worked import WORKED_STORIES
from grader.replay.op import Row, Story, p06_story
from grader.subject import Subject
from grader.words import N_


@check(
    "fresh-pool",
    N_("a new manager has every block free and says what fits"),
    hint="can-allocate",
    why=N_("The engine asks before it lets a request in: a wrong yes is an OutOfBlocks later, a wrong no an idle GPU."),
)
def test_fresh_pool(subject: Subject) -> None:
    for blocks, size in ((4, 4), (3, 1), (1, 16), (7, 3)):
        rows: list[Row] = [["num_free_blocks"], *(["can_allocate", n] for n in range(blocks * size + 2))]
        subject.agrees([p06_story(blocks, size, rows, cache) for cache in (True, False)], WHY["fresh-pool"])


@check(
    "slot-mapping",
    N_("slot is table[pos // block_size] * block_size + pos % block_size"),
    hint="slot",
    why=N_("The attention kernel writes and reads K and V at this slot: one off, and a token reads another's."),
)
def test_slot_mapping(subject: Subject) -> None:
    for size, blocks in ((4, 6), (1, 6), (3, 5), (16, 3)):
        length = size * (blocks - 2) + (size + 1) // 2
        rows: list[Row] = [["allocate", "x", [9]], ["allocate", "a", list(range(1, length + 1))]]
        rows += [["slot", "a", pos] for pos in range(length)]
        subject.agrees([p06_story(blocks, size, rows, cache) for cache in (True, False)], WHY["slot-mapping"])


@check(
    "append-across-boundary",
    N_("append_slot takes a new block exactly when the token opens one"),
    hint="append",
    why=N_("A block taken early is wasted; one taken late means that a token was written into a block of another's."),
)
def test_append_across_boundary(subject: Subject) -> None:
    for size in (1, 2, 4):
        for start in range(1, 2 * size + 1):
            rows: list[Row] = [["allocate", "a", list(range(start))], ["num_free_blocks"]]
            for token in range(2 * size + 1):
                rows += [["append_slot", "a", token], ["num_free_blocks"]]
            rows += [["slot", "a", pos] for pos in range(start + 2 * size + 1)]
            subject.agrees([p06_story(6, size, rows, cache) for cache in (True, False)], WHY["append-across-boundary"])


@check(
    "out-of-blocks-is-atomic",
    N_("a refused allocate or append_slot changes nothing"),
    hint="capacity",
    why=N_("The engine will try again later: what a refused call left behind is leaked, or given out twice."),
)
def test_out_of_blocks_is_atomic(subject: Subject) -> None:
    long = [20, 21, 22, 23, 24, 25, 26, 27, 28]
    allocate: list[Row] = [
        ["allocate", "a", [1, 2, 3]],
        ["allocate", "b", [5, 6, 7, 8]],
        ["free", "b"],
        ["allocate", "c", [1, 2, *long]],
        ["num_free_blocks"],
        ["num_cached_tokens", "a"],
        ["allocate", "c", [5, 6, *long]],
        ["num_free_blocks"],
        ["slot", "a", 2],
        ["append_slot", "a", 4],
        ["allocate", "c", [5, 6, 9]],
        ["num_cached_tokens", "c"],
        ["free", "a"],
        ["free", "c"],
        ["num_free_blocks"],
        ["allocate", "d", long[:8]],
    ]
    append: list[Row] = [
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [3, 4]],
        ["append_slot", "a", 5],
        ["append_slot", "b", 6],
        ["append_slot", "a", 5],
        ["slot", "a", 1],
        ["num_free_blocks"],
        ["free", "b"],
        ["append_slot", "a", 5],
        ["append_slot", "a", 6],
        ["slot", "a", 3],
        ["free", "a"],
        ["num_free_blocks"],
        ["allocate", "c", [1, 2, 5]],
        ["num_cached_tokens", "c"],
    ]
    stories = [p06_story(4, 2, allocate), p06_story(3, 2, append), p06_story(2, 2, append)]
    subject.agrees([*stories, p06_story(4, 2, allocate, cache=False)], WHY["out-of-blocks-is-atomic"])


@check(
    "free-returns-everything",
    N_("after every sequence is freed, every block is free"),
    hint="free",
    why=N_("A block that never comes back is a leak: after a while every request is refused."),
)
def test_free_returns_everything(subject: Subject) -> None:
    rows: list[Row] = []
    for turn in range(3):
        rows += [
            ["allocate", "a", [1, 2, 3, 4, 5]],
            ["allocate", "b", [1, 2, 3, 4, 6]],
            ["append_slot", "a", 6 + turn],
            ["append_slot", "b", 7],
            ["append_slot", "b", 8],
            ["free", "a"],
            ["num_free_blocks"],
            ["free", "b"],
            ["num_free_blocks"],
        ]
    rows += [["allocate", "z", list(range(50, 66))], ["num_free_blocks"], ["free", "z"], ["num_free_blocks"]]
    subject.agrees([p06_story(8, 2, rows, cache) for cache in (True, False)], WHY["free-returns-everything"])


@check(
    "prefix-sharing",
    N_("prompts that begin alike share blocks, and each block counts its users"),
    hint="prefix",
    why=N_("Sharing is what the prefix cache is for; the count says when nobody needs a block any more."),
)
def test_prefix_sharing(subject: Subject) -> None:
    rows: list[Row] = [
        ["allocate", "a", [1, 2, 3, 4, 5]],
        ["allocate", "b", [1, 2, 3, 4, 6]],
        ["num_cached_tokens", "b"],
        ["allocate", "c", [1, 2, 9, 9]],
        ["num_cached_tokens", "c"],
        ["allocate", "d", [3, 4, 5]],
        ["num_cached_tokens", "d"],
        ["num_free_blocks"],
        ["free", "a"],
        ["num_free_blocks"],
        ["free", "c"],
        ["num_free_blocks"],
        ["free", "b"],
        ["num_free_blocks"],
        ["free", "d"],
        ["num_free_blocks"],
    ]
    subject.agrees([p06_story(10, 2, rows)], WHY["prefix-sharing"])


@check(
    "cache-after-free",
    N_("freed blocks still hit, and the last token of a prompt never does"),
    hint="cache-after-free",
    why=N_("The next turn of a chat begins with the last one: its blocks wait to be found, all but the last."),
)
def test_cache_after_free(subject: Subject) -> None:
    rows: list[Row] = [
        ["allocate", "a", [1, 2, 3, 4, 5, 6]],
        ["free", "a"],
        ["num_free_blocks"],
        ["allocate", "b", [1, 2, 3, 4, 5, 6]],
        ["num_cached_tokens", "b"],
        ["num_free_blocks"],
        ["free", "b"],
        ["allocate", "c", [1, 2, 3, 4, 5, 6, 7]],
        ["num_cached_tokens", "c"],
        ["free", "c"],
        ["allocate", "d", [1, 2]],
        ["num_cached_tokens", "d"],
        ["num_free_blocks"],
    ]
    subject.agrees([p06_story(8, 2, rows)], WHY["cache-after-free"])


@check(
    "evicted-no-longer-hits",
    N_("a block that was evicted is no longer found"),
    hint="eviction",
    why=N_("The map would lead to a block with other content: no error, the model just talks nonsense."),
)
def test_evicted_no_longer_hits(subject: Subject) -> None:
    rows: list[Row] = [
        ["allocate", "a", [1, 2, 3, 4]],
        ["free", "a"],
        ["allocate", "z", [9, 9, 8, 8, 7]],
        ["allocate", "b", [1, 2, 3]],
        ["num_cached_tokens", "b"],
        ["free", "z"],
        ["free", "b"],
        ["allocate", "y", [5, 5, 6, 6, 7, 7, 8, 8]],
        ["free", "y"],
        ["allocate", "c", [1, 2, 3, 4, 5]],
        ["num_cached_tokens", "c"],
        ["num_free_blocks"],
    ]
    subject.agrees([p06_story(4, 2, rows)], WHY["evicted-no-longer-hits"])


@check(
    "append-enters-cache",
    N_("a block filled by append_slot is found by later prompts"),
    hint="append-registers",
    why=N_("The answer of one turn is part of the next prompt: it must be found like the rest."),
)
def test_append_enters_cache(subject: Subject) -> None:
    rows: list[Row] = [
        ["allocate", "a", [1, 2, 3]],
        ["append_slot", "a", 4],
        ["append_slot", "a", 5],
        ["append_slot", "a", 6],
        ["allocate", "b", [1, 2, 3, 4, 5, 6, 7]],
        ["num_cached_tokens", "b"],
        ["free", "a"],
        ["free", "b"],
        ["allocate", "c", [1, 2, 3, 4, 9]],
        ["num_cached_tokens", "c"],
        ["num_free_blocks"],
    ]
    subject.agrees([p06_story(8, 2, rows), p06_story(8, 1, rows), p06_story(8, 3, rows)], WHY["append-enters-cache"])


@check("", "", hint="prefix")
@pytest.mark.parametrize("story", WORKED_STORIES, ids=lambda story: story.id)
def test_worked_example(subject: Subject, story: Story) -> None:
    subject.agrees(story, story.note)


@check("mistake", "", hint="prefix")
@pytest.mark.parametrize("story", MISTAKE_STORIES, ids=lambda story: story.id)
def test_classic_mistake(subject: Subject, story: Story) -> None:
    subject.agrees(story, story.note)


@check(
    "engine-bugs",
    N_("what real engines' block managers got wrong"),
    hint="by-hand",
    why=N_("Each of these op lists comes from a public bug report about a real engine."),
)
def test_engine_bugs(subject: Subject) -> None:
    subject.agrees(ENGINE_STORIES, WHY["engine-bugs"])


WHY = {body.check.id: body.check.why for name, body in list(globals().items()) if name.startswith("test_")}
