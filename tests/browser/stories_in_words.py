"""The worked examples as a person would tell them after every op: typed from the exercise's text, not computed.

A moment: the ref of every room, the free list and the cart in order, the rooms to which the catalogue leads, each
group's rooms, and how many of its tokens came from the cache. A question changes nothing: the moment before it stands
for it too.
"""

from __future__ import annotations

from typing import NamedTuple


class Moment(NamedTuple):
    refs: str
    free: str
    cart: str
    cards: str
    tables: dict[str, str]
    cached: dict[str, int]


NOBODY: dict[str, str] = {}
NONE: dict[str, int] = {}


def at(
    refs: str, free: str, cart: str, cards: str = "", tables: dict[str, str] = NOBODY, cached: dict[str, int] = NONE
) -> Moment:
    return Moment(refs, free, cart, cards, tables, cached)


A = {"a": "0 1 2"}
OPEN_1 = at("0 0 0 0 0 0", "0 1 2 3 4 5", "")
X2 = at("1 1 0 0 0 0", "2 3 4 5", "", "", {"x": "0 1"})
X3 = at("1 1 1 0 0 0", "3 4 5", "", "", {"x": "0 1 2"})
GONE_1 = at("0 0 0 0 0 0", "3 4 5 2 1 0", "")
Y = at("0 0 0 1 0 0", "4 5 2 1 0", "", "", {"y": "3"})

OPEN_2 = at("0 0 0 0 0 0 0 0", "0 1 2 3 4 5 6 7", "")
A_2 = at("1 1 1 0 0 0 0 0", "3 4 5 6 7", "", "0 1", A, {"a": 0})
AB_2 = at("2 2 1 1 0 0 0 0", "4 5 6 7", "", "0 1", {**A, "b": "0 1 3"}, {"a": 0, "b": 4})
B_2 = at("1 1 0 1 0 0 0 0", "4 5 6 7 2", "", "0 1", {"b": "0 1 3"}, {"b": 4})
GONE_2 = at("0 0 0 0 0 0 0 0", "4 5 6 7 2 3", "1 0", "0 1")
C_2 = at("1 0 0 0 1 0 0 0", "5 6 7 2 3", "1", "0 1", {"c": "0 4"}, {"c": 2})

OPEN_3 = at("0 0 0", "0 1 2", "")
A_3 = at("1 1 1", "", "", "0 1", A, {"a": 0})
GONE_3 = at("0 0 0", "2", "1 0", "0 1")
B_3 = at("1 1 1", "", "", "0 1 2", {"b": "0 1 2"}, {"b": 4})

A_4 = at("1 1 0", "2", "", "0", {"a": "0 1"}, {"a": 0})
A10_4 = A_4._replace(cards="0 1")  # its block 1 has been filled by an append
B_4 = B_3._replace(cards="0 1")
Z_4 = at("1 1 1", "", "", "2 1 0", {"z": "2 1 0"}, {"z": 0})
GONE_Z = at("0 0 0", "", "0 1 2", "2 1 0")
B2_4 = at("1 1 1", "", "", "0 1", {"b2": "0 1 2"}, {"b2": 0})

#: The opening, then a moment for each op of the story as it stands in the exercise's list.
EXAMPLES: dict[str, list[Moment]] = {
    "worked-1": [OPEN_1, X2, X2, X2, X2, X2, X3, X3, X3, GONE_1, GONE_1, Y],
    "worked-2": [OPEN_2, A_2, A_2, AB_2, AB_2, AB_2, B_2, B_2, GONE_2, GONE_2, C_2, C_2, C_2],
    "worked-3": [OPEN_3, A_3, GONE_3, GONE_3, GONE_3, B_3, B_3, B_3],
    "worked-4": [OPEN_3, A_4, A10_4, GONE_3, B_4, B_4, GONE_3, Z_4, GONE_Z, B2_4, B2_4],
}

#: What each example's prompts and appends put into the rooms' beds, at ends of ops: room -> what can be read.
BEDS: dict[str, dict[int, dict[int, str]]] = {
    "worked-1": {1: {0: "11 12 13 14", 1: "15 16 · ·"}, 8: {2: "19 · · ·"}, 11: {3: "1 2 3 ·"}},
    "worked-2": {3: {0: "1 2", 1: "3 4", 2: "5 ·", 3: "6 ·"}, 8: {0: "1 2", 1: "3 4", 2: "· ·"}, 12: {4: "3 4"}},
    "worked-3": {3: {0: "1 2", 1: "3 4"}, 7: {2: "5 6"}},
    "worked-4": {2: {1: "9 10"}, 7: {2: "50 51", 1: "52 53", 0: "54 55"}, 10: {0: "7 8", 1: "9 10", 2: "11 ·"}},
}

#: What the results beside the ops say at the end of each story.
RESULTS: dict[str, list[str]] = {
    "worked-1": ["[0 1]", "4", "5", "6", "7", "8", "8", "3", "", "6", "[3]"],
    "worked-2": ["[0 1 2]", "0", "[0 1 3]", "4", "4", "", "5", "", "8", "[0 4]", "2", "6"],
    "worked-3": ["[0 1 2]", "", "OutOfBlocks", "3", "[0 1 2]", "4", "0"],
    "worked-4": ["[0 1]", "3", "", "[0 1 2]", "4", "", "[2 1 0]", "", "[0 1 2]", "0"],
}
