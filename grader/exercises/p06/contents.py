"""Stories about what the key of a block must tell apart: every token, its place, and all that came before the block.

A hash may be any (the contract leaves it open), but blocks of other content or another history are other blocks. Here
stand the pairs that a careless key takes for one: texts run together, numbers folded or rounded, order lost, a part of
the block or of its history left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from grader.replay.op import Row, Story, p06_story

Tokens = list[int]
Pair = tuple[Tokens, Tokens]

VOCABULARIES = (32_000, 50_257, 100_277, 128_256, 151_936, 200_019, 256_000, 262_144)
"""Sizes of real tokenizers' vocabularies. The contract goes further: ids up to 2**31."""
FOLDS = (*VOCABULARIES, *(1 << bits for bits in (7, 8, 10, 12, 15, 16, 17, 18, 20, 24, 30)), 1_000, 10_000, 10**6)
PRIMES = (31, 33, 37, 131, 137, 257, 1_009, 10_007, 65_521, 65_537, 65_599, 1_000_003, 16_777_619, 10**9 + 7)
ROUNDED = (256, 2_048, 1 << 24, (1 << 24) + 2, 1 << 30, (1 << 31) - 2)
"""From these on bfloat16, float16 and float32 do not tell a number from the next."""
SIZES = (3, 5, 8, 16, 32, 64, 128, 256)


@cache
def contents() -> tuple[Story, ...]:
    """All of them, those with small blocks first."""
    wide = (told_apart(size, places(size)) for size in SIZES)
    return told_apart(2, numbers()), told_apart(2, histories()), told_apart(1, distant()), *wide


def told_apart(size: int, pairs: Iterable[Pair]) -> Story:
    """For each pair: the one is cached, the other up to its last block, then how much of the other is found.

    Each stands after a block of its own, so that no pair meets another; both are whole blocks. There is room for all:
    nothing is evicted, and nothing but keys shows here.
    """
    rows: list[Row] = []
    blocks = 0
    for number, (one, other) in enumerate(pairs):
        first = [1_000 + number] * size
        names = [f"a{number}", f"b{number}", f"c{number}"]
        prompts = [first + one, first + other[:-size], [*first, *other, 9]]
        for name, prompt in zip(names, prompts, strict=True):
            rows.append(["allocate", name, prompt])
        rows.append(["num_cached_tokens", names[-1]])
        rows += [["free", name] for name in names]
        blocks += sum(-(-len(prompt) // size) for prompt in prompts)
    return p06_story(blocks, size, rows)


def numbers() -> Iterator[Pair]:
    """Two blocks of two tokens that differ in a number, in its place, or only in where the one number ends."""
    for step in (1, *FOLDS, *PRIMES):
        yield [3, 5], [3 + step, 5]
        yield [5, 3], [5, 3 + step]
        yield [1, 5 + step], [2, 5]  # digits of base `step`
    for number in ROUNDED:
        yield [number, 5], [number + 1, 5]
    yield from (
        ([1, 2], [2, 1]), ([1, 5], [2, 4]), ([2, 6], [3, 4]), ([1, 2], [4, 7]), ([1, 7], [5, 5]), ([0, 5], [5, 0]),
        ([1, 23], [12, 3]), ([1, 11], [11, 1]), ([12, 345], [1234, 5]), ([1, 10], [11, 0]), ([258, 3], [1, 515]),
        ([3, 9], [4, 9]), ([9, 3], [9, 4]), ([0, 0], [0, 1]), ([7, 7], [8, 8]),
    )  # fmt: skip


def histories() -> Iterator[Pair]:
    """The same last block of two tokens after another past."""
    end = [8, 9]
    yield [1, 2, 3, 4, *end], [3, 4, 1, 2, *end]
    yield [1, 2, 3, 4, *end], [1, 4, 3, 2, *end]
    yield [1, 2, 1, 2, *end], [1, 2, *end]
    yield [1, 2, *end], [1, 2, 1, 2, *end]
    yield [1, 1, 2, 2, *end], [2, 2, 1, 1, *end]
    yield [1, 2, 34, 5], [1, 23, 4, 5]
    yield [1, 2, 3, 4], [12, 3, 3, 4]
    yield [1, 12, 3, 4], [11, 2, 3, 4]
    yield [1, 2, 23, 4], [1, 22, 3, 4]
    yield [0, 0, *end], [0, 1, *end]
    yield [*end, *end], [*end, *end, *end]


def distant() -> Iterator[Pair]:
    """Two pasts that differ in their first block alone, so and so many blocks ago."""
    for between in (1, 2, 3, 4, 7, 8, 15, 16, 17, 32, 33, 64, 65, 128):
        yield [1, *range(10, 10 + between), 7], [2, *range(10, 10 + between), 7]


def places(size: int) -> Iterator[Pair]:
    """A block of ``size`` tokens and one that differs from it at one place, or in the order of two."""
    block = list(range(100, 100 + size))
    marks = {0, 1, 2, size // 2, size - 2, size - 1, *(bound + n for bound in (4, 8, 16, 32, 64, 128) for n in (-1, 0))}
    for place in sorted(mark for mark in marks if mark < size):
        yield block, [*block[:place], 7, *block[place + 1 :]]
    yield block, [block[-1], *block[1:-1], block[0]]
    yield block, [*block[:-2], block[-1], block[-2]]
    yield [*block[:-1], block[0]], [*block[:-1], block[1]]
