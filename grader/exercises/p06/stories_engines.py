"""What real engines' block managers got wrong in public bug reports, each boiled down to a few ops."""

from __future__ import annotations

from grader.replay.op import Row, p06_story
from grader.words import N_

# Different blocks that a hasty identity takes for one: digits run together, order or sum alone, high bits cut off.
LOOK_ALIKES = [([1, 12], [11, 2]), ([3, 4], [4, 3]), ([5, 0], [0, 5]), ([2, 7], [3, 6]), ([8, 8], [9, 9])]
LOOK_ALIKES += [([70, 1], [70 + 2**bits, 1]) for bits in (8, 15, 16, 24, 30)]


def _apart() -> list[Row]:
    rows: list[Row] = []
    for number, pair in enumerate(LOOK_ALIKES):
        for seq, block in zip((f"a{number}", f"b{number}"), pair, strict=True):
            rows += [["allocate", seq, [*block, 6]], ["num_cached_tokens", seq]]
    return rows


ENGINE_STORIES = [
    p06_story(
        3,
        2,
        [
            ["allocate", "a", [1, 2]],
            ["free", "a"],
            ["allocate", "b", [7, 8, 5, 6, 1, 2]],
            ["free", "b"],
            ["allocate", "c", [1, 2, 9]],
            ["num_cached_tokens", "c"],
            ["num_free_blocks"],
        ],
        id="stale-map-after-reuse",
        title=N_("a reused block is no longer found under its old content"),
    ),
    p06_story(
        3,
        2,
        [
            ["allocate", "a", [1, 2, 3, 4, 5, 6]],
            ["free", "a"],
            ["allocate", "z", [9]],
            ["free", "z"],
            ["allocate", "c", [1, 2, 3, 4, 5]],
            ["num_cached_tokens", "c"],
        ],
        id="head-first-eviction",
        title=N_("the tail of a freed prompt is evicted before its head"),
    ),
    p06_story(
        5,
        2,
        [
            ["allocate", "a", [1, 2]],
            ["allocate", "b", [1, 2]],
            ["append_slot", "b", 3],
            ["append_slot", "b", 4],
            ["free", "a"],
            ["allocate", "z", [9, 9, 8, 8, 7]],
            ["free", "z"],
            ["free", "b"],
            ["allocate", "c", [1, 2, 3, 4, 5]],
            ["num_cached_tokens", "c"],
        ],
        id="real-gap-after-duplicate",
        title=N_("a block behind a gap is not used"),
    ),
    p06_story(
        4,
        4,
        [
            ["allocate", "a", [1, 2]],
            ["append_slot", "a", 3],
            ["append_slot", "a", 4],
            ["free", "a"],
            ["allocate", "b", [1, 2, 3, 4, 5]],
            ["num_cached_tokens", "b"],
        ],
        id="first-block-filled-by-append",
        title=N_("a prompt shorter than a block, filled by append, is found"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["allocate", "c", [1, 2, 5, 6, 7, 8, 9]],
            ["num_free_blocks"],
            ["free", "a"],
            ["num_free_blocks"],
            ["allocate", "d", [20, 21, 22, 23, 24, 25, 26, 27]],
            ["num_free_blocks"],
        ],
        id="oom-after-touch-leaks-ref",
        title=N_("a refused prompt leaves no reference count behind"),
    ),
    p06_story(
        3,
        2,
        [
            ["allocate", "a", [1, 2, 3, 4]],
            ["free", "a"],
            ["allocate", "z", [9]],
            ["allocate", "b", [1, 2, 3, 4, 5]],
            ["num_free_blocks"],
            ["can_allocate", 5],
            ["can_allocate", 4],
        ],
        id="evictable-hits-cost-a-place",
        title=N_("reviving a hit costs the place that it seemed to leave"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3, 4]],
            ["allocate", "b", [1, 2, 3, 4]],
            ["num_cached_tokens", "b"],
            ["slot", "b", 3],
            ["num_free_blocks"],
        ],
        id="full-hit-keeps-last-block-private",
        title=N_("an identical prompt still gets a last block of its own"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2]],
            ["num_free_blocks"],
            ["append_slot", "a", 3],
            ["num_free_blocks"],
            ["append_slot", "a", 4],
            ["num_free_blocks"],
            ["append_slot", "a", 5],
            ["num_free_blocks"],
        ],
        id="append-boundary",
        title=N_("a block is taken exactly at the boundary"),
    ),
    p06_story(
        3,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["allocate", "b", [1, 2, 4]],
            ["free", "a"],
            ["num_free_blocks"],
            ["allocate", "z", [9]],
            ["num_free_blocks"],
            ["slot", "b", 0],
            ["slot", "b", 2],
        ],
        id="shared-block-survives-owner",
        title=N_("a shared block outlives the sequence that filled it"),
    ),
    p06_story(
        2,
        2,
        [
            ["allocate", "a", [1, 2, 3, 4, 5]],
            ["num_free_blocks"],
            ["allocate", "b", [1, 2, 3, 4]],
            ["num_cached_tokens", "b"],
            ["num_free_blocks"],
        ],
        id="failed-allocate-leaves-nothing",
        title=N_("an id that was refused can be allocated"),
    ),
    p06_story(
        6,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["free", "a"],
            ["allocate", "b", [1, 2, 3, 4]],
            ["num_cached_tokens", "b"],
            ["free", "b"],
            ["allocate", "c", [1, 2, 3]],
            ["num_cached_tokens", "c"],
        ],
        id="partial-block-never-cached",
        title=N_("a half-full block is never found"),
    ),
    p06_story(
        6,
        2,
        [
            ["allocate", "a", [65, 66, 1]],
            ["allocate", "b", [321, 322, 1]],
            ["num_cached_tokens", "b"],
            ["allocate", "c", [2**30 + 65, 66, 1]],
            ["num_cached_tokens", "c"],
        ],
        id="wide-token-ids",
        title=N_("token ids that agree in their low bits are different tokens"),
    ),
    p06_story(50, 2, _apart(), id="look-alike-blocks", title=N_("blocks that only look alike are told apart")),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["allocate", "b", [1, 2, 4]],
            ["num_cached_tokens", "b"],
            ["slot", "b", 0],
            ["free", "a"],
            ["free", "b"],
            ["allocate", "c", [1, 2, 5]],
            ["num_cached_tokens", "c"],
        ],
        id="block-zero-is-a-real-block",
        title=N_("block 0 is shared, counted and found like any other"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["free", "a"],
            ["allocate", "b", [1, 2, 4]],
            ["num_cached_tokens", "b"],
            ["num_free_blocks"],
        ],
        id="freed-blocks-are-still-hits",
        title=N_("freed blocks still hit"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3]],
            ["free", "a"],
            ["allocate", "b", [30, 31, 32, 33]],
            ["free", "b"],
            ["allocate", "c", [1, 2, 9]],
            ["num_cached_tokens", "c"],
        ],
        id="unhashed-free-first",
        title=N_("free blocks are used before cached ones"),
    ),
    p06_story(
        4,
        2,
        [
            ["allocate", "a", [1, 2, 3, 4, 5]],
            ["free", "a"],
            ["num_free_blocks"],
            ["allocate", "b", [1, 2, 3, 4, 5]],
            ["num_cached_tokens", "b"],
            ["append_slot", "b", 6],
            ["free", "b"],
            ["allocate", "c", [1, 2, 3]],
            ["num_cached_tokens", "c"],
            ["num_free_blocks"],
        ],
        cache=False,
        id="cache-off-never-hits",
        title=N_("with the cache off nothing is ever found"),
    ),
    p06_story(
        3,
        2,
        [
            ["can_allocate", 6],
            ["can_allocate", 7],
            ["can_allocate", 0],
            ["allocate", "a", [1, 2, 3, 4, 5, 6]],
            ["num_free_blocks"],
            ["can_allocate", 1],
            ["can_allocate", 0],
            ["append_slot", "a", 9],
            ["free", "a"],
            ["num_free_blocks"],
        ],
        id="exact-capacity",
        title=N_("the pool can be used to its last block, not beyond"),
    ),
]
