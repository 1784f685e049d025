"""What the contract reads and writes for an op, from a given state: the events, and the result a caller gets.

Source of every rule: the contract's table of calls (reads first, then writes in this order, may raise).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain as chained
from itertools import product
from typing import NamedTuple

from grader.replay.events import Event
from grader.replay.op import Op, SeqId
from grader.replay.result import ANY, REFUSED, SKIPPED, Result
from grader.replay.state import State, Tag, chain_tag, chain_tags


class Reading(NamedTuple):
    """One way to read the contract's open points. Every combination is right; a manager keeps one throughout."""

    allocate_duplicates_carry: bool = True
    append_duplicates_carry: bool = True
    register_late: bool = True


READINGS: tuple[Reading, ...] = tuple(Reading(*row) for row in product((True, False), repeat=3))


class Explained(NamedTuple):
    events: list[Event]
    result: Result


class _Draft:
    """The writes of one op before they are made: what is taken and registered so far, over an unchanged state."""

    def __init__(self, state: State, seq: SeqId, revived: set[int]) -> None:
        self.state = state
        self.seq = seq
        self.events: list[Event] = []
        self.gone: set[Tag] = set()
        self.new: dict[Tag, int] = {}
        self.supply: Iterator[int] = chained(
            state.free_list, (block for block in state.evictable if block not in revived)
        )
        self.left_in_free_list = len(state.free_list)

    def entry(self, tag: Tag | None) -> int | None:
        if tag is None:
            return None
        return self.new.get(tag, None if tag in self.gone else self.state.hash_to_block.get(tag))

    def take(self) -> int | None:
        """The next block: free list first, then the oldest evictable. None when a broken state has none."""
        block = next(self.supply, None)
        if block is None:
            return None
        if self.left_in_free_list:
            self.left_in_free_list -= 1
            self.events.append(("take", self.seq, block))
            return block
        tag = self.state.block_hash[block]
        entry = tag is not None and self.entry(tag) == block
        if entry and tag is not None:
            self.gone.add(tag)
        self.events.append(("evict", self.seq, block, tag, entry))
        return block

    def register(self, block: int, tag: Tag, duplicates_carry: bool) -> None:
        older = self.entry(tag)
        self.events.append(("fill", self.seq, block, tag))
        if older is None:
            self.new[tag] = block
            self.events.append(("register", block, tag, True))
        elif duplicates_carry:
            self.events.append(("register", block, tag, False))
        else:
            self.events.append(("duplicate", block, tag, older))


def explain(state: State, op: Op, reading: Reading = READINGS[0]) -> Explained:
    """The events of ``op`` by the contract, and its result; ``state`` is only read.

    An op on a sequence that is not live, an allocate of one that is, and a ``slot`` beyond the sequence give SKIPPED.
    Works on any state, broken ones too: it tells what the contract would do from there.
    """
    name = op.name
    if name == "num_free_blocks":
        return Explained([], state.num_free_blocks)
    if name == "can_allocate":
        return Explained([], -(-op.args[0] // state.block_size) <= state.num_free_blocks)
    if name == "allocated":
        return Explained([], ANY)
    seq: SeqId = op.args[0]
    if (seq in state.tables) is (name == "allocate"):
        return Explained([], SKIPPED)
    if name == "allocate":
        return _allocate(state, seq, op.args[1], reading)
    if name == "append_slot":
        return _append_slot(state, seq, op.args[1], reading)
    if name == "free":
        return Explained(_free(state, seq), None)
    if name == "slot":
        pos, size, table = op.args[1], state.block_size, state.tables[seq]
        if not 0 <= pos < len(state.tokens[seq]) or pos // size >= len(table):
            return Explained([], SKIPPED)
        return Explained([], table[pos // size] * size + pos % size)
    if name == "num_cached_tokens":
        return Explained([], state.cached.get(seq, 0))
    if name == "slots":
        table, size, length = state.tables[seq], state.block_size, len(state.tokens[seq])
        if length > len(table) * size:
            return Explained([], SKIPPED)
        slots = (table[pos // size] * size + pos % size for pos in range(length))
        return Explained([], [state.cached.get(seq, 0), *slots])
    return Explained([], ANY)  # list, scribble: they speak of the caller's list, not of the manager


def _allocate(state: State, seq: SeqId, tokens: list[int], reading: Reading) -> Explained:
    size = state.block_size
    tags = chain_tags(tokens, size) if state.enable_prefix_cache else []
    most = (len(tokens) - 1) // size
    reads: list[Event] = []
    hits: list[int] = []
    for i, tag in enumerate(tags):
        if i == most:
            reads.append(("limit", seq, i))
            break
        block = state.hash_to_block.get(tag)
        if block is None:
            reads.append(("miss", seq, i, tag))
            break
        hits.append(block)
        reads.append(("hit", seq, i, tag, block))
    needed = -(-len(tokens) // size) - len(hits)
    revived = {block for block in hits if state.ref[block] == 0}
    available = state.num_free_blocks - len(revived)
    reads.append(("capacity", seq, needed, available))
    if needed > available:
        return Explained([*reads, ("refused", seq, needed, available)], REFUSED)

    draft = _Draft(state, seq, revived)
    draft.events = [*reads, ("arrive", seq, tokens)]
    ref: dict[int, int] = {}  # in a broken state two hits can be the same block
    for block, tag in zip(hits, tags, strict=False):
        ref[block] = ref.get(block, state.ref[block]) + 1
        if ref[block] == 1 and block in revived:
            draft.events.append(("revive", seq, block, tag))
        else:
            draft.events.append(("share", seq, block, ref[block], tag))
    table = hits.copy()
    for i in range(len(hits), len(hits) + needed):
        taken = draft.take()
        if taken is None:
            return Explained([*reads, ("refused", seq, needed, available)], REFUSED)
        table.append(taken)
        if not reading.register_late and i < len(tags):
            draft.register(taken, tags[i], reading.allocate_duplicates_carry)
    if reading.register_late:
        for i in range(len(hits), len(tags)):
            draft.register(table[i], tags[i], reading.allocate_duplicates_carry)
    return Explained(draft.events, table)


def _append_slot(state: State, seq: SeqId, token: int, reading: Reading) -> Explained:
    size, tokens, table = state.block_size, state.tokens[seq], state.tables[seq]
    pos = len(tokens)
    opens = pos // size >= len(table)
    draft = _Draft(state, seq, set())
    draft.events.append(("boundary", seq, pos, opens))
    block = draft.take() if opens else table[pos // size]
    if block is None:
        draft.events.append(("refused", seq, 1, 0))
        return Explained(draft.events, REFUSED)
    slot = block * size + pos % size
    draft.events.append(("append", seq, token, slot))
    if (pos + 1) % size == 0 and state.enable_prefix_cache:
        parent = state.hashes[seq][-1] if state.hashes[seq] else None
        tag = chain_tag(parent, [*tokens[pos + 1 - size :], token])
        draft.register(block, tag, reading.append_duplicates_carry)
    return Explained(draft.events, slot)


def _free(state: State, seq: SeqId) -> list[Event]:
    events: list[Event] = []
    down: dict[int, int] = {}
    for block in reversed(state.tables[seq]):
        ref = state.ref[block] - down.get(block, 0) - 1
        down[block] = down.get(block, 0) + 1
        tag = state.block_hash[block]
        if ref > 0:
            events.append(("unshare", seq, block, ref))
        elif tag is None:
            events.append(("to_free", seq, block))
        else:
            events.append(("to_cart", seq, block, tag))
    events.append(("leave", seq))
    return events
