"""A day of requests on a large pool, as a story: for measuring, not for finding faults."""

from __future__ import annotations

from random import Random
from typing import Any

from grader.replay.op import Story, p06_story


def traffic(ops: int = 10_000, num_blocks: int = 1_024, block_size: int = 16, vocabulary: int = 8_000) -> Story:
    """Prompts of 20 to 200 tokens, a third of each shared with many others; two appends to an allocate; a full pool."""
    random = Random(7)
    heads = [[random.randrange(vocabulary) for _ in range(66)] for _ in range(12)]
    rows: list[list[Any]] = []
    live: dict[str, int] = {}
    while len(rows) < ops:
        length = random.randint(20, 200)
        while sum(-(-n // block_size) for n in live.values()) + length // block_size + 2 > num_blocks:
            name = random.choice(list(live))
            del live[name]
            rows.append(["free", name])
        head = random.choice(heads)[: length // 3]
        name = f"s{len(rows)}"
        rows.append(["allocate", name, head + [random.randrange(vocabulary) for _ in range(length - len(head))]])
        live[name] = length
        for _ in range(2):
            name = random.choice(list(live))
            live[name] += 1
            rows.append(["append_slot", name, random.randrange(vocabulary)])
    return p06_story(num_blocks, block_size, rows[:ops])
