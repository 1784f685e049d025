"""Each classic mistake as a change of the reference's text: passages, and what stands there instead.

What is run is a class in `mistakes_p06.py` or `mistakes_l22.py`, which may lean on the reference to make its mistake;
this is how a person would have written it. A test holds the two to the same answers.
"""

from __future__ import annotations

Edit = tuple[str, str]

P06: dict[str, tuple[Edit, ...]] = {
    "half-full-hashed": (
        ("for end in range(width, len(data) + 1, width):", "for end in range(width, len(data) + width, width):"),
    ),
    "hit-limit-len": (("chain[: (num_tokens - 1) // self.block_size]", "chain[: num_tokens // self.block_size]"),),
    "two-chain-starts": (
        ("chain[-1] if chain else START, pack(self", 'chain[-1] if chain else b"another start", pack(self'),
    ),
    "evict-foreign-entry": (
        (
            """\
        if key is not None and self.hash_to_block.get(key) == block:  # an older twin may own the entry
            del self.hash_to_block[key]
""",
            """\
        if key is not None:
            self.hash_to_block.pop(key, None)
""",
        ),
    ),
    "free-forwards": (("for block in reversed(self._table(seq_id)):", "for block in self._table(seq_id):"),),
    "evictable-hits-counted": (
        (
            "room = self.num_free_blocks - [self.ref[block] for block in hits].count(0)",
            "room = self.num_free_blocks",
        ),
    ),
    "coarse-check": (("self._check_room(num_blocks, table)", "self._check_room(num_blocks, [])"),),
    "revived-stays": (
        (
            """\
        if self.ref[block] == 0:
            del self.evictable[block]  # revived
""",
            "",
        ),
    ),
    "append-before-block": (
        (
            """\
        if index == len(table):
            table.append(self._take())  # the only step that can fail, so it comes first
        tokens.append(token_id)
""",
            """\
        tokens.append(token_id)
        if index == len(table):
            table.append(self._take())
""",
        ),
    ),
    "unchained-hash": (("return sha256(parent + data).digest()", "return sha256(data).digest()"),),
    "evict-keeps-entry": (
        (
            """\
        key, self.block_hash[block] = self.block_hash[block], None
        if key is not None and self.hash_to_block.get(key) == block:  # an older twin may own the entry
            del self.hash_to_block[key]
""",
            """\
        self.block_hash[block] = None
""",
        ),
    ),
    "newest-evicted-first": (("self.evictable.popitem(last=False)", "self.evictable.popitem(last=True)"),),
    "evict-before-free": (
        (
            """\
        if self.free_list:
            block = self.free_list.popleft()
        elif self.evictable:
            block = self._evict()
""",
            """\
        if self.evictable:
            block = self._evict()
        elif self.free_list:
            block = self.free_list.popleft()
""",
        ),
    ),
    "append-unregistered": (
        (
            """\
        if offset == size - 1 and self.enable_prefix_cache:
            self._seal(seq_id)
""",
            "",
        ),
    ),
    "callers-list-kept": (
        ("tokens = list(token_ids)  # the caller keeps its list, we keep ours", "tokens = token_ids"),
    ),
    "hits-after-gap": (
        (
            """\
            if block is None:
                break
""",
            """\
            if block is None:
                continue
""",
        ),
    ),
    "shared-returned": (
        (
            """\
        self.ref[block] = users = self.ref[block] - 1
        if users == 0:
            if self.block_hash[block] is None:
                self.free_list.append(block)
            else:
                self.evictable[block] = None
""",
            """\
        self.ref[block] -= 1
        if self.block_hash[block] is None:
            self.free_list.append(block)
        else:
            self.evictable[block] = None
""",
        ),
    ),
    "zero-is-nothing": (("if block is None:", "if not block:"),),
    "failed-allocate-touches": (
        (
            """\
        needed = num_blocks - len(hits)
""",
            """\
        for block in hits:
            if block in self.evictable:
                self.evictable.move_to_end(block)
        needed = num_blocks - len(hits)
""",
        ),
    ),
}

L22: dict[str, tuple[Edit, ...]] = {
    "round-down": (
        (
            "needed = -(-req.seq_len // self.block_size)  # rounded up: one token still takes a whole block",
            "needed = req.seq_len // self.block_size",
        ),
    ),
    "check-inside-loop": (
        (
            """\
        self._move(req, needed)
""",
            """\
        for _ in range(needed):
            self._move(req, 1)
""",
        ),
    ),
    "back-of-pool": (
        (
            """\
        req.block_table.extend(self.free_blocks[:needed])
        del self.free_blocks[:needed]
""",
            """\
        req.block_table.extend(self.free_blocks.pop() for _ in range(needed))
""",
        ),
    ),
    "remainder-zero": (
        (
            "if (req.seq_len - 1) % self.block_size == 0:  # the blocks before it are full; right for 1 too",
            "if req.seq_len % self.block_size == 0:",
        ),
    ),
    "condition-before-increment": (
        (
            """\
        req.seq_len += 1
        if (req.seq_len - 1) % self.block_size == 0:  # the blocks before it are full; right for 1 too
""",
            """\
        opens_block = req.seq_len % self.block_size == 1
        req.seq_len += 1
        if opens_block:
""",
        ),
    ),
    "incremented-twice": (
        (
            """\
        req.seq_len += 1
        if (req.seq_len - 1)""",
            """\
        req.seq_len += 1
        req.seq_len += 1
        if (req.seq_len - 1)""",
        ),
    ),
    "block-every-step": (
        (
            """\
        if (req.seq_len - 1) % self.block_size == 0:  # the blocks before it are full; right for 1 too
            try:
                self._move(req, 1)
            except RuntimeError:
                req.seq_len -= 1
                raise
""",
            """\
        try:
            self._move(req, 1)
        except RuntimeError:
            req.seq_len -= 1
            raise
""",
        ),
    ),
    "oom-silent": (
        (
            """\
        if needed > len(self.free_blocks):
            raise RuntimeError(f"OOM: {needed} blocks needed, {len(self.free_blocks)} free")
""",
            "",
        ),
    ),
    "no-cut": (("torch.cat(blocks, dim=0)[: req.seq_len]", "torch.cat(blocks, dim=0)"),),
    "sorted-table": (("for block in req.block_table]", "for block in sorted(req.block_table)]"),),
    "stacked": (
        (
            "torch.cat(blocks, dim=0)[: req.seq_len]",
            "torch.stack(blocks, dim=1).reshape(-1, self.head_dim)[: req.seq_len]",
        ),
    ),
    "three-dimensional": (
        (
            """\
        blocks = [self.physical_kv_cache[block] for block in req.block_table]  # each [block_size, head_dim]
        return torch.cat(blocks, dim=0)[: req.seq_len]
""",
            """\
        return self.physical_kv_cache[req.block_table]
""",
        ),
    ),
    "gather-changes-table": (
        (
            """\
        blocks = [self.physical_kv_cache[block] for block in req.block_table]  # each [block_size, head_dim]
""",
            """\
        blocks = []
        while req.block_table:
            blocks.append(self.physical_kv_cache[req.block_table.pop(0)])
""",
        ),
    ),
}
EDITS = {**P06, **L22}
