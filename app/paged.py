"""What l22's three methods do with given sizes, as plain numbers: the picture draws them. No tensor is made."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

_MIX = 447  # puts 7, 2, 9 in front of a pool of ten


class Sizes(NamedTuple):
    """Chosen by whoever looks. ``prompt``: tokens of the prompt, ``steps``: tokens decoded after it; ``mixed``: a pool
    that has been in use, so that its ids are in no order."""

    num_blocks: int = 10
    block_size: int = 4
    head_dim: int = 8
    prompt: int = 6
    steps: int = 3
    mixed: bool = True


class Prefill(NamedTuple):
    """``table`` is empty and ``after`` is ``before`` where there are too few blocks."""

    needed: int
    before: list[int]
    after: list[int]
    table: list[int]

    @property
    def fits(self) -> bool:
        return self.needed <= len(self.before)


class Decode(NamedTuple):
    """One generated token: the length with it, the table with it; ``new`` is the block it opened, or None.

    ``refused``: it would open one, and there is none; the table stays.
    """

    length: int
    opens: bool
    new: int | None
    table: list[int]
    free: list[int]
    refused: bool


def pool(sizes: Sizes) -> list[int]:
    ids = list(range(sizes.num_blocks))
    if sizes.mixed:
        Random(_MIX).shuffle(ids)
    return ids


def prefill(sizes: Sizes) -> Prefill:
    before = pool(sizes)
    needed = -(-sizes.prompt // sizes.block_size)
    taken = needed if needed <= len(before) else 0
    return Prefill(needed, before, before[taken:], before[:taken])


def decode(sizes: Sizes) -> list[Decode]:
    """A row for each step, the last one refused if the pool runs out; no row where the prompt does not fit."""
    start = prefill(sizes)
    if not start.fits:
        return []
    table, free, rows = start.table, start.after, list[Decode]()
    for length in range(sizes.prompt + 1, sizes.prompt + sizes.steps + 1):
        opens = length > len(table) * sizes.block_size
        if opens and not free:
            rows.append(Decode(length, True, None, table, free, True))
            break
        new = free[0] if opens else None
        if opens:
            table, free = [*table, free[0]], free[1:]
        rows.append(Decode(length, opens, new, table, free, False))
    return rows


def gathered(sizes: Sizes) -> tuple[list[int], int]:
    """The table and the length after the last step that worked; an empty table where the prompt did not fit."""
    rows = [row for row in decode(sizes) if not row.refused]
    if rows:
        return rows[-1].table, rows[-1].length
    start = prefill(sizes)
    return start.table, sizes.prompt if start.fits else 0
