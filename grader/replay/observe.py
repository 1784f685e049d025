"""What a manager's state really shows to have changed in an op, told in the same events as explain.

Only effects can be seen, not their order: both sides are compared through ``events.writes``. Whatever the events do not
account for is told as ``changed``, so that the events applied to the old state always give the new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.replay.events import Event, apply, writes
from grader.replay.op import Op, SeqId
from grader.replay.result import Result, refused
from grader.replay.state import State


def observe(before: State, after: State, op: Op, result: Result) -> list[Event]:
    """The writes between two states, then a ``changed`` for each difference that they leave. Reads neither."""
    events: list[Event] = []
    seq = op.seq
    if op.name == "allocate" and seq not in before.tables and seq in after.tables:
        events = _arrival(before, after, seq, list(op.args[1]))
    elif op.name == "append_slot" and seq in before.tables and seq in after.tables and not refused(result):
        events = _append(before, after, seq, op.args[1])
    elif op.name == "free" and seq in before.tables and seq not in after.tables:
        events = _departure(before, after, seq)
    return [*writes(events), *differences(apply(before.copy(), events), after)]


def agree(explained: Sequence[Event], observed: Sequence[Event]) -> bool:
    """Do the contract's writes and what was seen tell the same?"""
    return writes(explained) == writes(observed)


def _arrival(before: State, after: State, seq: Any, tokens: list[int]) -> list[Event]:
    size, table = before.block_size, after.tables[seq]
    events: list[Event] = [("arrive", seq, tokens)]
    hits = max(0, min(after.cached.get(seq, 0) // size, len(table)))
    ref: dict[int, int] = {}
    for block in table[:hits]:
        tag = after.block_hash[block]
        ref[block] = ref.get(block, before.ref[block]) + 1
        if ref[block] == 1:
            events.append(("revive", seq, block, tag))
        else:
            events.append(("share", seq, block, ref[block], tag))
    for i in range(hits, len(table)):
        events.append(_taken(before, after, seq, table[i]))
    for i in range(hits, min(len(tokens) // size, len(table))):
        events += _filled(before, after, seq, table[i], i)
    return events


def _append(before: State, after: State, seq: Any, token: int) -> list[Event]:
    events: list[Event] = []
    size, table = before.block_size, after.tables[seq]
    pos = len(before.tokens[seq])
    for block in table[len(before.tables[seq]) :]:
        events.append(_taken(before, after, seq, block))
    i = pos // size
    if i < len(table):
        events.append(("append", seq, token, table[i] * size + pos % size))
        if (pos + 1) % size == 0:
            events += _filled(before, after, seq, table[i], i)
    return events


def _taken(before: State, after: State, seq: SeqId, block: int) -> Event:
    if block not in before.evictable:
        return ("take", seq, block)
    tag = before.block_hash[block]
    had = tag is not None and before.hash_to_block.get(tag) == block
    # Still pointing here: torn up and written anew if the block carries the tag again, else left by mistake.
    kept = tag is not None and after.hash_to_block.get(tag) == block and after.block_hash[block] != tag
    return ("evict", seq, block, tag, had and not kept)


def _filled(before: State, after: State, seq: SeqId, block: int, i: int) -> list[Event]:
    chain = after.hashes.get(seq, [])
    if i >= len(chain):
        return []
    tag = chain[i]
    events: list[Event] = [("fill", seq, block, tag)]
    if after.block_hash[block] == tag:
        events.append(("register", block, tag, after.hash_to_block.get(tag) == block))
    elif after.block_hash[block] is None and tag in before.hash_to_block:
        events.append(("duplicate", block, tag, before.hash_to_block[tag]))
    return events


def _departure(before: State, after: State, seq: Any) -> list[Event]:
    events: list[Event] = []
    ref: dict[int, int] = {}
    waiting = {*after.free_list, *after.evictable}
    gone: set[int] = set()
    for block in reversed(before.tables[seq]):
        ref[block] = ref.get(block, before.ref[block]) - 1
        if block in waiting:
            gone.add(block)
        else:
            events.append(("unshare", seq, block, ref[block]))
    events += [("to_free", seq, block) for block in after.free_list if block in gone]
    events += [("to_cart", seq, block, before.block_hash[block]) for block in after.evictable if block in gone]
    events.append(("leave", seq))
    return events


def differences(reached: State, after: State) -> list[Event]:
    """One ``changed`` for every entry in which ``reached`` is not ``after``."""
    events: list[Event] = []
    for field in ("free_list", "evictable"):
        old, new = list(getattr(reached, field)), list(getattr(after, field))
        if old != new:
            events.append(("changed", field, None, old, new))
    for field in ("ref", "block_hash", "content"):
        rows = zip(getattr(reached, field), getattr(after, field), strict=True)
        events += [("changed", field, block, old, new) for block, (old, new) in enumerate(rows) if old != new]
    for field in ("hash_to_block", "tables", "tokens", "hashes", "cached"):
        olds, news = getattr(reached, field), getattr(after, field)
        for key in dict.fromkeys([*olds, *news]):
            if olds.get(key) != news.get(key):
                events.append(("changed", field, key, olds.get(key), news.get(key)))
    return events
