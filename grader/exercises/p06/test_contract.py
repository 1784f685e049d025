"""The fine print: what the spec fixes beside the eight points, and what shows only over many ops."""

from __future__ import annotations

from grader.checks import check
from grader.exercises.p06.contents import contents
from grader.exercises.p06.generate import crowd, known_block_evicted, long_prompt, prefix_of_duplicates, random_story
from grader.replay.op import Row, p06_story
from grader.subject import Subject
from grader.words import N_


@check(
    "can-allocate",
    N_("can_allocate is exactly ceil(num_tokens / block_size) <= num_free_blocks"),
    hint="can-allocate",
    why=N_("It ignores hits: its yes is a promise, its no is not."),
)
def test_can_allocate(subject: Subject) -> None:
    why = N_("It ignores hits: its yes is a promise, its no is not.")
    for size in (1, 2, 3, 16):
        rows: list[Row] = [["can_allocate", tokens] for tokens in range(0, 5 * size + 2)]
        rows += [["allocate", "a", list(range(2 * size))], ["num_free_blocks"]]
        rows += [["can_allocate", tokens] for tokens in range(0, 5 * size + 2)]
        rows += [["free", "a"], ["can_allocate", 4 * size], ["can_allocate", 4 * size + 1]]
        subject.agrees([p06_story(4, size, rows, cache) for cache in (True, False)], why)
    subject.agrees(p06_story(1, 4, [["can_allocate", 4], ["can_allocate", 5], ["allocate", "a", [1]]]), why)


@check(
    "cache-off",
    N_("with enable_prefix_cache=False nothing is ever cached"),
    hint="cache-off",
    why=N_("Nothing is registered, every freed block returns to the free list, num_cached_tokens is 0."),
)
def test_cache_off(subject: Subject) -> None:
    why = N_("Nothing is registered, every freed block returns to the free list, num_cached_tokens is 0.")
    rows: list[Row] = [
        ["allocate", "a", [1, 2, 3, 4, 5]],
        ["append_slot", "a", 6],
        ["allocate", "b", [1, 2, 3, 4]],
        ["num_cached_tokens", "b"],
        ["num_free_blocks"],
        ["free", "a"],
        ["allocate", "c", [1, 2, 3, 4, 5, 6, 7]],
        ["num_cached_tokens", "c"],
        ["free", "b"],
        ["free", "c"],
        ["allocate", "d", [1, 2, 3]],
    ]
    subject.agrees(p06_story(8, 2, rows, cache=False), why)
    shapes = ((seed, 1 + seed % 9, 1 + seed % 4) for seed in range(30))
    subject.agrees((random_story(900 + seed, blocks, size, 40, cache=False) for seed, blocks, size in shapes), why)


@check(
    "callers-list",
    N_("the list passed to allocate stays the caller's own"),
    hint="list-ownership",
    why=N_(
        "The caller goes on using its list: whatever it writes there must not show in the manager, nor the reverse."
    ),
)
def test_callers_list(subject: Subject) -> None:
    why = N_(
        "The caller goes on using its list: whatever it writes there must not show in the manager, nor the reverse."
    )
    read: list[Row] = [
        ["allocate", "a", [1, 2, 3]],
        ["list", "a"],
        ["append_slot", "a", 4],
        ["list", "a"],
        ["free", "a"],
        ["list", "a"],
    ]
    refused: list[Row] = [["allocate", "a", [1, 2, 3, 4, 5, 6, 7, 8, 9]], ["list", "a"]]
    written: list[Row] = [
        ["allocate", "a", [1, 2, 3]],
        ["scribble", "a", [7, 7, 7, 7, 7, 7]],
        ["slot", "a", 2],
        ["append_slot", "a", 4],
        ["append_slot", "a", 5],
        ["list", "a"],
        ["allocate", "b", [1, 2, 3, 4, 5]],
        ["num_cached_tokens", "b"],
        ["allocate", "c", [7, 7, 7]],
        ["num_cached_tokens", "c"],
    ]
    emptied: list[Row] = [
        ["allocate", "a", [1, 2, 3]],
        ["scribble", "a", []],
        *written[3:8],
        ["free", "a"],
        ["num_free_blocks"],
    ]
    stories = [p06_story(8, 2, rows, cache) for rows in (read, written, emptied) for cache in (True, False)]
    subject.agrees([*stories, p06_story(2, 2, refused)], why)


