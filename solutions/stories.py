"""A short story for each classic mistake, which answers it unlike every reading of the reference."""

from __future__ import annotations

from typing import Any

Story = dict[str, Any]


def _p06(num_blocks: int, *ops: list[Any]) -> Story:
    return {"num_blocks": num_blocks, "block_size": 2, "enable_prefix_cache": True, "ops": list(ops)}


def _l22(num_blocks: int, *ops: list[Any]) -> Story:
    return {"num_blocks": num_blocks, "block_size": 4, "head_dim": 8, "ops": list(ops)}


def _from_pool(free_blocks: list[int], story: Story) -> Story:
    """The caller sets `free_blocks` before the first op: a fresh pool only gives tables in rising order."""
    return {**story, "free_blocks": free_blocks}


STORIES: dict[str, Story] = {
    "half-full-hashed": _p06(
        4,
        ["allocate", "x", [5, 6]],
        ["allocate", "a", [1, 2, 3]],
        ["free", "x"],
        ["free", "a"],
        ["allocate", "z", [9, 9, 8]],
    ),
    "hit-limit-len": _p06(
        3, ["allocate", "a", [1, 2, 3, 4]], ["allocate", "b", [1, 2, 3, 4]], ["num_cached_tokens", "b"]
    ),
    "two-chain-starts": _p06(
        8,
        ["allocate", "x", [9]],
        ["allocate", "a", [1]],
        ["append_slot", "a", 2],
        ["allocate", "b", [5, 6, 7]],
        ["append_slot", "b", 8],
        ["allocate", "c", [1, 2, 3]],
        ["num_cached_tokens", "c"],
        ["allocate", "d", [5, 6, 7, 8, 9]],
        ["num_cached_tokens", "d"],
    ),
    "evict-foreign-entry": _p06(
        6,
        ["allocate", "x", [5]],
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [1, 2]],
        ["allocate", "c", [1]],
        ["append_slot", "c", 2],
        ["free", "b"],
        ["free", "c"],
        ["allocate", "z", [9, 9, 8, 8, 7, 7, 6]],
        ["free", "z"],
        ["allocate", "d", [1, 2, 3]],
        ["num_cached_tokens", "d"],
    ),
    "free-forwards": _p06(
        3,
        ["allocate", "a", [5, 6]],
        ["allocate", "b", [1, 2, 3, 4]],
        ["free", "a"],
        ["free", "b"],
        ["allocate", "z", [9, 9, 8]],
    ),
    "evictable-hits-counted": _p06(
        3,
        ["allocate", "a", [1, 2, 3, 4, 5]],
        ["free", "a"],
        ["allocate", "b", [1, 2, 3, 4, 5, 6, 7]],
        ["num_free_blocks"],
    ),
    "coarse-check": _p06(4, ["allocate", "x", [9]], ["allocate", "a", [1, 2, 3]], ["allocate", "b", [1, 2, 4]]),
    "revived-stays": _p06(
        3,
        ["allocate", "a", [1, 2]],
        ["free", "a"],
        ["allocate", "b", [1, 2, 3]],
        ["num_free_blocks"],
        ["allocate", "z", [9, 8, 7]],
    ),
    "append-before-block": _p06(
        2,
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [9]],
        ["append_slot", "a", 3],
        ["free", "b"],
        ["append_slot", "a", 3],
    ),
    "unchained-hash": _p06(
        4, ["allocate", "a", [1, 2, 3, 4]], ["allocate", "b", [3, 4, 5]], ["num_cached_tokens", "b"]
    ),
    "evict-keeps-entry": _p06(
        3,
        ["allocate", "a", [1, 2]],
        ["free", "a"],
        ["allocate", "z", [9, 9, 8, 8, 7, 7]],
        ["free", "z"],
        ["allocate", "b", [1, 2, 3]],
        ["num_cached_tokens", "b"],
    ),
    "newest-evicted-first": _p06(
        2,
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [3, 4]],
        ["free", "a"],
        ["free", "b"],
        ["allocate", "z", [9]],
    ),
    "evict-before-free": _p06(2, ["allocate", "a", [1, 2]], ["free", "a"], ["allocate", "z", [9]]),
    "append-unregistered": _p06(
        4,
        ["allocate", "a", [1, 2]],
        ["append_slot", "a", 3],
        ["append_slot", "a", 4],
        ["allocate", "b", [1, 2, 3, 4, 5]],
        ["num_cached_tokens", "b"],
    ),
    "callers-list-kept": _p06(
        4,
        ["allocate", "a", [1, 2]],
        ["append_slot", "a", 3],
        ["list", "a"],  # what the caller's own list looks like now
    ),
    "hits-after-gap": _p06(
        5,
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
    ),
    "shared-returned": _p06(
        3, ["allocate", "a", [1, 2, 3]], ["allocate", "b", [1, 2, 4]], ["free", "a"], ["num_free_blocks"]
    ),
    "zero-is-nothing": _p06(3, ["allocate", "a", [1, 2]], ["allocate", "b", [1, 2, 3]], ["num_cached_tokens", "b"]),
    "failed-allocate-touches": _p06(
        4,
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [3, 4]],
        ["allocate", "c", [5, 6]],
        ["free", "a"],
        ["free", "b"],
        ["free", "c"],
        ["allocate", "d", [1, 2, 7, 7, 8, 8, 9, 9, 9]],
        ["allocate", "z", [9, 9, 8]],
    ),
    "round-down": _l22(10, ["prefill", "r", 6], ["table", "r"]),
    "check-inside-loop": _l22(1, ["prefill", "r", 5], ["free_blocks"], ["table", "r"]),
    "back-of-pool": _l22(10, ["prefill", "r", 6], ["table", "r"], ["free_blocks"]),
    "remainder-zero": _l22(10, ["prefill", "r", 6], ["decode", "r"], ["decode", "r"], ["table", "r"]),
    "condition-before-increment": _l22(
        10, ["prefill", "r", 8], ["decode", "r"], ["table", "r"], ["decode", "r"], ["table", "r"]
    ),
    "incremented-twice": _l22(10, ["prefill", "r", 6], ["decode", "r"], ["seq_len", "r"]),
    "block-every-step": _l22(10, ["prefill", "r", 6], ["decode", "r"], ["table", "r"]),
    "oom-silent": _l22(1, ["prefill", "r", 11], ["free_blocks"]),
    "no-cut": _l22(10, ["prefill", "r", 6], ["gather", "r"]),
    "sorted-table": _from_pool([7, 2, 9], _l22(10, ["prefill", "r", 9], ["gather", "r"])),
    "stacked": _l22(10, ["prefill", "r", 6], ["gather", "r"]),
    "three-dimensional": _l22(10, ["prefill", "r", 6], ["gather", "r"]),
    "gather-changes-table": _l22(10, ["prefill", "r", 6], ["gather", "r"], ["table", "r"]),
}
