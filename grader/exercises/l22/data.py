"""What the judge fills a cache with: bits of every kind, the same ones in every grading, no two rows alike."""

from __future__ import annotations

from array import array
from functools import cache
from random import Random

#: Changing it changes the data of every grading.
SUITE = "l22/1"

#: float32 bits that a detour through arithmetic would lose: -0.0, infinities, NaNs with a payload (quiet and
#: signalling), the smallest denormal, the largest.
SPECIAL = (0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7FA00001, 0x00000001, 0x807FFFFF)


def bits(elements: int) -> bytes:
    """4 bytes for each element of a cache."""
    return _stock(max(1 << 16, 1 << (elements - 1).bit_length()))[: 4 * elements]


@cache
def _stock(elements: int) -> bytes:
    words = array("I", Random(SUITE).randbytes(4 * elements))
    for i, at in enumerate(range(3, elements, 5)):
        words[at] = SPECIAL[i % len(SPECIAL)]
    return words.tobytes()
