"""A busy evening: a chat server's requests from the first guest to the last, as one long story.

Two system prompts are shared by nearly everyone, chats come back with their history, a pool that is a little too small
refuses now and then. Always the same story.
"""

from __future__ import annotations

from random import Random
from typing import Any

from grader.replay.events import apply
from grader.replay.explain import explain
from grader.replay.op import Op, Story, p06_story
from grader.replay.result import refused
from grader.replay.state import State
from grader.words import N_

OPS = 200
NUM_BLOCKS, BLOCK_SIZE = 32, 4
GUESTS = (
    "ada", "bo", "cleo", "dan", "eve", "finn", "gus", "hana", "iris", "jon", "kim", "leo", "mia", "ned", "ola", "pia",
    "quin", "rosa", "sam", "tia", "uma", "vic", "wei", "xena", "yuki", "zoe",
)  # fmt: skip

_SYSTEM = {"chat": list(range(1, 11)), "code": [*range(1, 5), *range(20, 26)]}


def busy_evening() -> Story:
    """200 ops on 32 blocks of 4; a guest who is refused has not come, and may try again."""
    return p06_story(
        NUM_BLOCKS,
        BLOCK_SIZE,
        _rows(Random(2024)),
        id="busy-evening",
        title=N_("a busy evening: 200 ops on a small pool"),
        note=N_("Shared system prompts, chats that come back, now and then no room: watch the cart and the evictions."),
    )


def _rows(random: Random) -> list[list[Any]]:
    state, history, rows = State(NUM_BLOCKS, BLOCK_SIZE), dict[Any, list[int]](), list[list[Any]]()
    while len(rows) < OPS:
        row = _wish(random, list(state.tables), history)
        op = Op(row[0], tuple(row[1:]))
        if row[0] == "free":
            history[row[1]] = state.tokens[row[1]].copy()
        told = explain(state, op)
        apply(state, told.events)
        rows.append(row)
        if refused(told.result) and row[0] == "append_slot" and len(rows) < OPS:
            rows.append(["free", row[1]])  # what an engine does: someone has to go
            apply(state, explain(state, Op("free", (row[1],))).events)
    return rows


def _wish(random: Random, live: list[Any], history: dict[Any, list[int]]) -> list[Any]:
    roll = random.random()
    if len(live) < 4 or (roll < 0.22 and len(live) < 9):
        name = random.choice([guest for guest in GUESTS if guest not in live])
        opening = history.get(name) or _SYSTEM[random.choice(["chat", "chat", "code"])]
        prompt = [*opening, *(random.randint(30, 99) for _ in range(random.randint(2, 7)))]
        return ["allocate", name, prompt[:40]]
    if roll < 0.76:
        return ["append_slot", random.choice(live), random.randint(30, 99)]
    return ["free", random.choice(live)]
