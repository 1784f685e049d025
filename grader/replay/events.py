"""The small events inside an op, and what each does to a state.

An event is a tuple, its kind first. Reads change nothing; writes are what the contract does, in its order.

=========  ===========================  =====================================================================
kind       then                         meaning
=========  ===========================  =====================================================================
hit        seq, i, tag, block           read: logical block ``i`` is in the catalogue
miss       seq, i, tag                  read: it is not, and the lookup ends here
limit      seq, i                       read: block ``i`` is full but not looked up: one token must be run
capacity   seq, needed, available       read: new blocks needed; free + evictable − the hits to be revived
boundary   seq, pos, opens              read: does the appended token open a new block?
refused    seq, needed, available       OutOfBlocks, before any write
arrive     seq, tokens                  the sequence's records are opened
share      seq, block, ref, tag         a hit in use: ref goes up to ``ref``
revive     seq, block, tag              a hit with ref 0 leaves the evictable pool, ref becomes 1
take       seq, block                   the front of the free list, ref becomes 1
evict      seq, block, tag, entry       the oldest evictable block is reused; ``entry``: its map entry goes too
append     seq, token, slot             the token is kept
fill       seq, block, tag              a new block is full: the chain grows by ``tag``
register   block, tag, entry            the block carries ``tag``; ``entry``: and the map points to it
duplicate  block, tag, older            the map already has ``older`` for ``tag``; this block stays without
unshare    seq, block, ref              ref goes down to ``ref``, still in use
to_free    seq, block                   ref 0 without a hash: to the back of the free list
to_cart    seq, block, tag              ref 0 with a hash: to the newest end of the evictable pool
leave      seq                          the sequence's records are dropped
changed    field, key, old, new         observed only: a change that no event above explains
=========  ===========================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grader.replay.state import State

Event = tuple[Any, ...]

READS = frozenset({"hit", "miss", "limit", "capacity", "boundary", "refused"})

#: Where a write stands in an op when only its effect can be seen, not the moment: for comparing explain with observe.
_PHASE = {
    "arrive": 0, "share": 1, "revive": 1, "take": 2, "evict": 2, "append": 3, "fill": 4, "register": 5, "duplicate": 5,
    "unshare": 6, "to_free": 7, "to_cart": 8, "leave": 9, "changed": 10,
}  # fmt: skip


def writes(events: Iterable[Event]) -> list[Event]:
    """The writes among ``events`` in the one order in which both explain and observe can tell them."""
    return sorted((event for event in events if event[0] not in READS), key=lambda event: _PHASE[event[0]])


def _arrive(state: State, seq: Any, tokens: list[int]) -> None:
    state.tables[seq] = []
    state.tokens[seq] = list(tokens)
    state.hashes[seq] = []
    state.cached[seq] = 0


def _hit(state: State, seq: Any, block: int, tag: str) -> None:
    state.tables[seq].append(block)
    state.hashes[seq].append(tag)
    state.cached[seq] += state.block_size


def _share(state: State, seq: Any, block: int, ref: int, tag: str) -> None:
    state.ref[block] = ref
    _hit(state, seq, block, tag)


def _revive(state: State, seq: Any, block: int, tag: str) -> None:
    state.evictable.pop(block, None)
    state.ref[block] = 1
    _hit(state, seq, block, tag)


def _take(state: State, seq: Any, block: int) -> None:
    if state.free_list and state.free_list[0] == block:
        state.free_list.popleft()
    elif block in state.free_list:
        state.free_list.remove(block)
    _open_block(state, seq, block)


def _open_block(state: State, seq: Any, block: int) -> None:
    """A new block at the end of the table; what the prompt puts into it is written."""
    table, size = state.tables[seq], state.block_size
    state.ref[block] = 1
    state.content[block] = state.tokens[seq][len(table) * size : (len(table) + 1) * size]
    table.append(block)


def _evict(state: State, seq: Any, block: int, tag: str | None, entry: bool) -> None:
    state.evictable.pop(block, None)
    state.block_hash[block] = None
    if entry and tag is not None:
        state.hash_to_block.pop(tag, None)
    _open_block(state, seq, block)


def _append(state: State, seq: Any, token: int, slot: int) -> None:
    state.tokens[seq].append(token)
    state.content[slot // state.block_size].append(token)


def _fill(state: State, seq: Any, block: int, tag: str) -> None:
    state.hashes[seq].append(tag)


def _register(state: State, block: int, tag: str, entry: bool) -> None:
    state.block_hash[block] = tag
    if entry:
        state.hash_to_block[tag] = block


def _duplicate(state: State, block: int, tag: str, older: int) -> None:
    pass


def _unshare(state: State, seq: Any, block: int, ref: int) -> None:
    state.ref[block] = ref


def _to_free(state: State, seq: Any, block: int) -> None:
    state.ref[block] = 0
    state.free_list.append(block)


def _to_cart(state: State, seq: Any, block: int, tag: str) -> None:
    state.ref[block] = 0
    state.evictable.pop(block, None)
    state.evictable[block] = None


def _leave(state: State, seq: Any) -> None:
    for records in (state.tables, state.tokens, state.hashes, state.cached):
        records.pop(seq, None)


def _changed(state: State, field: str, key: Any, old: Any, new: Any) -> None:
    """Put one entry (or, with key None, the whole field) as it was seen. ``new`` None in a dict: the entry is gone."""
    holder = getattr(state, field)
    if field in ("free_list", "evictable"):
        holder.clear()
        if field == "free_list":
            holder.extend(new)
        else:
            holder.update(dict.fromkeys(new))
    elif isinstance(holder, dict) and new is None:
        holder.pop(key, None)
    else:
        holder[key] = new.copy() if isinstance(new, list) else new


_APPLY = {
    "arrive": _arrive, "share": _share, "revive": _revive, "take": _take, "evict": _evict, "append": _append,
    "fill": _fill, "register": _register, "duplicate": _duplicate, "unshare": _unshare, "to_free": _to_free,
    "to_cart": _to_cart, "leave": _leave, "changed": _changed,
}  # fmt: skip


def apply(state: State, events: Iterable[Event]) -> State:
    """Play the writes among ``events`` on ``state``, in place, and return it."""
    for event in events:
        step = _APPLY.get(event[0])
        if step is not None:
            step(state, *event[1:])  # type: ignore[operator]
    return state
