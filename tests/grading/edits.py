"""Wrong answers that are a right one with a single passage changed: name, mistake (or none), right answer, old, new."""

from __future__ import annotations

from typing import NamedTuple


class Edit(NamedTuple):
    name: str
    mistake: str | None  # the id by which the report must call it; None for a fault that nobody has listed
    base: str  # a file of tests/answers/right/p06
    old: str
    new: str

    def apply(self, source: str) -> str:
        """The wrong answer. ValueError unless the passage stands exactly once in the right one."""
        if source.count(self.old) != 1:
            raise ValueError(f"{self.name}: {source.count(self.old)} passages to change in {self.base}")
        return source.replace(self.old, self.new)


def _e(name: str, mistake: str | None, base: str, old: str, new: str = "") -> Edit:
    return Edit(name, mistake, base, old, new)


CLASSIC = (
    _e("limit-of-pieces", "hit-limit-len", "dataclasses_and_tuples",
       "pieces[:-1]", "pieces[: len(token_ids) // size]"),
    _e("chain-starts-at-start", "two-chain-starts", "linked_rooms",
       'group.keys[-1] if group.keys else ""', 'group.keys[-1] if group.keys else "start"'),
    _e("pop-whatever-stands-there", "evict-foreign-entry", "rollback",
       "            if s.block_of.get(key) == block:\n                s.block_of.pop(key)", "            s.block_of.pop(key, 0)"),
    _e("rooms-from-the-front", "free-forwards", "linked_rooms", "group.rooms.pop()", "group.rooms.pop(0)"),
    _e("sleeping-hits-are-room", "evictable-hits-counted", "closures", " - sum(block in cart for block in table)"),
    _e("can-allocate-decides", "coarse-check", "numpy_inside",
       "if total - len(hits) > self.num_free_blocks - int((self.ref[hits] == 0).sum()):",
       "if not self.can_allocate(tokens.size):"),
    _e("still-on-the-cart", "revived-stays", "runtime_error",
       "        for block in dormant:\n            del self.cart[block]\n"),
    _e("token-comes-first", "append-before-block", "lazy",
       "        if len(tokens) == len(table) * self.bs:\n            table.append(self.take())\n        tokens.append(token_id)\n",
       "        tokens.append(token_id)\n        if (len(tokens) - 1) // self.bs == len(table):\n            table.append(self.take())\n"),
    _e("mark-of-its-own", "unchained-hash", "descriptors", 'return mark + b"/"', 'return b"/"'),
    _e("card-left-behind", "evict-keeps-entry", "linked_rooms",
       "            if self._catalogue.get(room.key) is room:\n                del self._catalogue[room.key]\n"),
    _e("last-of-the-cart", "newest-evicted-first", "runtime_error", "popitem(last=False)", "popitem()"),
    _e("cart-before-shelf", "evict-before-free", "trie", "(self.idle, self.parked)", "(self.parked, self.idle)"),
    _e("append-says-nothing", "append-unregistered", "factory",
       "            self.carries[seq[1][-1]] = seq[3]\n            self.found_at.setdefault(seq[3], seq[1][-1])\n"),
    _e("their-list", "callers-list-kept", "slow_lists", "[t for t in token_ids]", "token_ids"),
    _e("over-the-gap", "hits-after-gap", "lazy", "            if block < 0:\n                break",
       "            if block < 0:\n                continue"),
    _e("gone-while-in-use", "shared-returned", "factory",
       "            if self.users[b] == 0 and b in self.carries:\n                self.cart[b] = None\n            elif self.users[b] == 0:",
       "            if b in self.carries:\n                self.cart[b] = None\n            else:"),
    _e("falsy-block", "zero-is-nothing", "slow_lists", "            b = self.lookup(prefix)\n            if b is None:",
       "            b = self.lookup(prefix)\n            if not b:"),
    _e("touched-in-vain", "failed-allocate-touches", "runtime_error", "        if wanted > there:\n",
       "        for block in dormant:\n            self.cart.move_to_end(block)\n        if wanted > there:\n"),
    _e("empty-is-nobody", "half-full-hashed", "lazy", "            if (k + 1) * self.bs <= len(tokens):\n                self",
       "            if True:\n                self"),
)  # fmt: skip

