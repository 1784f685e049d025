"""One dict of dataclasses for the blocks, one for the sequences; an identity is a nested tuple, not a hash.

Duplicates carry the identity in both calls; allocate registers each block as it takes it.
"""

from dataclasses import dataclass, field
from itertools import count


class OutOfBlocks(Exception):
    ...


@dataclass
class Block:
    users: int = 0
    identity: tuple | None = None
    since: int = 0  # when it was last given back


@dataclass
class Seq:
    tokens: list = field(default_factory=list)
    table: list = field(default_factory=list)
    identity: tuple = ()
    cached: int = 0


@dataclass
class BlockManager:
    num_blocks: int
    block_size: int
    enable_prefix_cache: bool = True

    def __post_init__(self):
        self._clock = count(1)
        self._blocks = {b: Block(since=b - self.num_blocks) for b in range(self.num_blocks)}
        self._seqs = {}
        self._known = {}

    def _unused(self):
        return [b for b, block in self._blocks.items() if block.users == 0]

    @property
    def num_free_blocks(self):
        return len(self._unused())

    def can_allocate(self, num_tokens):
        return self._blocks_for(num_tokens) <= self.num_free_blocks

    def _blocks_for(self, n):
        return n // self.block_size + bool(n % self.block_size)

    def _take(self):
        unused = self._unused()
        if not unused:
            raise OutOfBlocks("all blocks are in use")
        b = min(unused, key=lambda b: (self._blocks[b].identity is not None, self._blocks[b].since))
        block = self._blocks[b]
        if block.identity is not None and self._known.get(block.identity) == b:
            self._known.pop(block.identity)
        block.identity = None
        block.users = 1
        return b

    def _register(self, b, identity):
        self._blocks[b].identity = identity
        if identity not in self._known:
            self._known[identity] = b

    def allocate(self, seq_id, token_ids):
        size = self.block_size
        pieces = [tuple(token_ids[i : i + size]) for i in range(0, len(token_ids), size)]
        hits, identity = [], ()
        if self.enable_prefix_cache:
            for piece in pieces[:-1]:
                identity = (identity, piece)
                if identity not in self._known:
                    break
                hits.append(self._known[identity])
        asleep = sum(self._blocks[b].users == 0 for b in hits)
        if len(pieces) - len(hits) > self.num_free_blocks - asleep:
            raise OutOfBlocks("too long")
        seq = Seq(tokens=[*token_ids], cached=len(hits) * size)
        for b in hits:
            self._blocks[b].users += 1
        for i, piece in enumerate(pieces):
            b = hits[i] if i < len(hits) else self._take()
            seq.table.append(b)
            if len(piece) == size:
                seq.identity = (seq.identity, piece)
                if self.enable_prefix_cache and i >= len(hits):
                    self._register(b, seq.identity)
        self._seqs[seq_id] = seq
        return [*seq.table]

    def append_slot(self, seq_id, token_id):
        seq = self._seqs[seq_id]
        if self._blocks_for(len(seq.tokens) + 1) > len(seq.table):
            seq.table.append(self._take())
        seq.tokens.append(token_id)
        if len(seq.tokens) % self.block_size == 0:
            seq.identity = (seq.identity, tuple(seq.tokens[-self.block_size :]))
            if self.enable_prefix_cache:
                self._register(seq.table[-1], seq.identity)
        return self.slot(seq_id, len(seq.tokens) - 1)

    def slot(self, seq_id, pos):
        return self._seqs[seq_id].table[pos // self.block_size] * self.block_size + pos % self.block_size

    def num_cached_tokens(self, seq_id):
        return self._seqs[seq_id].cached

    def free(self, seq_id):
        seq = self._seqs.pop(seq_id)
        for b in reversed(seq.table):
            self._blocks[b].users -= 1
            if self._blocks[b].users == 0:
                self._blocks[b].since = next(self._clock)
