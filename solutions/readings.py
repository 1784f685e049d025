"""The eight readings of what the P06 contract leaves open, each as a small change to any block manager.

(a) Does a duplicate, a full block whose chain an older block already stands for, carry the hash itself (and
so wait in the evictable pool after free)? One answer for allocate, one for append_slot. (b) Does allocate
register the new full blocks after it has taken all of them, or one by one as it takes them?
The reference's duplicates carry the hash in both calls, and it registers late. The others are made here.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

from solutions.p06_block_manager import BlockManager, Key, SeqId


class Reading(NamedTuple):
    dup_allocate: bool = True
    dup_append: bool = True
    register_late: bool = True


# the reference's own reading comes first
READINGS = tuple(Reading(*answers) for answers in product((True, False), repeat=3))


class RegisterOneByOne(BlockManager):
    def _place(self, table: list[int], chain: list[Key], num_blocks: int) -> None:
        for index in range(len(table), num_blocks):
            table.append(self._take())
            if index < len(chain):
                self._register(table[index], chain[index])


class PlainDuplicates(BlockManager):
    def _unmark(self, block: int) -> None:
        """Take the hash off a block in use that the map does not point at: it will go to the free list."""
        key = self.block_hash[block]
        if key is not None and self.hash_to_block.get(key) != block:
            self.block_hash[block] = None


class PlainDuplicatesInAllocate(PlainDuplicates):
    def _place(self, table: list[int], chain: list[Key], num_blocks: int) -> None:
        first = len(table)
        super()._place(table, chain, num_blocks)
        for block in table[first:]:
            self._unmark(block)


class PlainDuplicatesInAppend(PlainDuplicates):
    def _seal(self, seq_id: SeqId) -> None:
        super()._seal(seq_id)
        self._unmark(self.tables[seq_id][-1])


def mixins(reading: Reading) -> tuple[type[BlockManager], ...]:
    """What has to be put in front of a class to give it this reading; nothing for the reference's own."""
    parts = (PlainDuplicatesInAllocate, PlainDuplicatesInAppend, RegisterOneByOne)
    return tuple(part for as_reference, part in zip(reading, parts, strict=True) if not as_reference)


@cache
def reading(
    cls: type[BlockManager], dup_allocate: bool = True, dup_append: bool = True, register_late: bool = True
) -> type[BlockManager]:
    """`cls`, the reference or a mistake, under one of the eight readings (made once, then the same class)."""
    parts = mixins(Reading(dup_allocate, dup_append, register_late))
    return type(cls.__name__, (*parts, cls), {}) if parts else cls
