"""The hotel at one moment, as plain data for any renderer: rooms, free list, cart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.replay.op import SeqId
from grader.replay.state import State

Picture = dict[str, Any]


def picture(state: State) -> Picture:
    """Rooms with their state (free, used, shared, cart), the free list in order, the cart oldest first."""
    groups: dict[int, list[SeqId]] = {block: [] for block in range(state.num_blocks)}
    for seq, table in state.tables.items():
        for block in table:
            groups[block].append(seq)
    rooms = []
    for block in range(state.num_blocks):
        if block in state.evictable:
            kind = "cart"
        elif state.ref[block] == 0 and not groups[block]:
            kind = "free"
        else:
            kind = "shared" if state.ref[block] > 1 else "used"
        rooms.append(
            {
                "block": block,
                "ref": state.ref[block],
                "groups": groups[block],
                "tokens": [] if kind == "free" else state.content[block],
                "tag": state.block_hash[block],
                "state": kind,
            }
        )
    return {
        "num_blocks": state.num_blocks,
        "block_size": state.block_size,
        "rooms": rooms,
        "free": list(state.free_list),
        "cart": list(state.evictable),
        "num_free": state.num_free_blocks,
        "partial": False,
    }


def public_picture(
    view: Mapping[str, Any], num_blocks: int, block_size: int, tokens: Mapping[SeqId, Sequence[int]]
) -> Picture:
    """The same from contract calls alone: who lives where; what is idle cannot be told apart (free, cart: None)."""
    groups: dict[int, list[SeqId]] = {block: [] for block in range(num_blocks)}
    content: dict[int, list[int]] = {}
    for seq, table in view["tables"]:
        for i, block in enumerate(table):
            if block in groups:
                groups[block].append(seq)
                content[block] = list(tokens.get(seq, [])[i * block_size : (i + 1) * block_size])
    rooms = [
        {
            "block": block,
            "ref": len(seqs),
            "groups": seqs,
            "tokens": content.get(block, []),
            "tag": None,
            "state": "free" if not seqs else "shared" if len(seqs) > 1 else "used",
        }
        for block, seqs in groups.items()
    ]
    return {
        "num_blocks": num_blocks,
        "block_size": block_size,
        "rooms": rooms,
        "free": None,
        "cart": None,
        "num_free": view["num_free_blocks"],
        "partial": True,
    }
