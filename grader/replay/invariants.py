"""What must hold after every op: I1–I5 where the inside can be read, and what shows of them from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from grader.replay.op import SeqId
from grader.replay.state import State
from grader.words import Say


class Broken(NamedTuple):
    """An invariant that does not hold: its name, the block it shows at (if one), and a sentence."""

    name: str
    block: int | None
    say: Say


def broken(
    state: State, num_free_blocks: int | None = None, prompts: Mapping[SeqId, int] | None = None
) -> list[Broken]:
    """The invariants that ``state`` breaks. ``num_free_blocks``: what the manager itself says; ``prompts``: prompt lengths."""
    found: list[Broken] = []
    free, cart = list(state.free_list), list(state.evictable)
    said = len(free) + len(cart) if num_free_blocks is None else num_free_blocks
    if said != len(free) + len(cart):
        text = "num_free_blocks is {said}, the free list and the evictable pool hold {held}"
        found.append(Broken("I1", None, Say(text, said=said, held=len(free) + len(cart))))
    for block, times in Counter(free + cart).items():
        if times > 1:
            found.append(
                Broken("I1", block, Say("block {block} waits {times} times to be given out", block=block, times=times))
            )
        if state.ref[block] != 0 and block in free:
            found.append(
                Broken(
                    "I1",
                    block,
                    Say("block {block} is on the free list, but its ref is {ref}", block=block, ref=state.ref[block]),
                )
            )
    for block in range(state.num_blocks):
        idle = state.ref[block] == 0 and state.block_hash[block] is not None
        if (block in state.evictable) != idle:
            text = (
                "block {block} is evictable, but is in use or has no hash"
                if block in state.evictable
                else "block {block} is idle and has a hash, but is not evictable"
            )
            found.append(Broken("I2", block, Say(text, block=block)))
    for tag, block in state.hash_to_block.items():
        if state.block_hash[block] != tag:
            found.append(
                Broken("I3", block, Say("the map leads to block {block}, which holds something else", block=block))
            )
    uses = Counter(block for table in state.tables.values() for block in table)
    for block in range(state.num_blocks):
        if state.ref[block] != uses[block]:
            found.append(
                Broken(
                    "I4",
                    block,
                    Say(
                        "block {block}: ref is {ref}, tables that contain it: {uses}",
                        block=block,
                        ref=state.ref[block],
                        uses=uses[block],
                    ),
                )
            )
    if not state.tables and said != state.num_blocks:
        found.append(
            Broken(
                "I4",
                None,
                Say("nothing is live, but only {said} of {all} blocks are free", said=said, all=state.num_blocks),
            )
        )
    return found + _cached(state.cached, prompts or {}, state.block_size)


def broken_outside(
    view: Mapping[str, Any], num_blocks: int, block_size: int, prompts: Mapping[SeqId, int]
) -> list[Broken]:
    """What contract calls alone can show: blocks counted twice, blocks lost, a cached count that cannot be."""
    found: list[Broken] = []
    used = {block for _, table in view["tables"] for block in table}
    free = view["num_free_blocks"]
    if free != num_blocks - len(used):
        text = "{free} blocks are said to be free, {used} of {all} are in a block table"
        found.append(Broken("I4", None, Say(text, free=free, used=len(used), all=num_blocks)))
    return found + _cached(dict(view["cached"]), prompts, block_size)


def _cached(cached: Mapping[SeqId, int], prompts: Mapping[SeqId, int], block_size: int) -> list[Broken]:
    found: list[Broken] = []
    for seq, number in cached.items():
        if number % block_size or number < 0 or number >= prompts.get(seq, number + 1):
            text = "sequence {seq}: {number} cached tokens is no count of full blocks that leaves one token to run"
            found.append(Broken("I5", None, Say(text, seq=seq, number=number)))
    return found
