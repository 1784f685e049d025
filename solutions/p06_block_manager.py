"""P06, the reference answer: who owns which block of the KV cache, and which freed block is worth keeping.

Read it beside vLLM's `block_pool.py` or nano-vllm's `block_manager.py`. The public calls come first: each
reads everything, checks once, then writes. Below them are the steps they are made of, one idea each.
Every step costs O(1) per block touched, whatever the size of the pool.
"""

from __future__ import annotations

import struct
from collections import OrderedDict, deque
from hashlib import sha256

SeqId = str | int
Key = bytes  # identity of a full block: it tells the whole history up to and including this block
START: Key = b""  # what the first block of every sequence is chained on, in allocate and in append_slot alike


class OutOfBlocks(Exception):
    """The pool cannot serve this call now. Nothing has changed."""


def pack(tokens: list[int]) -> bytes:
    """Eight bytes a token, so that no two lists of one length look alike (ValueError if one does not fit)."""
    try:
        return struct.pack(f"{len(tokens)}q", *tokens)
    except struct.error:
        raise ValueError("a token id is an int that fits in 64 bits (signed)") from None


class BlockManager:
    def __init__(self, num_blocks: int, block_size: int, enable_prefix_cache: bool = True) -> None:
        if num_blocks < 0 or block_size < 1:
            raise ValueError("num_blocks must be at least 0 and block_size at least 1")
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.enable_prefix_cache = enable_prefix_cache
        # per block
        self.free_list: deque[int] = deque(range(num_blocks))  # ref 0, no hash; first in, first out
        self.evictable: OrderedDict[int, None] = OrderedDict()  # ref 0, has a hash; oldest first
        self.ref: list[int] = [0] * num_blocks
        self.block_hash: list[Key | None] = [None] * num_blocks
        self.hash_to_block: dict[Key, int] = {}
        # per live sequence
        self.tables: dict[SeqId, list[int]] = {}
        self.tokens: dict[SeqId, list[int]] = {}
        self.hashes: dict[SeqId, list[Key]] = {}
        self.cached: dict[SeqId, int] = {}

    @property
    def num_free_blocks(self) -> int:
        return len(self.free_list) + len(self.evictable)

    def can_allocate(self, num_tokens: int) -> bool:
        """Coarse on purpose: hits are ignored, so yes is a promise and no is not."""
        return -(-num_tokens // self.block_size) <= self.num_free_blocks

    def allocate(self, seq_id: SeqId, token_ids: list[int]) -> list[int]:
        """Give a new sequence its blocks, return its block table; OutOfBlocks leaves everything as it was."""
        if seq_id in self.tables:
            raise ValueError(f"sequence {seq_id!r} is live already: free it before allocating it again")
        if not token_ids:
            raise ValueError("a prompt needs at least one token")
        tokens = list(token_ids)  # the caller keeps its list, we keep ours
        num_blocks = -(-len(tokens) // self.block_size)
        chain = self._chain(tokens)
        table = self._hits(chain, len(tokens))
        self._check_room(num_blocks, table)

        self.cached[seq_id] = len(table) * self.block_size
        for block in table:
            self._share(block)
        self._place(table, chain, num_blocks)
        self.tables[seq_id], self.tokens[seq_id], self.hashes[seq_id] = table, tokens, chain
        return table.copy()

    def append_slot(self, seq_id: SeqId, token_id: int) -> int:
        """Add one token and return its slot; OutOfBlocks leaves everything as it was."""
        table, tokens = self._table(seq_id), self.tokens[seq_id]
        size = self.block_size
        index, offset = divmod(len(tokens), size)
        if index == len(table):
            table.append(self._take())  # the only step that can fail, so it comes first
        tokens.append(token_id)
        if offset == size - 1 and self.enable_prefix_cache:
            self._seal(seq_id)
        return table[index] * size + offset

    def slot(self, seq_id: SeqId, pos: int) -> int:
        table = self._table(seq_id)
        if not 0 <= pos < len(self.tokens[seq_id]):
            raise IndexError(f"sequence {seq_id!r} has no token at position {pos}")
        return table[pos // self.block_size] * self.block_size + pos % self.block_size

    def num_cached_tokens(self, seq_id: SeqId) -> int:
        self._table(seq_id)
        return self.cached[seq_id]

    def free(self, seq_id: SeqId) -> None:
        """Give a sequence's blocks back, the last one first: the shared head must be the last to go."""
        for block in reversed(self._table(seq_id)):
            self._release(block)
        del self.tables[seq_id], self.tokens[seq_id], self.hashes[seq_id], self.cached[seq_id]

    # --- what a call reads --------------------------------------------------------------------------------

    def _table(self, seq_id: SeqId) -> list[int]:
        try:
            return self.tables[seq_id]
        except KeyError:
            raise KeyError(f"no live sequence {seq_id!r}: allocate it first") from None

    def _key(self, parent: Key, data: bytes) -> Key:
        return sha256(parent + data).digest()  # hash() collides: hash(-1) == hash(-2)

    def _chain(self, tokens: list[int]) -> list[Key]:
        """The keys of the full blocks; a half-full block has no identity."""
        if not self.enable_prefix_cache:
            return []
        chain, parent, data, width = [], START, pack(tokens), 8 * self.block_size
        key = self._key
        for end in range(width, len(data) + 1, width):
            parent = key(parent, data[end - width : end])
            chain.append(parent)
        return chain

    def _hits(self, chain: list[Key], num_tokens: int) -> list[int]:
        """Cached blocks from the first on, up to the first miss, leaving at least one token to compute."""
        hits = []
        for key in chain[: (num_tokens - 1) // self.block_size]:
            block = self.hash_to_block.get(key)
            if block is None:
                break
            hits.append(block)
        return hits

    def _check_room(self, num_blocks: int, hits: list[int]) -> None:
        """Exact: a hit that waits in the evictable pool looks free, but this very call will revive it."""
        needed = num_blocks - len(hits)
        room = self.num_free_blocks - [self.ref[block] for block in hits].count(0)
        if needed > room:
            raise OutOfBlocks(f"new blocks needed: {needed}, blocks to be had: {room}")

    # --- what a call writes -------------------------------------------------------------------------------

    def _share(self, block: int) -> None:
        if self.ref[block] == 0:
            del self.evictable[block]  # revived
        self.ref[block] += 1

    def _place(self, table: list[int], chain: list[Key], num_blocks: int) -> None:
        """Extend a table of hits to `num_blocks` with new blocks, then register the full ones among them."""
        first = len(table)
        table += [self._take() for _ in range(first, num_blocks)]
        for block, key in zip(table[first:], chain[first:], strict=False):  # the last block may be half full
            self._register(block, key)

    def _take(self) -> int:
        if self.free_list:
            block = self.free_list.popleft()
        elif self.evictable:
            block = self._evict()
        else:
            raise OutOfBlocks("every block is in use")
        self.ref[block] = 1
        return block

    def _evict(self) -> int:
        block, _ = self.evictable.popitem(last=False)
        key, self.block_hash[block] = self.block_hash[block], None
        if key is not None and self.hash_to_block.get(key) == block:  # an older twin may own the entry
            del self.hash_to_block[key]
        return block

    def _register(self, block: int, key: Key) -> None:
        self.block_hash[block] = key
        self.hash_to_block.setdefault(key, block)  # the older of two twins stays the one that is found

    def _seal(self, seq_id: SeqId) -> None:
        """The last block of the sequence has just been filled by append_slot: it gets its identity."""
        chain = self.hashes[seq_id]
        key = self._key(chain[-1] if chain else START, pack(self.tokens[seq_id][-self.block_size :]))
        chain.append(key)
        self._register(self.tables[seq_id][-1], key)

    def _release(self, block: int) -> None:
        self.ref[block] = users = self.ref[block] - 1
        if users == 0:
            if self.block_hash[block] is None:
                self.free_list.append(block)
            else:
                self.evictable[block] = None
