# mistake: none
"""A tree of tokens: while allocate walks down, an eviction may prune the very node it stands on."""


class OutOfBlocks(Exception):
    pass


class Node:
    def __init__(self, parent=None, edge=None):
        self.parent, self.edge = parent, edge
        self.children = {}
        self.holder = None  # the block that is found under this node
        self.held = 0  # how many sequences and blocks still speak of it

    def child(self, edge):
        node = self.children.get(edge)
        if node is None:
            node = self.children[edge] = Node(self, edge)
        return node

    def hold(self):
        self.held += 1

    def drop(self):
        self.held -= 1
        self.prune()

    def prune(self):
        node = self
        while node.parent is not None and not node.held and not node.children and node.holder is None:
            del node.parent.children[node.edge]
            node = node.parent


class Sequence:
    def __init__(self, root):
        self.table, self.length, self.tail, self.node, self.cached = [], 0, [], root, 0

    def step(self, edge):
        self.node = self.node.child(edge)


class BlockManager:
    def __init__(self, *, num_blocks, block_size, enable_prefix_cache=True):
        self.size = block_size
        self.cache = enable_prefix_cache
        self.root = Node()
        self.idle = {b: None for b in range(num_blocks)}  # dicts keep their order
        self.parked = {}
        self.count = [0] * num_blocks
        self.name = [None] * num_blocks
        self.live = {}

    num_free_blocks = property(lambda self: len(self.idle) + len(self.parked))

    def can_allocate(self, num_tokens):
        return num_tokens <= self.num_free_blocks * self.size

    def _fetch(self):
        for pool in (self.idle, self.parked):
            for block in pool:
                del pool[block]
                node, self.name[block] = self.name[block], None
                if node is not None:
                    if node.holder == block:
                        node.holder = None
                    node.drop()
                self.count[block] = 1
                return block
        raise OutOfBlocks("nothing left to take")

    def _christen(self, block, node, even_if_known):
        if node.holder is None:
            node.holder = block
        elif not even_if_known:
            return
        self.name[block] = node
        node.hold()

    def allocate(self, seq_id, token_ids):
        full, rest = divmod(len(token_ids), self.size)
        edges = [tuple(token_ids[i * self.size : (i + 1) * self.size]) for i in range(full)]
        hits, node = [], self.root
        for edge in edges[: full if rest else full - 1] if self.cache else ():
            node = node.children.get(edge)
            if node is None or node.holder is None:
                break
            hits.append(node.holder)
        fresh = full + (rest > 0) - len(hits)
        if fresh + [self.count[b] for b in hits].count(0) > self.num_free_blocks:
            raise OutOfBlocks(f"{fresh} fresh blocks wanted")
        seq = Sequence(self.root)
        for i in range(full + (rest > 0)):
            if i < len(hits):
                block = hits[i]
                self.parked.pop(block, None)
                self.count[block] += 1
                seq.step(edges[i])
            else:
                # Hits come first, so every hit has left the cart before the first block is fetched.
                block = self._fetch()
                if self.cache and i < full:
                    seq.step(edges[i])
                    self._christen(block, seq.node, even_if_known=False)
            seq.table.append(block)
        seq.node.hold()
        seq.length = len(token_ids)
        seq.tail = list(token_ids[full * self.size :])
        seq.cached = len(hits) * self.size
        self.live[seq_id] = seq
        return seq.table[:]

    def append_slot(self, seq_id, token_id):
        seq = self.live[seq_id]
        if seq.length % self.size == 0:
            seq.table.append(self._fetch())
        seq.length += 1
        seq.tail.append(token_id)
        if len(seq.tail) == self.size:
            if self.cache:
                old = seq.node
                seq.step(tuple(seq.tail))
                seq.node.hold()
                old.drop()
                self._christen(seq.table[-1], seq.node, even_if_known=True)
            seq.tail = []
        return seq.table[-1] * self.size + (seq.length - 1) % self.size

    def slot(self, seq_id, pos):
        return self.live[seq_id].table[pos // self.size] * self.size + pos % self.size

    def num_cached_tokens(self, seq_id):
        return self.live[seq_id].cached

    def free(self, seq_id):
        seq = self.live.pop(seq_id)
        for block in seq.table[::-1]:
            self.count[block] -= 1
            if not self.count[block]:
                (self.idle if self.name[block] is None else self.parked)[block] = None
        seq.node.drop()
