"""Rooms, free list and evictable pool as text, yours beside the reference's. Pure: plain data in, lines out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.cells import cell_len, set_cell_size

from grader.words import N_, Say

SHOWN = 12  # rooms drawn: those that differ first, then those in use
TOKENS = 17  # cells a room's tokens may take
BLOCKS = 26  # cells the free list or the evictable pool may take
STATES = {"free": N_("free"), "used": N_("used"), "shared": N_("shared"), "cart": N_("evictable")}

Words = Callable[[str | Say], str]
Room = dict[str, Any]
Row = tuple[bool, str, str]  # do the sides differ?, mine, the reference's
Line = tuple[bool, str]


def picture(mine: dict[str, Any], reference: dict[str, Any], width: int, words: Words) -> list[Line]:
    """`(differs, text)` lines of up to `width` cells, side by side if both fit, else one after the other."""
    rows = [
        (False, words(N_("yours")), words(N_("reference"))),
        *_rooms(mine, reference, words),
        *_lists(mine, reference, words),
    ]
    half = max(cell_len(left) for _, left, _ in rows) + 3
    if half + max(cell_len(right) for _, _, right in rows) + 2 <= width:
        lines = [(differs, set_cell_size(left, half) + right) for differs, left, right in rows]
    else:
        lines = [(differs, left) for differs, left, _ in rows]
        lines.append((False, ""))
        lines += [(differs, right) for differs, _, right in rows]
    if mine["partial"] or mine["free"] is None:
        note = N_("(your manager's inside cannot be read: this is what its calls show)")
        lines.append((False, words(note)))
    return [(differs, _cut(("≠ " if differs else "  ") + text.rstrip(), width)) for differs, text in lines]


def _rooms(mine: dict[str, Any], reference: dict[str, Any], words: Words) -> list[Row]:
    left = {room["block"]: room for room in mine["rooms"]}
    right = {room["block"]: room for room in reference["rooms"]}
    blocks = left.keys() | right.keys()
    known = not (mine["partial"] or reference["partial"])
    apart = {block for block in blocks if differ(left.get(block), right.get(block), known)}
    taken = [block for block in blocks if busy(left.get(block)) or busy(right.get(block))]
    chosen = sorted(taken, key=lambda b: (b not in apart, b))[:SHOWN]
    beds = reference["block_size"]
    rows = [
        (block in apart, _room(left.get(block), beds, words), _room(right.get(block), beds, words))
        for block in sorted(chosen)
    ]
    if len(taken) > SHOWN:
        more = words(Say("… {n} more block", plural="… {n} more blocks", n=len(taken) - SHOWN))
        rows.append((False, more, more))
    return rows


def differ(room: Room | None, twin: Room | None, known: bool) -> bool:
    """Do two views of a room differ? Nobody cares what a free room still holds; from outside (`known` False) the
    evictable pool looks free, too."""
    idle = ("free",) if known else ("free", "cart")
    if room is None or twin is None or room["state"] in idle or twin["state"] in idle:
        return busy(room, idle) != busy(twin, idle)
    return any(room[key] != twin[key] for key in ("state", "ref", "tokens")) or _groups(room) != _groups(twin)


def busy(room: Room | None, idle: tuple[str, ...] = ("free",)) -> bool:
    return room is not None and room["state"] not in idle


def _groups(room: Room) -> list[str]:
    return sorted(str(group) for group in room["groups"] or [])


def _room(room: Room | None, beds: int, words: Words) -> str:
    if room is None or room["state"] == "free":
        return "" if room is None else f"{room['block']:>3} {' ' * TOKENS} {words(STATES['free'])}"
    tokens = room["tokens"] or []
    tokens = set_cell_size(listed([*tokens, *"_" * (beds - len(tokens))], TOKENS), TOKENS)
    ref = "" if room["ref"] is None else f"ref {room['ref']} "
    state = words(STATES[room["state"]])
    return f"{room['block']:>3} {tokens} {ref}{state} {' '.join(_groups(room))}".rstrip()


def _lists(mine: dict[str, Any], reference: dict[str, Any], words: Words) -> list[Row]:
    def text(blocks: Any) -> str:
        return words(N_("not readable")) if blocks is None else listed(blocks, BLOCKS)

    def apart(key: str) -> bool:
        return None not in (mine[key], reference[key]) and bool(mine[key] != reference[key])

    rows = [
        (
            apart("free"),
            words(Say("free list {blocks}", blocks=text(mine["free"]))),
            words(Say("free list {blocks}", blocks=text(reference["free"]))),
        )
    ]
    if "cart" in reference:  # without a prefix cache there is none
        rows.append(
            (
                apart("cart"),
                words(Say("evictable, oldest first {blocks}", blocks=text(mine["cart"]))),
                words(Say("evictable, oldest first {blocks}", blocks=text(reference["cart"]))),
            )
        )
    if "num_free" in reference:
        rows.append(
            (
                apart("num_free"),
                f"num_free_blocks {mine['num_free']}",
                f"num_free_blocks {reference['num_free']}",
            )
        )
    return rows


def listed(items: list[Any], limit: int) -> str:
    """`[1 2 3]`; its middle is left out if it would be longer than `limit`."""
    texts = [str(item) for item in items]
    whole = f"[{' '.join(texts)}]"
    if len(whole) <= limit or len(texts) < 3:
        return whole
    while len(texts) > 2 and len(f"[{' '.join(texts)} …]") > limit:
        del texts[-2]
    return f"[{' '.join([*texts[:-1], '…', texts[-1]])}]"


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"
