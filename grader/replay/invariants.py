"""What must hold after every op: I1–I5 where the inside can be read, and what shows of them from outside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from grader.replay.op import SeqId
from grader.replay.state import State
from grader.replay.view import View
from grader.words import Say


class Broken(NamedTuple):
    """An invariant that does not hold: its name, the block it shows at (if one), and a sentence."""

    name: str
    block: int | None
    say: Say

    def to_json(self) -> list[Any]:
        return [self.name, self.block, self.say.to_json()]

    @staticmethod
    def from_json(row: Sequence[Any]) -> Broken:
        return Broken(row[0], row[1], Say.from_json(row[2]))


def broken(
    state: State, num_free_blocks: int | None = None, prompts: Mapping[SeqId, int] | None = None
) -> list[Broken]:
    """The invariants that ``state`` breaks, I1 to I5.

    ``num_free_blocks``: what the manager itself says; ``prompts``: prompt lengths.
    """
    said = state.num_free_blocks if num_free_blocks is None else num_free_blocks
    return [
        *_waiting_once(state, said),
        *_evictable_is_idle(state),
        *_map_is_true(state),
        *_refs_are_tables(state, said),
        *_cached(state.cached, prompts or {}, state.block_size),
    ]


def _waiting_once(state: State, said: int) -> Iterator[Broken]:
    held = state.num_free_blocks
    if said != held:
        yield Broken(
            "I1",
            None,
            Say("num_free_blocks is {said}, the free list and the evictable pool hold {held}", said=said, held=held),
        )
    for block, times in Counter([*state.free_list, *state.evictable]).items():
        if times > 1:
            text = Say("block {block} waits {times} times to be given out", block=block, times=times)
            yield Broken("I1", block, text)
    for block in dict.fromkeys(state.free_list):
        if (ref := state.ref[block]) != 0:
            text = Say("block {block} is on the free list, but its ref is {ref}", block=block, ref=ref)
            yield Broken("I1", block, text)
    for block in state.evictable:
        if (ref := state.ref[block]) != 0:
            text = Say("block {block} is in the evictable pool, but its ref is {ref}", block=block, ref=ref)
            yield Broken("I1", block, text)


def _evictable_is_idle(state: State) -> Iterator[Broken]:
    for block, (ref, tag) in enumerate(zip(state.ref, state.block_hash, strict=True)):
        if block in state.evictable:
            if ref != 0 or tag is None:
                yield Broken("I2", block, Say("block {block} is evictable, but is in use or has no hash", block=block))
        elif ref == 0 and tag is not None:
            yield Broken("I2", block, Say("block {block} is idle and has a hash, but is not evictable", block=block))


def _map_is_true(state: State) -> Iterator[Broken]:
    for tag, block in state.hash_to_block.items():
        if state.block_hash[block] != tag:
            yield Broken("I3", block, Say("the map leads to block {block}, which holds something else", block=block))


def _refs_are_tables(state: State, said: int) -> Iterator[Broken]:
    uses = Counter(block for table in state.tables.values() for block in table)
    for block, ref in enumerate(state.ref):
        if ref != uses[block]:
            text = Say(
                "block {block}: ref is {ref}, tables that contain it: {uses}", block=block, ref=ref, uses=uses[block]
            )
            yield Broken("I4", block, text)
    if not state.tables and said != state.num_blocks:
        text = Say("nothing is live, but only {said} of {all} blocks are free", said=said, all=state.num_blocks)
        yield Broken("I4", None, text)


def broken_outside(
    view: View, num_blocks: int, block_size: int, prompts: Mapping[SeqId, int], tokens: Mapping[SeqId, Sequence[int]]
) -> list[Broken]:
    """What contract calls alone can show: a block given to two, blocks lost, a cached count that cannot be.

    ``prompts``: prompt lengths; ``tokens``: all tokens of each live sequence.
    """
    tables = dict(view["tables"])
    used, free = {block for table in tables.values() for block in table}, view["num_free_blocks"]
    found = list(_given_twice(tables, block_size, tokens))
    if free != num_blocks - len(used):
        text = Say(
            "{free} blocks are said to be free, {used} of {all} are in a block table",
            free=free, used=len(used), all=num_blocks,
        )  # fmt: skip
        found.append(Broken("I4", None, text))
    return found + _cached(dict(view["cached"]), prompts, block_size)


def _given_twice(
    tables: Mapping[SeqId, Sequence[int]], block_size: int, tokens: Mapping[SeqId, Sequence[int]]
) -> Iterator[Broken]:
    """Blocks in two places that need different tokens, or that are still being written."""
    first: dict[int, tuple[SeqId, int]] = {}
    seen = set()
    for seq, table in tables.items():
        for i, block in enumerate(table):
            other, j = first.setdefault(block, (seq, i))
            if (other, j) == (seq, i) or block in seen:
                continue
            end = (i + 1) * block_size
            mine, theirs = tokens.get(seq, ())[:end], tokens.get(other, ())[:end]
            if i != j or len(mine) < end or mine != theirs:
                seen.add(block)
                yield Broken("I1", block, Say("block {block} is given to two that need different tokens", block=block))


def _cached(cached: Mapping[SeqId, int], prompts: Mapping[SeqId, int], block_size: int) -> list[Broken]:
    return [
        Broken(
            "I5",
            None,
            Say(
                "sequence {seq}: {number} cached tokens is no count of full blocks that leaves one token to run",
                seq=seq,
                number=number,
            ),
        )  # fmt: skip
        for seq, number in cached.items()
        if number % block_size or not 0 <= number < prompts.get(seq, number + 1)
    ]
