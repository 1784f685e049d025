"""Two hotels at one moment as small cards, yours beside the reference's. Plain data in, HTML out."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from grader.render.picture import BLOCKS, STATES, Room, busy, differ, listed
from grader.words import N_, Say

SHOWN = 12  # rooms drawn: those that differ first, then those in use
TOKENS = 30  # cells a room's tokens may take

Words = Callable[[str | Say], str]
Hotel = dict[str, Any]


def rooms(mine: Hotel, reference: Hotel, words: Words) -> str:
    """Both pictures of a failure, the rooms and lists that differ marked."""
    left = {room["block"]: room for room in mine["rooms"]}
    right = {room["block"]: room for room in reference["rooms"]}
    known = not (mine["partial"] or reference["partial"])
    apart = {block for block in left.keys() | right.keys() if differ(left.get(block), right.get(block), known)}
    taken = {block for block in left.keys() | right.keys() if busy(left.get(block)) or busy(right.get(block))}
    chosen = sorted(sorted(apart | taken, key=lambda block: (block not in apart, block))[:SHOWN])
    more = len(apart | taken) - len(chosen)
    sides = [
        _side(name, hotel, [(found.get(block), block in apart) for block in chosen], more, other, words)
        for name, hotel, found, other in (
            (N_("yours"), mine, left, reference),
            (N_("reference"), reference, right, mine),
        )
    ]
    partial = N_("(your manager's inside cannot be read: this is what its calls show)")
    note = "" if known and mine["free"] is not None else f'<p class="quiet small">{escape(words(partial))}</p>'
    return f'<div class="kvr-hotels">{"".join(sides)}</div>{note}'


def _side(
    name: str, hotel: Hotel, shown: list[tuple[Room | None, bool]], more: int, other: Hotel, words: Words
) -> str:
    cards = "".join(_card(room, apart, hotel["block_size"], words) for room, apart in shown if room is not None)
    if more > 0:
        text = words(Say("… {n} more block", plural="… {n} more blocks", n=more))
        cards += f'<li class="free">{escape(text)}</li>'
    drawn = f'<ul class="kvr-rooms">{cards}</ul>' + _queues(hotel, other, words)
    return f"<div><h5>{escape(words(name))}</h5>{drawn}</div>"


def _card(room: Room, apart: bool, beds: int, words: Words) -> str:
    tokens = [] if room["state"] == "free" else room["tokens"] or []
    held = listed([*tokens, *"_" * (beds - len(tokens))], TOKENS) if room["state"] != "free" else ""
    facts = [words(STATES[room["state"]])]
    if room["ref"]:
        facts.append(f"ref {room['ref']}")
    facts += sorted(str(group) for group in room["groups"] or [])
    mark = " <i>≠</i>" if apart else ""
    return (
        f'<li class="{escape(room["state"])}{" differs" if apart else ""}"><b>{room["block"]}{mark}</b> '
        f"<code>{escape(held)}</code>{escape(' · '.join(facts))}</li>"
    )


def _queues(hotel: Hotel, other: Hotel, words: Words) -> str:
    def text(key: str) -> str:
        return words(N_("not readable")) if hotel[key] is None else listed(hotel[key], BLOCKS)

    rows = [("free", Say("free list {blocks}", blocks=text("free")))]
    if "cart" in hotel and "cart" in other:  # without a prefix cache there is none
        rows.append(("cart", Say("evictable, oldest first {blocks}", blocks=text("cart"))))
    lines = []
    for key, said in rows:
        apart = None not in (hotel[key], other[key]) and hotel[key] != other[key]
        kind = "kvr-queue differs" if apart else "kvr-queue"
        lines.append(f'<p class="{kind}">{"≠ " if apart else ""}{escape(words(said))}</p>')
    return "".join(lines)