UNLISTED = (
    _e("token-comes-first-block-when-short", None, "lazy",
       "        if len(tokens) == len(table) * self.bs:\n            table.append(self.take())\n        tokens.append(token_id)\n",
       "        tokens.append(token_id)\n        if len(tokens) > len(table) * self.bs:\n            table.append(self.take())\n"),
    _e("forwards-without-cache", None, "factory",
       "self.back.extend(reversed(self.seqs.pop(seq_id)[1]))", "self.back.extend(self.seqs.pop(seq_id)[1])"),
    _e("one-block-kept-without-cache", None, "factory", "if n > self.num_free_blocks:", "if n > self.num_free_blocks - 1:"),
    _e("registers-without-cache", None, "taught_names",
       "        if self.enable_prefix_cache and (pos + 1) % bs == 0:", "        if (pos + 1) % bs == 0:"),
    _e("size-1-never-hits-its-last", None, "taught_names",
       "range((len(token_ids) - 1) // bs)", "range((len(token_ids) - 1) // bs - (bs == 1))"),
    _e("size-1-append-unregistered", None, "taught_names",
       "        if self.enable_prefix_cache and (pos + 1) % bs == 0:",
       "        if self.enable_prefix_cache and (pos + 1) % bs == 0 and bs > 1:"),
    _e("refused-append-forgets-the-chain", None, "linked_rooms",
       "            group.rooms.append(self._next_room())",
       "            if not self.num_free_blocks:\n                group.keys.clear()\n            group.rooms.append(self._next_room())"),
    _e("eight-hits-at-most", None, "taught_names",
       "range((len(token_ids) - 1) // bs)", "range(min(8, (len(token_ids) - 1) // bs))"),
    _e("asking-turns-the-cart", None, "taught_names",
       "        return -(-num_tokens // self.block_size) <= self.num_free_blocks",
       "        if self.evictable:\n            self.evictable.move_to_end(next(iter(self.evictable)))\n"
       "        return -(-num_tokens // self.block_size) <= self.num_free_blocks"),
    _e("counting-turns-the-cart", None, "taught_names",
       "        return self.cached[seq_id]",
       "        if self.evictable:\n            self.evictable.move_to_end(next(iter(self.evictable)))\n        return self.cached[seq_id]"),
    _e("cached-grows", None, "taught_names", "            chain.append(h)\n",
       "            chain.append(h)\n            self.cached[seq_id] += bs * (h in self.hash_to_block)\n"),
    _e("cached-of-an-earlier-life", None, "taught_names", "        self.cached[seq_id] = len(hits) * bs\n        return",
       "        self.first = getattr(self, 'first', {})\n        self.cached[seq_id] = self.first.setdefault(seq_id, len(hits) * bs)\n"
       "        return"),
    _e("sixteen-bits", None, "taught_names", "h = hash((h, tuple(token_ids[i * bs : (i + 1) * bs])))",
       "h = hash((h, tuple(t & 0xFFFF for t in token_ids[i * bs : (i + 1) * bs])))"),
    _e("thirty-bits", None, "trie", "edges = [tuple(token_ids[i * self.size : (i + 1) * self.size]) for",
       "edges = [tuple(t & 0x3FFFFFFF for t in token_ids[i * self.size : (i + 1) * self.size]) for"),
    _e("digits-run-together", None, "linked_rooms", '",".join', '"".join'),
    _e("order-of-tokens-lost", None, "linked_rooms", "str(t) for t in tokens", "str(t) for t in sorted(tokens)"),
    _e("chain-of-two", None, "dataclasses_and_tuples",
       "                identity = (identity, piece)\n", "                identity = (identity[-1:], piece)\n"),
    _e("order-of-registration", None, "numpy_inside",
       "                self.given_back[block] = self.time = self.time + 1",
       "                self.time = self.time + 1\n                if self.digest[block] is None:\n"
       "                    self.given_back[block] = self.time"),
    _e("coarse-clock", None, "dataclasses_and_tuples", "since = next(self._clock)",
       "since = next(self._clock) // 4"),
    _e("eight-bit-counts", None, "numpy_inside", "dtype=np.int32", "dtype=np.uint8"),
    _e("counts-to-three", None, "taught_names", "            self.ref[b] += 1\n", "            self.ref[b] = min(3, self.ref[b] + 1)\n"),
    _e("last-in-first-out", None, "taught_names",
       "                    self.free_list.append(b)", "                    self.free_list.appendleft(b)"),
    _e("one-more-for-luck", None, "taught_names", "return -(-num_tokens // self.block_size) <=",
       "return num_tokens // self.block_size + 1 <="),
    _e("silent-after-a-hit", None, "taught_names", "range(len(hits), len(hashes))", "range(len(hits), len(hashes) if not hits else 0)"),
    _e("newest-copy-in-append", None, "rollback", "s.block_of.setdefault(key, table[-1])", "s.block_of[key] = table[-1]"),
    _e("newest-copy-in-allocate", None, "taught_names",
       "self.hash_to_block.setdefault(hashes[i], table[i])", "self.hash_to_block[hashes[i]] = table[i]"),
    _e("one-too-few-with-hits", None, "closures", "if more > len(free)", "if more + bool(table) > len(free)"),
    _e("never-without-hits-in-use", None, "taught_names", "            if b is None:", "            if b is None or self.ref[b] == 0:"),
    _e("append-evicts-newest", None, "taught_names",
       "            table.append(self._take())\n", "            if not self.free_list and self.evictable:\n"
       "                self.evictable.move_to_end(next(reversed(self.evictable)), last=False)\n            table.append(self._take())\n"),
    _e("stale-identity", None, "taught_names", "            self.block_hash[b] = None\n"),
    _e("judges-duplicates-too-early", None, "linked_rooms",
       "        rooms = found + [self._next_room() for _ in range(wanted)]\n        for room, key in list(zip(rooms, keys))[len(found) :]:\n            self._hang_label(room, key)\n",
       "        known = set(self._catalogue)\n        rooms = found + [self._next_room() for _ in range(wanted)]\n"
       "        for room, key in list(zip(rooms, keys))[len(found) :]:\n            room.key = key\n            if key not in known:\n                self._catalogue[key] = room\n"),
    _e("judges-too-early-and-drops", None, "runtime_error",
       "        table += [self._take() for _ in range(wanted)]\n        for i in range(hits, len(cards)):\n            self._file(table[i], cards[i])\n",
       "        new = [i for i in range(hits, len(cards)) if cards[i] not in self.where]\n        table += [self._take() for _ in range(wanted)]\n"
       "        for i in new:\n            self._file(table[i], cards[i])\n"),
    _e("never-fits-is-a-value-error", None, "taught_names", "        need = -(-", "        if len(token_ids) > self.num_blocks * bs:\n"
       "            raise ValueError('longer than the whole pool')\n        need = -(-"),
    _e("even-blocks-carry", None, "taught_names", "            if h not in self.hash_to_block:\n",
       "            if table[-1] % 2 == 0 or h not in self.hash_to_block:\n                self.hash_to_block.setdefault(h, table[-1])\n"
       "                self.block_hash[table[-1]] = h\n            if False:\n"),
    _e("rule-by-length", None, "taught_names", "            self.block_hash[table[i]] = hashes[i]\n",
       "            if len(hashes) % 2 == 0 or hashes[i] not in self.hash_to_block:\n                self.block_hash[table[i]] = hashes[i]\n"),
    _e("index-shared-by-default", None, "taught_names",
       "        self.hash_to_block: dict[int, int] = {}", "        self.hash_to_block: dict[int, int] = self.__init__.__func__.__dict__"),
    _e("last-block-is-never-given", None, "slow_lists", "        if need > room:", "        if need > room - (self.n > 16):"),
    _e("slot-beyond-sixty-blocks", None, "slow_lists", "        while pos >= self.bs:", "        while pos >= self.bs and b < 60:"),
    _e("ids-as-text", None, "taught_names", "    def allocate(self, seq_id: str | int, token_ids: list[int]) -> list[int]:\n",
       "    def allocate(self, seq_id: str | int, token_ids: list[int]) -> list[int]:\n        if str(seq_id) in map(str, self.tables):\n"
       "            raise KeyError(seq_id)\n"),
    _e("id-zero-refused", None, "taught_names", "        hashes: list[int] = []\n", "        if not seq_id:\n            raise ValueError('no id')\n        hashes: list[int] = []\n"),
    _e("token-zero-pads", None, "linked_rooms", "str(t) for t in tokens", "str(t) for t in tokens if t"),
    _e("hits-taken-late", None, "taught_names",
       "        for b in hits:\n            if self.ref[b] == 0:\n                del self.evictable[b]\n            self.ref[b] += 1\n"
       "        table = hits + [self._take() for _ in range(need)]\n",
       "        fresh = [self._take() for _ in range(need)]\n        for b in hits:\n            if self.ref[b] == 0:\n"
       "                self.evictable.pop(b, None)\n            self.ref[b] += 1\n        table = hits + fresh\n"),
    _e("private-exception", None, "rollback", 'raise OutOfBlocks("rolled back")', 'raise type("OutOfBlocks", (Exception,), {})("rolled back")'),
    _e("frees-half-of-a-long-one", None, "taught_names", "reversed(self.tables.pop(seq_id))", "reversed(self.tables.pop(seq_id)[:40])"),
    *(_e(name, None, "taught_names", "class BlockManager:", f"def hash(key, plain=hash):\n    parent, tokens = key\n"
         f"    return {body}\n\n\nclass BlockManager:")
      for name, body in (
        ("first-eight-tokens", "plain((parent, tokens[:8]))"),
        ("last-token-left-out-of-large-blocks", "plain((parent, tokens[:-1] if len(tokens) > 4 else tokens))"),
        ("tokens-as-float32", "plain((parent, __import__('struct').pack(f'{len(tokens)}f', *tokens)))"),
        ("tokens-of-one-vocabulary", "plain((parent, tuple(t % 50257 for t in tokens)))"),
        ("tokens-of-twenty-bits", "plain((parent, tuple(t & 0xFFFFF for t in tokens)))"),
        ("a-set", "plain((parent, frozenset(tokens)))"),
        ("blocks-run-together", "f'{parent}' + ','.join(map(str, tokens))"),
        ("vocabulary-as-base", "(parent or 0) * 128256 ** len(tokens) + sum(t * 31**i for i, t in enumerate(tokens))"),
        ("parent-by-xor", "(parent or 0) ^ plain(tokens)"),
        ("parent-by-sum", "(parent or 0) + plain(tokens)"),
        ("sixty-parents-at-most", "((parent or ()) + (tokens,))[-60:]"),
      )),
    _e("no-block-over-sixteen", None, "taught_names", "        return len(self.free_list) + len(self.evictable)",
       "        return 0 if self.block_size > 16 else len(self.free_list) + len(self.evictable)"),
)  # fmt: skip