@check(
    "ids-of-any-kind",
    N_('0, 1, "", "1" and "0" are five different sequence ids'),
    hint="ids",
    why=N_("An id is a str or an int, and 0 and the empty string are ids like any other."),
)
def test_ids_of_any_kind(subject: Subject) -> None:
    ids: list[str | int] = [0, "", "0", 1, "1", -1, 2**40]
    rows: list[Row] = []
    for number, seq in enumerate(ids):
        rows += [["allocate", seq, [number, 5, 0]], ["num_cached_tokens", seq], ["append_slot", seq, 0]]
    rows += [["slot", seq, 3] for seq in ids]
    for seq in ids:
        rows += [["free", seq], ["num_free_blocks"]]
    why = N_("An id is a str or an int, and 0 and the empty string are ids like any other.")
    subject.agrees([p06_story(16, 2, rows, cache) for cache in (True, False)], why)


@check(
    "two-managers",
    N_("two managers at once do not share state"),
    hint="separate",
    why=N_("State that lives on the class or the module belongs to every manager of the process."),
)
def test_two_managers(subject: Subject) -> None:
    rows: list[Row] = [["allocate", "a", [1, 2, 3]], ["append_slot", "a", 4], ["num_free_blocks"]]
    more: list[Row] = [
        ["allocate", "b", [1, 2, 3, 4, 5]],
        ["num_cached_tokens", "b"],
        ["free", "a"],
        ["num_free_blocks"],
    ]
    stories = [p06_story(blocks, 2, [*rows, *more]) for blocks in (6, 9)]
    why = N_("State that lives on the class or the module belongs to every manager of the process.")
    subject.agree_together(stories, why)


@check(
    "block-contents",
    N_("blocks are told apart by every token and by all that came before, at any block size"),
    hint="prefix",
    why=N_("Two texts under one key: the second user is served from what the first one wrote."),
)
def test_block_contents(subject: Subject) -> None:
    subject.agrees(contents(), N_("Two texts under one key: the second user is served from what the first one wrote."))


@check(
    "random-small",
    N_("150 random stories on small pools"),
    hint="by-hand",
    why=N_("Small pools are full most of the time: every rule of the contract meets every other."),
)
def test_random_small(subject: Subject) -> None:
    why = N_("Small pools are full most of the time: every rule of the contract meets every other.")
    shapes = ((seed, 1 + seed % 8, 1 + seed // 8 % 4, 20 + seed // 5) for seed in range(150))
    subject.agrees((random_story(seed, blocks, size, ops) for seed, blocks, size, ops in shapes), why)


@check(
    "random-duplicates",
    N_("120 stories with duplicate blocks and holes, one rule kept throughout"),
    hint="duplicates",
    why=N_("What the contract leaves open about duplicates may be answered either way, but always the same way."),
)
def test_random_duplicates(subject: Subject) -> None:
    why = N_("What the contract leaves open about duplicates may be answered either way, but always the same way.")
    subject.agrees((prefix_of_duplicates(seed) for seed in range(120)), why)
    shapes = ((6, 1, 0), (6, 2, 1), (7, 2, 0), (7, 3, 2), (8, 3, 1), (9, 4, 3))
    subject.agrees((known_block_evicted(*shape) for shape in shapes), why)


@check(
    "random-long",
    N_("random stories of 2,000 ops, with large blocks, with long prompts"),
    hint="by-hand",
    why=N_("What leaks or drifts shows only after a while."),
)
def test_random_long(subject: Subject) -> None:
    shapes = (
        (1, 64, 16, True),
        (2, 17, 4, True),
        (3, 5, 1, True),
        (4, 33, 8, True),
        (5, 24, 2, False),
        (6, 1, 3, True),
    )
    stories = (random_story(500 + seed, blocks, size, 2000, cache) for seed, blocks, size, cache in shapes)
    why = N_("What leaks or drifts shows only after a while.")
    subject.agrees(stories, why)
    wide = enumerate((5, 6, 7, 8, 12, 16, 20, 32, 64, 100, 256))
    subject.agrees((random_story(1_100 + n, 3 + n % 6, size, 40) for n, size in wide), why)
    subject.agrees([long_prompt(256, 1), long_prompt(256, 20), crowd(300)], why)
