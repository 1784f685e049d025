"""The taught formula and the suggested names.

A duplicate carries the hash after allocate, not after append_slot; allocate registers after taking everything.
"""

from __future__ import annotations

from collections import OrderedDict, deque


class OutOfBlocks(Exception):
    """Not enough blocks."""


class BlockManager:
    def __init__(self, num_blocks: int, block_size: int, enable_prefix_cache: bool = True) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.enable_prefix_cache = enable_prefix_cache
        self.free_list: deque[int] = deque(range(num_blocks))
        self.ref: list[int] = [0] * num_blocks
        self.block_hash: list[int | None] = [None] * num_blocks
        self.hash_to_block: dict[int, int] = {}
        self.evictable: OrderedDict[int, None] = OrderedDict()
        self.tables: dict[str | int, list[int]] = {}
        self.tokens: dict[str | int, list[int]] = {}
        self.hashes: dict[str | int, list[int]] = {}
        self.cached: dict[str | int, int] = {}

    @property
    def num_free_blocks(self) -> int:
        return len(self.free_list) + len(self.evictable)

    def can_allocate(self, num_tokens: int) -> bool:
        return -(-num_tokens // self.block_size) <= self.num_free_blocks

    def _take(self) -> int:
        if self.free_list:
            b = self.free_list.popleft()
        elif self.evictable:
            b = next(iter(self.evictable))
            del self.evictable[b]
            h = self.block_hash[b]
            if h is not None and self.hash_to_block.get(h) == b:
                del self.hash_to_block[h]
            self.block_hash[b] = None
        else:
            raise OutOfBlocks
        self.ref[b] = 1
        return b

    def allocate(self, seq_id: str | int, token_ids: list[int]) -> list[int]:
        bs = self.block_size
        hashes: list[int] = []
        h: int | None = None
        if self.enable_prefix_cache:
            for i in range(len(token_ids) // bs):
                h = hash((h, tuple(token_ids[i * bs : (i + 1) * bs])))
                hashes.append(h)
        hits: list[int] = []
        for i in range((len(token_ids) - 1) // bs):
            b = self.hash_to_block.get(hashes[i]) if self.enable_prefix_cache else None
            if b is None:
                break
            hits.append(b)
        need = -(-len(token_ids) // bs) - len(hits)
        if need > self.num_free_blocks - sum(self.ref[b] == 0 for b in hits):
            raise OutOfBlocks(f"{need} blocks needed")
        for b in hits:
            if self.ref[b] == 0:
                del self.evictable[b]
            self.ref[b] += 1
        table = hits + [self._take() for _ in range(need)]
        for i in range(len(hits), len(hashes)):
            self.block_hash[table[i]] = hashes[i]
            self.hash_to_block.setdefault(hashes[i], table[i])
        self.tables[seq_id] = table
        self.tokens[seq_id] = list(token_ids)
        self.hashes[seq_id] = hashes
        self.cached[seq_id] = len(hits) * bs
        return list(table)

    def append_slot(self, seq_id: str | int, token_id: int) -> int:
        bs, table, tokens = self.block_size, self.tables[seq_id], self.tokens[seq_id]
        pos = len(tokens)
        if pos // bs == len(table):
            table.append(self._take())
        tokens.append(token_id)
        if self.enable_prefix_cache and (pos + 1) % bs == 0:
            chain = self.hashes[seq_id]
            h = hash((chain[-1] if chain else None, tuple(tokens[-bs:])))
            chain.append(h)
            if h not in self.hash_to_block:
                self.hash_to_block[h] = table[-1]
                self.block_hash[table[-1]] = h
        return table[-1] * bs + pos % bs

    def slot(self, seq_id: str | int, pos: int) -> int:
        return self.tables[seq_id][pos // self.block_size] * self.block_size + pos % self.block_size

    def num_cached_tokens(self, seq_id: str | int) -> int:
        return self.cached[seq_id]

    def free(self, seq_id: str | int) -> None:
        for b in reversed(self.tables.pop(seq_id)):
            self.ref[b] -= 1
            if self.ref[b] == 0:
                if self.block_hash[b] is None:
                    self.free_list.append(b)
                else:
                    self.evictable[b] = None
        del self.tokens[seq_id], self.hashes[seq_id], self.cached[seq_id]
