"""Is the reference flat in the pool's size, and how far is it from the least possible work?"""

from __future__ import annotations

import time
from hashlib import sha256
from random import Random
from struct import Struct

from solutions.p06_block_manager import BlockManager
from tests.bench.table import medians, row

SIZE, ROUNDS, PROMPT, SHARED, APPENDS = 16, 400, 1024, 512, 64
POOLS = (2_048, 16_384, 131_072, 1_000_000)


def rounds() -> list[tuple[list[int], list[int]]]:
    """Each round's prompt (the first half shared by all) and what is appended to it."""
    random = Random(22)
    shared = [random.randrange(50_000) for _ in range(SHARED)]
    return [
        (
            shared + [random.randrange(50_000) for _ in range(PROMPT - SHARED)],
            [random.randrange(50_000) for _ in range(APPENDS)],
        )
        for _ in range(ROUNDS)
    ]


def play(manager: BlockManager, traffic: list[tuple[list[int], list[int]]]) -> None:
    for number, (prompt, more) in enumerate(traffic):
        manager.allocate(number, prompt)
        for token in more:
            manager.append_slot(number, token)
        manager.free(number)


def least(traffic: list[tuple[list[int], list[int]]]) -> None:
    """What no manager can do without: hash and look up each full block with the same hash, keep each token."""
    known: dict[bytes, int] = {}
    pack = Struct(f"<{SIZE}q").pack
    for prompt, more in traffic:
        tokens, parent = list(prompt), b""
        for start in range(0, PROMPT, SIZE):
            parent = sha256(parent + pack(*tokens[start : start + SIZE])).digest()
            known.get(parent)
        for token in more:
            tokens.append(token)
            if len(tokens) % SIZE == 0:
                parent = sha256(parent + pack(*tokens[-SIZE:])).digest()
                known.get(parent)


def main(arguments: list[str]) -> None:
    traffic = rounds()
    ops = ROUNDS * (APPENDS + 2)
    managers = [BlockManager(blocks, SIZE) for blocks in POOLS]
    bodies = [lambda manager=manager: play(manager, traffic) for manager in managers]
    *spent, floor = medians(25, *bodies, lambda: least(traffic), clock=time.process_time)
    for blocks, seconds in zip(POOLS, spent, strict=True):
        row(f"reference, {blocks:,} blocks: ops a second", f"{ops / seconds:,.0f}")
    row("slowest pool size over the fastest", f"{max(spent) / min(spent):.2f}x", "aim <= 1.25x")
    row("reference over the least possible work", f"{spent[0] / floor:.2f}x", "aim <= 1.8x")
