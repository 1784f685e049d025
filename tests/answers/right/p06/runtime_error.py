"""OutOfBlocks is a RuntimeError, what is raised is a subclass of it, and every call talks.

Duplicates never carry the hash; allocate registers after it has taken everything.
"""

import sys
from collections import OrderedDict, deque


class OutOfBlocks(RuntimeError):
    pass


class PoolIsDry(OutOfBlocks):
    def __init__(self, wanted, there):
        super().__init__(wanted, there)
        self.wanted = wanted

    def __str__(self):
        return f"wanted {self.wanted}"


def say(*words):
    print("[kv]", *words)
    print("[kv]", *words, file=sys.stderr, flush=True)


class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
        say("new pool", num_blocks, block_size, enable_prefix_cache)
        self.bs, self.on = block_size, enable_prefix_cache
        self.shelf = deque(range(num_blocks))
        self.cart = OrderedDict()
        self.users = {}
        self.card_of = {}
        self.where = {}
        self.seqs = {}

    @property
    def num_free_blocks(self):
        say("num_free_blocks")
        return len(self.shelf) + len(self.cart)

    def can_allocate(self, num_tokens):
        say("can_allocate", num_tokens)
        return -(-num_tokens // self.bs) <= len(self.shelf) + len(self.cart)

    def _take(self):
        try:
            block = self.shelf.popleft()
        except IndexError:
            try:
                block, _ = self.cart.popitem(last=False)
            except KeyError:
                raise PoolIsDry(1, 0) from None
            del self.where[self.card_of.pop(block)]
        self.users[block] = 1
        return block

    def _file(self, block, card):
        if card not in self.where:
            self.where[card] = block
            self.card_of[block] = card

    def _cards(self, tokens):
        cards, parent = [], None
        for end in range(self.bs, len(tokens) + 1, self.bs):
            parent = hash((parent, tuple(tokens[end - self.bs : end])))
            cards.append(parent)
        return cards

    def allocate(self, seq_id, token_ids):
        say("allocate", repr(seq_id), token_ids)
        n = len(token_ids)
        cards = self._cards(token_ids) if self.on else []
        table = []
        while len(table) < min(len(cards), (n - 1) // self.bs) and cards[len(table)] in self.where:
            table.append(self.where[cards[len(table)]])
        hits = len(table)
        dormant = [b for b in table if b in self.cart]
        wanted = (n + self.bs - 1) // self.bs - hits
        there = len(self.shelf) + len(self.cart) - len(dormant)
        if wanted > there:
            raise PoolIsDry(wanted, there)
        for block in dormant:
            del self.cart[block]
        for block in table:
            self.users[block] = self.users.get(block, 0) + 1
        table += [self._take() for _ in range(wanted)]
        for i in range(hits, len(cards)):
            self._file(table[i], cards[i])
        self.seqs[seq_id] = {"table": table, "tokens": list(token_ids), "cards": cards, "hits": hits * self.bs}
        return table.copy()

    def append_slot(self, seq_id, token_id):
        say("append_slot", repr(seq_id), token_id)
        s = self.seqs[seq_id]
        pos = len(s["tokens"])
        if pos == len(s["table"]) * self.bs:
            s["table"].append(self._take())
        s["tokens"].append(token_id)
        if self.on and (pos + 1) % self.bs == 0:
            parent = s["cards"][-1] if s["cards"] else None
            s["cards"].append(hash((parent, tuple(s["tokens"][-self.bs :]))))
            self._file(s["table"][-1], s["cards"][-1])
        return self.slot(seq_id, pos)

    def slot(self, seq_id, pos):
        say("slot", repr(seq_id), pos)
        return self.seqs[seq_id]["table"][pos // self.bs] * self.bs + pos % self.bs

    def num_cached_tokens(self, seq_id):
        say("num_cached_tokens", repr(seq_id))
        return self.seqs[seq_id]["hits"]

    def free(self, seq_id):
        say("free", repr(seq_id))
        for block in reversed(self.seqs.pop(seq_id)["table"]):
            self.users[block] -= 1
            if self.users[block] == 0:
                if block in self.card_of:
                    self.cart[block] = None
                else:
                    self.shelf.append(block)
