"""Hardly any state: blocks come into being when first wanted, and reference counts are counted when asked.

Duplicates never carry the hash; allocate registers each block as it takes it.
"""

from functools import cached_property, reduce


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
        self.args = num_blocks, block_size, enable_prefix_cache

    @cached_property
    def state(self):
        return {"fresh": 0, "back": [], "cart": [], "index": {}, "names": {}, "seqs": {}}

    @cached_property
    def bs(self):
        return self.args[1]

    def refs(self, block):
        return sum(block in table for table, _, _, _ in self.state["seqs"].values())

    @property
    def num_free_blocks(self):
        s = self.state
        return self.args[0] - s["fresh"] + len(s["back"]) + len(s["cart"])

    def can_allocate(self, num_tokens):
        return bool((self.num_free_blocks * self.bs) >= num_tokens)

    def take(self):
        s = self.state
        if s["fresh"] < self.args[0]:
            s["fresh"] += 1
            return s["fresh"] - 1
        if s["back"]:
            return s["back"].pop(0)
        if not s["cart"]:
            raise OutOfBlocks()
        block = s["cart"].pop(0)
        del s["index"][s["names"].pop(block)]
        return block

    def register(self, block, name):
        if self.args[2] and name not in self.state["index"]:
            self.state["index"][name] = block
            self.state["names"][block] = name

    def name_of(self, tokens, blocks):
        """The chain's last link, computed anew whenever it is wanted."""
        cut = [tuple(tokens[i * self.bs : (i + 1) * self.bs]) for i in range(blocks)]
        return reduce(lambda parent, own: hash((parent, own)), cut, None)

    def allocate(self, seq_id, token_ids):
        s, tokens, hits = self.state, tuple(token_ids), []
        for k in range(1, (len(tokens) - 1) // self.bs + 1):
            block = s["index"].get(self.name_of(tokens, k), -1)
            if block < 0:
                break
            hits.append(block)
        total = (len(tokens) - 1) // self.bs + 1
        if total - len(hits) > self.num_free_blocks - sum(b in s["cart"] for b in hits):
            raise OutOfBlocks(f"{seq_id!r} needs {total} blocks")
        s["cart"][:] = [b for b in s["cart"] if b not in hits]
        table = list(hits)
        for k in range(len(hits), total):
            table.append(self.take())
            if (k + 1) * self.bs <= len(tokens):
                self.register(table[k], self.name_of(tokens, k + 1))
        s["seqs"][seq_id] = table, list(tokens), len(hits), None
        return list(table)

    def append_slot(self, seq_id, token_id):
        table, tokens, _, _ = self.state["seqs"][seq_id]
        if len(tokens) == len(table) * self.bs:
            table.append(self.take())
        tokens.append(token_id)
        if len(tokens) == len(table) * self.bs:
            self.register(table[-1], self.name_of(tokens, len(table)))
        return self.slot(seq_id, len(tokens) - 1)

    def slot(self, seq_id, pos):
        return self.state["seqs"][seq_id][0][pos // self.bs] * self.bs + pos % self.bs

    def num_cached_tokens(self, seq_id):
        return self.state["seqs"][seq_id][2] * self.bs

    def free(self, seq_id):
        table = self.state["seqs"].pop(seq_id)[0]
        for block in table[::-1]:
            if self.refs(block) == 0:
                self.state["cart" if block in self.state["names"] else "back"].append(block)
