"""Slow but in time: nothing but lists that are searched from end to end.

A duplicate stays without a key after allocate and carries it after append_slot; allocate registers after taking all.
"""


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
        self.n = num_blocks
        self.bs = block_size
        self.cache = enable_prefix_cache
        self.free_ones = [b for b in range(num_blocks)]
        self.waiting = []
        self.known = []  # [whole prefix, block]
        self.carried = []  # [block, whole prefix]
        self.seqs = []  # [id, tokens, table, hits]

    def find(self, seq_id):
        for seq in self.seqs:
            if type(seq[0]) is type(seq_id) and seq[0] == seq_id:
                return seq
        raise LookupError(seq_id)

    def lookup(self, prefix):
        for p, b in self.known:
            if p == prefix:
                return b
        return None

    @property
    def num_free_blocks(self):
        return len(self.free_ones + self.waiting)

    def can_allocate(self, num_tokens):
        k = 0
        while k * self.bs < num_tokens:
            k += 1
        return k <= self.num_free_blocks

    def take_one(self):
        if len(self.free_ones) > 0:
            return self.free_ones.pop(0)
        if len(self.waiting) > 0:
            b = self.waiting.pop(0)
            self.known = [[p, c] for p, c in self.known if c != b]
            self.carried = [[c, p] for c, p in self.carried if c != b]
            return b
        raise OutOfBlocks("no more blocks")

    def allocate(self, seq_id, token_ids):
        prefixes = []
        for i in range(1, len(token_ids) // self.bs + 1):
            if self.cache:
                prefixes.append(token_ids[: i * self.bs])
        table = []
        for prefix in prefixes:
            if len(prefix) == len(token_ids):
                break
            b = self.lookup(prefix)
            if b is None:
                break
            table.append(b)
        hits = len(table)
        need = 0
        while (hits + need) * self.bs < len(token_ids):
            need += 1
        room = len(self.free_ones)
        for b in self.waiting:
            if b not in table:
                room += 1
        if need > room:
            raise OutOfBlocks("need %d, have %d" % (need, room))
        for b in table:
            if b in self.waiting:
                self.waiting.remove(b)
        for _ in range(need):
            table.append(self.take_one())
        for i in range(hits, len(prefixes)):
            if self.lookup(prefixes[i]) is None:
                self.known.append([prefixes[i], table[i]])
                self.carried.append([table[i], prefixes[i]])
        self.seqs.append([seq_id, [t for t in token_ids], table, hits])
        return [b for b in table]

    def append_slot(self, seq_id, token_id):
        seq = self.find(seq_id)
        if len(seq[1]) == len(seq[2]) * self.bs:
            seq[2].append(self.take_one())
        seq[1].append(token_id)
        if self.cache and len(seq[1]) == len(seq[2]) * self.bs:
            prefix = seq[1][:]
            self.carried.append([seq[2][-1], prefix])
            if self.lookup(prefix) is None:
                self.known.append([prefix, seq[2][-1]])
        return self.slot(seq_id, len(seq[1]) - 1)

    def slot(self, seq_id, pos):
        b = 0
        while pos >= self.bs:
            pos -= self.bs
            b += 1
        return self.find(seq_id)[2][b] * self.bs + pos

    def num_cached_tokens(self, seq_id):
        return self.find(seq_id)[3] * self.bs

    def free(self, seq_id):
        seq = self.find(seq_id)
        self.seqs.remove(seq)
        for b in reversed(seq[2]):
            used = False
            for other in self.seqs:
                if b in other[2]:
                    used = True
            if used:
                continue
            if b in [c for c, p in self.carried]:
                self.waiting.append(b)
            else:
                self.free_ones.append(b)
