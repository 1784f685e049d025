"""The accounts of a block manager at one moment, in the field names that the skeleton suggests."""

from __future__ import annotations

import hashlib
from array import array
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Any

from grader.replay.op import SeqId

#: A chain tag: what a full block holds *and* everything before it, as 16 hex digits of a sha256. Made from content
#: alone, so it is the same in every run, process and manager, whatever hash the manager uses.
Tag = str


def chain_tag(parent: Tag | None, tokens: Sequence[int]) -> Tag:
    """The tag of a block of ``tokens`` after ``parent`` (None: the first block). Tokens must fit 64 bits, signed."""
    digest = hashlib.sha256((parent or "").encode())
    digest.update(array("q", tokens).tobytes())
    return digest.hexdigest()[:16]


def chain_tags(tokens: Sequence[int], block_size: int) -> list[Tag]:
    """The tags of every full block of a sequence, first to last."""
    tags: list[Tag] = []
    parent: Tag | None = None
    for start in range(0, len(tokens) - block_size + 1, block_size):
        parent = chain_tag(parent, tokens[start : start + block_size])
        tags.append(parent)
    return tags


class State:
    """A snapshot that can be stepped: ``events.apply`` changes it in place, ``copy`` keeps a moment.

    ``block_hash`` and ``hash_to_block`` hold chain tags. ``evictable`` runs from the oldest (evicted next) to newest.
    ``content`` is what was last written into each block: no manager keeps it, the tensors do.
    """

    __slots__ = (
        "num_blocks", "block_size", "enable_prefix_cache", "free_list", "ref", "block_hash", "hash_to_block",
        "evictable", "tables", "tokens", "hashes", "cached", "content",
    )  # fmt: skip

    def __init__(self, num_blocks: int, block_size: int, enable_prefix_cache: bool = True) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.enable_prefix_cache = enable_prefix_cache
        self.free_list: deque[int] = deque(range(num_blocks))
        self.ref = [0] * num_blocks
        self.block_hash: list[Tag | None] = [None] * num_blocks
        self.hash_to_block: dict[Tag, int] = {}
        self.evictable: OrderedDict[int, None] = OrderedDict()
        self.tables: dict[SeqId, list[int]] = {}
        self.tokens: dict[SeqId, list[int]] = {}
        self.hashes: dict[SeqId, list[Tag]] = {}
        self.cached: dict[SeqId, int] = {}
        self.content: list[list[int]] = [[] for _ in range(num_blocks)]

    @property
    def num_free_blocks(self) -> int:
        return len(self.free_list) + len(self.evictable)

    def copy(self) -> State:
        twin = State.__new__(State)
        for name in ("num_blocks", "block_size", "enable_prefix_cache"):
            setattr(twin, name, getattr(self, name))
        for name in ("free_list", "ref", "block_hash", "hash_to_block", "evictable", "cached"):
            setattr(twin, name, getattr(self, name).copy())
        for name in ("tables", "tokens", "hashes"):
            setattr(twin, name, {seq: row.copy() for seq, row in getattr(self, name).items()})
        twin.content = [row.copy() for row in self.content]
        return twin

    def view(self) -> dict[str, Any]:
        """What contract calls alone tell: free blocks, and each live sequence's table and cached tokens."""
        return {
            "num_free_blocks": self.num_free_blocks,
            "tables": [[seq, row.copy()] for seq, row in self.tables.items()],
            "cached": [[seq, number] for seq, number in self.cached.items()],
        }

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__ if name != "evictable") and (
            list(self.evictable) == list(other.evictable)
        )

    __hash__ = None  # type: ignore[assignment]
