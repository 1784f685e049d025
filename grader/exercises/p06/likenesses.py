"""Where a real engine, or what is built around one, has made a mistake like a classic one.

``story`` is one of `stories_engines.py` that this mistake answers wrongly, or empty. ``report`` is a public issue or
pull request on GitHub, OWNER/NAME#NUMBER, or empty. A mistake that resembles none is not listed.
"""

from __future__ import annotations

from typing import NamedTuple

from grader.words import N_


class Likeness(NamedTuple):
    what: str
    story: str = ""
    report: str = ""


#: By the mistake's id.
LIKENESSES: dict[str, Likeness] = {
    "half-full-hashed": Likeness(
        N_(
            "An engine shared the half-full last block of a prompt. Two sequences wrote into it, and both read "
            "the mixture."
        ),
        "",
        "Avarok-Cybersecurity/atlas#1193",
    ),
    "hit-limit-len": Likeness(
        N_(
            "A cache beside vLLM found every token of a prompt. None was left to run, and the scheduler stopped "
            "with a failed assertion."
        ),
        "full-hit-keeps-last-block-private",
        "LMCache/LMCache#3322",
    ),
    "two-chain-starts": Likeness(
        N_(
            "A prompt shorter than a block was filled up while it generated, and the block was not found by the "
            "next prompt."
        ),
        "first-block-filled-by-append",
    ),
    "free-forwards": Likeness(
        N_(
            "A cache evicted the head of a prompt and kept its tail. Thousands of chunks were there, and none "
            "could be used: a prefix begins at its first one."
        ),
        "head-first-eviction",
        "LMCache/LMCache#4867",
    ),
    "evictable-hits-counted": Likeness(
        N_(
            "can_allocate promised more than there was, because it counted hits among the free blocks as room. "
            "The allocation then failed half-way."
        ),
        "evictable-hits-cost-a-place",
        "ROCm/ATOM#902",
    ),
    "unchained-hash": Likeness(
        N_(
            "The key of a cached block left out what comes before it, so a prompt could be given K and V of "
            "another one."
        ),
        "",
        "vllm-project/aibrix#2329",
    ),
    "evict-keeps-entry": Likeness(
        N_(
            "vLLM evicted a block and left it in the map of cached blocks. It was still found after it had been "
            "given to somebody else."
        ),
        "stale-map-after-reuse",
        "vllm-project/vllm#4761",
    ),
    "evict-before-free": Likeness(
        N_(
            "vLLM put blocks without a hash into one line with cached ones, so cached prefixes were evicted "
            "although worthless blocks were there to take."
        ),
        "unhashed-free-first",
        "vllm-project/vllm#42656",
    ),
    "append-unregistered": Likeness(
        N_("Blocks that had been filled never got into the map, and every lookup missed."),
        "first-block-filled-by-append",
        "vllm-project/vllm#53498",
    ),
    "hits-after-gap": Likeness(
        N_("A simulator of vLLM went on after the first miss and counted blocks behind the gap as hits."),
        "real-gap-after-duplicate",
        "llm-d/llm-d-inference-sim#705",
    ),
    "shared-returned": Likeness(
        N_(
            "An engine gave a block back to the free list while a live sequence still had it in its table. The "
            "next owner overwrote it."
        ),
        "shared-block-survives-owner",
        "Avarok-Cybersecurity/atlas#373",
    ),
    "zero-is-nothing": Likeness(
        N_("Block 0 was taken for no block, so nothing that it held was ever found."),
        "block-zero-is-a-real-block",
    ),
    "failed-allocate-touches": Likeness(
        N_(
            "vLLM touched the hits of a request before it knew whether there was room. A request that had to wait"
            " left its traces."
        ),
        "",
        "vllm-project/vllm#11565",
    ),
}
