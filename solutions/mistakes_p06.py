"""The classic mistakes of P06, each the reference with one idea wrong. Words: `mistake_words.py`."""

from __future__ import annotations

from solutions.p06_block_manager import START, BlockManager, Key, OutOfBlocks, SeqId, pack


class HalfFullHashed(BlockManager):
    def _chain(self, tokens: list[int]) -> list[Key]:
        chain = super()._chain(tokens)
        rest = len(tokens) % self.block_size
        if self.enable_prefix_cache and rest:
            chain.append(self._key(chain[-1] if chain else START, pack(tokens[-rest:])))
        return chain


class HitLimitLen(BlockManager):
    def _hits(self, chain: list[Key], num_tokens: int) -> list[int]:
        return super()._hits(chain, num_tokens + 1)  # (n + 1 - 1) // bs


class TwoChainStarts(BlockManager):
    def _seal(self, seq_id: SeqId) -> None:
        chain = self.hashes[seq_id]
        parent = chain[-1] if chain else b"another start"
        chain.append(self._key(parent, pack(self.tokens[seq_id][-self.block_size :])))
        self._register(self.tables[seq_id][-1], chain[-1])


class EvictForeignEntry(BlockManager):
    def _evict(self) -> int:
        block, _ = self.evictable.popitem(last=False)
        key, self.block_hash[block] = self.block_hash[block], None
        if key is not None:
            self.hash_to_block.pop(key, None)  # whoever it points at
        return block


class FreeForwards(BlockManager):
    def free(self, seq_id: SeqId) -> None:
        self.tables[seq_id].reverse()  # so that the reference's backward walk goes forwards
        super().free(seq_id)


class EvictableHitsCounted(BlockManager):
    def _check_room(self, num_blocks: int, hits: list[int]) -> None:
        super()._check_room(num_blocks - len(hits), [])


class CoarseCheck(BlockManager):
    def _check_room(self, num_blocks: int, hits: list[int]) -> None:
        super()._check_room(num_blocks, [])


class RevivedStays(BlockManager):
    def _share(self, block: int) -> None:
        self.ref[block] += 1


class AppendBeforeBlock(BlockManager):
    def append_slot(self, seq_id: SeqId, token_id: int) -> int:
        try:
            return super().append_slot(seq_id, token_id)
        except OutOfBlocks:
            self.tokens[seq_id].append(token_id)  # it was there before the block was asked for
            raise


class UnchainedHash(BlockManager):
    def _key(self, parent: Key, data: bytes) -> Key:
        return super()._key(START, data)


class EvictKeepsEntry(BlockManager):
    def _evict(self) -> int:
        block, _ = self.evictable.popitem(last=False)
        self.block_hash[block] = None
        return block


class NewestEvictedFirst(BlockManager):
    def _evict(self) -> int:
        self.evictable.move_to_end(next(reversed(self.evictable)), last=False)
        return super()._evict()


class EvictBeforeFree(BlockManager):
    def _take(self) -> int:
        if not self.evictable:
            return super()._take()
        block = self._evict()
        self.ref[block] = 1
        return block


class AppendUnregistered(BlockManager):
    def _seal(self, seq_id: SeqId) -> None:
        pass


class CallersListKept(BlockManager):
    def allocate(self, seq_id: SeqId, token_ids: list[int]) -> list[int]:
        table = super().allocate(seq_id, token_ids)
        self.tokens[seq_id] = token_ids
        return table


class HitsAfterGap(BlockManager):
    def _hits(self, chain: list[Key], num_tokens: int) -> list[int]:
        limit = (num_tokens - 1) // self.block_size
        return [self.hash_to_block[key] for key in chain[:limit] if key in self.hash_to_block]


class SharedReturned(BlockManager):
    def _release(self, block: int) -> None:
        self.ref[block] -= 1
        if self.block_hash[block] is None:
            self.free_list.append(block)
        else:
            self.evictable[block] = None


class ZeroIsNothing(BlockManager):
    def _hits(self, chain: list[Key], num_tokens: int) -> list[int]:
        hits = []
        for key in chain[: (num_tokens - 1) // self.block_size]:
            block = self.hash_to_block.get(key)
            if not block:
                break
            hits.append(block)
        return hits


class FailedAllocateTouches(BlockManager):
    def _check_room(self, num_blocks: int, hits: list[int]) -> None:
        for block in hits:
            if block in self.evictable:
                self.evictable.move_to_end(block)
        super()._check_room(num_blocks, hits)
