"""numpy inside, plain ints outside.

A duplicate carries the digest after append_slot, not after allocate; allocate registers each block as it takes it.
"""

import hashlib
import warnings

import numpy as np

warnings.warn("this manager keeps its books in arrays", UserWarning, stacklevel=1)


class OutOfBlocks(MemoryError):
    pass


NEVER = np.iinfo(np.int64).max


class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
        self.bs = np.int64(block_size)
        self.on = np.bool_(enable_prefix_cache)
        self.ref = np.zeros(num_blocks, dtype=np.int32)
        self.given_back = np.arange(num_blocks, dtype=np.int64)
        self.time = np.int64(num_blocks)
        self.digest = np.full(num_blocks, None, dtype=object)
        self.first = {}
        self.table, self.tokens, self.chain, self.cached = {}, {}, {}, {}

    @property
    def num_free_blocks(self):
        return int(np.count_nonzero(self.ref == 0))

    def can_allocate(self, num_tokens):
        return bool(np.ceil(num_tokens / self.bs) <= self.num_free_blocks)

    def _take(self):
        idle = self.ref == 0
        if not idle.any():
            raise OutOfBlocks(f"all {self.ref.size} blocks are in use")
        bare = idle & np.equal(self.digest, None)
        block = int(np.argmin(np.where(bare if bare.any() else idle, self.given_back, NEVER)))
        digest, self.digest[block] = self.digest[block], None
        if digest is not None and self.first.get(digest) == block:
            del self.first[digest]
        self.ref[block] = 1
        return block

    def _digest(self, parent, tokens):
        return hashlib.blake2b(parent + np.asarray(tokens, dtype="<u8").tobytes(), digest_size=24).digest()

    def allocate(self, seq_id, token_ids):
        tokens = np.array(token_ids, dtype=np.int64)
        total, full = int(-(-tokens.size // self.bs)), int(tokens.size // self.bs)
        chain = [b""]
        for piece in tokens[: full * self.bs].reshape(full, self.bs):
            chain.append(self._digest(chain[-1], piece))
        hits = []
        for digest in chain[1 : (tokens.size - 1) // self.bs + 1]:
            if digest not in self.first:
                break
            hits.append(self.first[digest])
        if total - len(hits) > self.num_free_blocks - int((self.ref[hits] == 0).sum()):
            raise OutOfBlocks("prompt does not fit")
        self.ref[hits] += 1
        table = np.array(hits, dtype=np.int64)
        for i in range(len(hits), total):
            block = self._take()
            table = np.append(table, block)
            if self.on and i < full and chain[i + 1] not in self.first:
                self.first[chain[i + 1]] = block
                self.digest[block] = chain[i + 1]
        self.table[seq_id], self.tokens[seq_id] = table, tokens
        self.chain[seq_id], self.cached[seq_id] = chain[-1], len(hits)
        return table.tolist()

    def append_slot(self, seq_id, token_id):
        pos = self.tokens[seq_id].size
        if pos // self.bs == self.table[seq_id].size:
            self.table[seq_id] = np.append(self.table[seq_id], self._take())
        self.tokens[seq_id] = np.append(self.tokens[seq_id], token_id)
        if (pos + 1) % self.bs == 0:
            last = int(self.table[seq_id][-1])
            self.chain[seq_id] = self._digest(self.chain[seq_id], self.tokens[seq_id][-self.bs :])
            if self.on:
                self.first.setdefault(self.chain[seq_id], last)
                self.digest[last] = self.chain[seq_id]
        return self.slot(seq_id, pos)

    def slot(self, seq_id, pos):
        return int(self.table[seq_id][pos // self.bs] * self.bs + pos % self.bs)

    def num_cached_tokens(self, seq_id):
        return int(self.cached[seq_id] * self.bs)

    def free(self, seq_id):
        for block in self.table.pop(seq_id)[::-1]:
            self.ref[block] -= 1
            if self.ref[block] == 0:
                self.given_back[block] = self.time = self.time + 1
        for book in (self.tokens, self.chain, self.cached):
            del book[seq_id]
