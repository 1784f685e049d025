"""BlockManager is a function that builds what it was asked for: with the cache off, a class that knows none."""

from collections import OrderedDict


class OutOfBlocks(Exception):
    pass


class Plain:
    def __init__(self, num_blocks, block_size):
        self.block_size = block_size
        self.free_list = list(range(num_blocks - 1, -1, -1))  # next one last
        self.back = []
        self.seqs = {}

    @property
    def num_free_blocks(self):
        return len(self.free_list) + len(self.back)

    def can_allocate(self, num_tokens):
        return self.need(num_tokens) <= self.num_free_blocks

    def need(self, num_tokens):
        return (num_tokens - 1) // self.block_size + 1

    def take(self):
        if not self.free_list:
            self.free_list, self.back = self.back[::-1], []
        if not self.free_list:
            raise OutOfBlocks("empty")
        return self.free_list.pop()

    def allocate(self, seq_id, token_ids):
        n = self.need(len(token_ids))
        if n > self.num_free_blocks:
            raise OutOfBlocks(f"{n} blocks for {seq_id!r}")
        self.seqs[seq_id] = [len(token_ids), [self.take() for _ in range(n)]]
        return list(self.seqs[seq_id][1])

    def append_slot(self, seq_id, token_id):
        seq = self.seqs[seq_id]
        if self.need(seq[0] + 1) > len(seq[1]):
            seq[1].append(self.take())
        seq[0] += 1
        return self.slot(seq_id, seq[0] - 1)

    def slot(self, seq_id, pos):
        return self.seqs[seq_id][1][pos // self.block_size] * self.block_size + pos % self.block_size

    def num_cached_tokens(self, seq_id):
        return 0

    def free(self, seq_id):
        self.back.extend(reversed(self.seqs.pop(seq_id)[1]))


class Caching(Plain):
    """Duplicates carry no hash after allocate and one after append_slot; registers after taking everything."""

    def __init__(self, num_blocks, block_size):
        super().__init__(num_blocks, block_size)
        self.users = dict.fromkeys(range(num_blocks), 0)
        self.cart = OrderedDict()
        self.carries = {}
        self.found_at = {}

    @property
    def num_free_blocks(self):
        return super().num_free_blocks + len(self.cart)

    def take(self):
        try:
            block = super().take()
        except OutOfBlocks:
            if not self.cart:
                raise
            block = self.cart.popitem(last=False)[0]
            key = self.carries.pop(block)
            if self.found_at.get(key) == block:
                del self.found_at[key]
        self.users[block] = 1
        return block

    def allocate(self, seq_id, token_ids):
        size, chain, parent = self.block_size, [], None
        for i in range(len(token_ids) // size):
            parent = hash((parent, tuple(token_ids[i * size : i * size + size])))
            chain.append(parent)
        hits = []
        for key in chain[: (len(token_ids) - 1) // size]:
            if key not in self.found_at:
                break
            hits.append(self.found_at[key])
        n = self.need(len(token_ids)) - len(hits)
        if n > self.num_free_blocks - sum(1 for b in hits if b in self.cart):
            raise OutOfBlocks(f"{n} more blocks for {seq_id!r}")
        for b in hits:
            self.users[b] += 1
            self.cart.pop(b, None)
        table = hits + [self.take() for _ in range(n)]
        for b, key in list(zip(table, chain))[len(hits) :]:
            if key not in self.found_at:
                self.found_at[key], self.carries[b] = b, key
        self.seqs[seq_id] = [len(token_ids), table, list(token_ids[len(chain) * size :]), parent, len(hits) * size]
        return list(table)

    def append_slot(self, seq_id, token_id):
        slot = super().append_slot(seq_id, token_id)
        seq = self.seqs[seq_id]
        seq[2].append(token_id)
        if len(seq[2]) == self.block_size:
            seq[3] = hash((seq[3], tuple(seq[2])))
            seq[2] = []
            self.carries[seq[1][-1]] = seq[3]
            self.found_at.setdefault(seq[3], seq[1][-1])
        return slot

    def num_cached_tokens(self, seq_id):
        return self.seqs[seq_id][4]

    def free(self, seq_id):
        for b in reversed(self.seqs.pop(seq_id)[1]):
            self.users[b] -= 1
            if self.users[b] == 0 and b in self.carries:
                self.cart[b] = None
            elif self.users[b] == 0:
                self.back.append(b)


def BlockManager(num_blocks, block_size, enable_prefix_cache=True):
    return (Caching if enable_prefix_cache else Plain)(num_blocks, block_size)