# Right by value, wrong by type, each in one method of an answer that is right.
ODD = {
    "allocate-gives-none": "def allocate(self, s, t): super().allocate(s, t)",
    "allocate-gives-a-tuple": "def allocate(self, s, t): return tuple(super().allocate(s, t))",
    "allocate-gives-a-generator": "def allocate(self, s, t): return (b for b in super().allocate(s, t))",
    "allocate-gives-a-kind-of-list": "def allocate(self, s, t): return type('Table', (list,), {})(super().allocate(s, t))",
    "allocate-gives-text": "def allocate(self, s, t): return str(super().allocate(s, t))",
    "allocate-gives-floats": "def allocate(self, s, t): return [float(b) for b in super().allocate(s, t)]",
    "allocate-gives-an-array": "def allocate(self, s, t): import numpy; return numpy.array(super().allocate(s, t))",
    "allocate-gives-numpy-ints": "def allocate(self, s, t): import numpy; return [*numpy.array(super().allocate(s, t))]",
    "allocate-gives-a-bool-inside": "def allocate(self, s, t): return [bool(b) if b < 2 else b for b in super().allocate(s, t)]",
    "allocate-gives-a-range": "def allocate(self, s, t): t = super().allocate(s, t); return range(t[0], t[0] + 1) if len(t) < 2 else t",
    "append-gives-none": "def append_slot(self, s, t): super().append_slot(s, t)",
    "append-gives-a-float": "def append_slot(self, s, t): return super().append_slot(s, t) * 1.0",
    "append-gives-a-kind-of-int": "def append_slot(self, s, t): return type('Slot', (int,), {})(super().append_slot(s, t))",
    "append-gives-a-list": "def append_slot(self, s, t): return [super().append_slot(s, t)]",
    "append-is-async": "async def append_slot(self, s, t): return super().append_slot(s, t)",
    "slot-gives-a-bool": "def slot(self, s, p): n = super().slot(s, p); return bool(n) if n < 2 else n",
    "slot-gives-a-numpy-int": "def slot(self, s, p): import numpy; return numpy.int64(super().slot(s, p))",
    "slot-gives-text": "def slot(self, s, p): return str(super().slot(s, p))",
    "slot-gives-a-pair": "def slot(self, s, p): return divmod(super().slot(s, p), self.block_size)",
    "cached-gives-none-for-0": "def num_cached_tokens(self, s): return super().num_cached_tokens(s) or None",
    "cached-gives-false-for-0": "def num_cached_tokens(self, s): return super().num_cached_tokens(s) or False",
    "cached-gives-a-float": "def num_cached_tokens(self, s): return super().num_cached_tokens(s) / 1",
    "free-blocks-is-a-method": "def num_free_blocks(self): return len(self.shelf) + len(self.cart)",
    "free-blocks-is-a-set": "num_free_blocks = property(lambda self: {*self.shelf, *self.cart})",
    "free-blocks-is-text": "num_free_blocks = property(lambda self: str(len(self.shelf) + len(self.cart)))",
    "can-gives-an-int": "def can_allocate(self, n): return int(super().can_allocate(n))",
    "can-gives-none-for-no": "def can_allocate(self, n): return super().can_allocate(n) or None",
    "can-gives-a-numpy-bool": "def can_allocate(self, n): import numpy; return numpy.bool_(super().can_allocate(n))",
    "can-gives-the-room": "def can_allocate(self, n): return super().can_allocate(n) and self.num_free_blocks",
    "cached-is-huge": "def num_cached_tokens(self, s): return super().num_cached_tokens(s) + 2**70",
}


def odd_base(name: str) -> str:
    """The right answer that `name` spoils: one that does not use num_free_blocks itself, where that is what is odd."""
    return "runtime_error" if name.startswith("free-blocks") else "taught_names"


def odd(name: str, source: str) -> str:
    """``source``, the text of the base, with one method that gives the wrong type."""
    return f"{source}\n\nclass BlockManager(BlockManager):\n    {ODD[name]}\n"


L22 = (
    _e("floor", "round-down", "no_request_class", "(req.seq_len + size - 1) // size", "req.seq_len // size"),
    _e("floor-but-one", None, "no_request_class", "(req.seq_len + size - 1) // size", "max(1, req.seq_len // size)"),
    _e("checks-as-it-goes", "check-inside-loop", "index_select",
       '        if wanted > len(self.free_blocks):\n            raise RuntimeError(f"OOM (wanted {wanted}, have {len(self.free_blocks)})")\n        while wanted > 0:\n',
       '        while wanted > 0:\n            if self.free_blocks == []:\n                raise RuntimeError("OOM")\n'),
    _e("from-the-end", "back-of-pool", "borrowed_inside", "self._next.pop()", "self._next.pop(0)"),
    _e("when-it-is-full", "remainder-zero", "taught_rule", "% self.block_size == 1", "% self.block_size == 0"),
    _e("looks-before-it-counts", "condition-before-increment", "taught_rule",
       "        req.seq_len += 1\n        if req.seq_len % self.block_size == 1:",
       "        opens = req.seq_len % self.block_size == 1\n        req.seq_len += 1\n        if opens:"),
    _e("always-one-late", None, "module",
       "(req.seq_len - 1) // self.block_size + 1 - len(req.block_table)", "(req.seq_len - 2) // self.block_size + 1 - len(req.block_table)"),
    _e("counts-again", "incremented-twice", "taught_rule", "        req.seq_len += 1\n", "        req.seq_len += 1\n        req.seq_len = req.seq_len + 1\n"),
    _e("one-each-time", "block-every-step", "token_by_token", "if req.seq_len % self.shape[1] == 0:", "if req.seq_len:"),
    _e("takes-what-there-is", "oom-silent", "module", '            raise torch.OutOfMemoryError("OOM in the pool")', "            count = len(self.free_blocks)"),
    _e("tail-and-all", "no-cut", "module", "slots[: req.seq_len]", "slots"),
    _e("in-order-of-ids", "sorted-table", "no_request_class", "torch.tensor(req.block_table)", "torch.tensor(sorted(req.block_table))"),
    _e("side-by-side", "stacked", "borrowed_inside",
       "np.concatenate([rooms[b] for b in req.block_table], axis=0)",
       "np.stack([rooms[b] for b in req.block_table], axis=1).reshape(-1, rooms.shape[-1])"),
    _e("block-by-position", "three-dimensional", "no_request_class", ".flatten(0, 1)[: req.seq_len]"),
    _e("eats-the-table", "gather-changes-table", "taught_rule", "self.physical_kv_cache[b] for b in req.block_table",
       "self.physical_kv_cache[req.block_table.pop(0)] for _ in req.block_table[:]"),
    _e("no-such-word", None, "taught_rule", 'raise RuntimeError("OOM!")', 'raise RuntimeError("out of memory")'),
    _e("another-error", None, "taught_rule", 'raise RuntimeError(f"OOM!', 'raise ValueError(f"OOM!'),
    _e("half-precision", None, "no_request_class", "[: req.seq_len]", "[: req.seq_len].half().float()"),
    _e("double-precision", None, "no_request_class", "[: req.seq_len]", "[: req.seq_len].double()"),
    _e("repeats-dropped", None, "no_request_class", "torch.tensor(req.block_table)", "torch.tensor([*dict.fromkeys(req.block_table)])"),
    _e("clears-what-it-read", None, "taught_rule", "        return torch.cat([self.physical_kv_cache[b] for b in req.block_table], dim=0)[: req.seq_len]",
       "        out = torch.cat([self.physical_kv_cache[b] for b in req.block_table], dim=0)[: req.seq_len]\n"
       "        self.physical_kv_cache[req.block_table[-1]] = 0\n        return out"),
    _e("four-blocks-at-most", None, "token_by_token", "req.block_table[pos // self.shape[1]]", "req.block_table[min(3, pos // self.shape[1])]"),
    _e("only-the-first-boundary", None, "taught_rule", "req.seq_len % self.block_size == 1", "req.seq_len == len(req.block_table) * self.block_size + 1 < 4 * self.block_size"),
    _e("gives-an-array", None, "borrowed_inside", "torch.from_numpy(joined[: req.seq_len].copy())", "joined[: req.seq_len].copy()"),
    _e("gives-a-list", None, "no_request_class", ".flatten(0, 1)[: req.seq_len]", ".flatten(0, 1)[: req.seq_len].tolist()"),
    _e("dimensions-swapped", None, "module", "].T\n", "]\n"),
    _e("whole-pool-counts", None, "taught_rule", "if len(self.free_blocks) < blocks:", "if self.num_blocks < blocks:"),
    _e("one-block-held-back", None, "taught_rule", "            if not self.free_blocks:", "            if len(self.free_blocks) < 2:"),
    _e("pool-on-the-class", None, "index_select", "        self.free_blocks = list(range(num_blocks))\n",
       "        if not hasattr(type(self), 'free_blocks'):\n            type(self).free_blocks = list(range(num_blocks))\n"),
    _e("nan-is-cleaned", None, "no_request_class", "[: req.seq_len]", "[: req.seq_len].nan_to_num()"),
    _e("minus-zero-lost", None, "no_request_class", "[: req.seq_len]", "[: req.seq_len] + 0.0"),
    _e("keeps-a-copy-of-the-pool", None, "no_request_class", "self.free_blocks[need:]", "self.free_blocks[need:] if need > 1 else self.free_blocks"),
)  # fmt: skip
