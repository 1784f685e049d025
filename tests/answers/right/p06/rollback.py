"""Writes first and takes everything back when it does not fit: the whole state is one immutable value.

A duplicate carries the key after append_slot only; allocate registers after taking everything.
BlockManager inherits nearly everything and has a few parameters of its own.
"""

from typing import NamedTuple


class OutOfBlocks(Exception):
    pass


class State(NamedTuple):
    free: tuple
    idle: tuple
    refs: dict
    key_of: dict
    block_of: dict
    seqs: dict


class Base:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True, *, name="pool", seed=0, **others):
        self.block_size, self.enable = block_size, enable_prefix_cache
        self.name, self.seed, self.others = name, seed, others
        self.state = State(tuple(range(num_blocks)), (), {}, {}, {}, {})

    def attempt(self, change, *args):
        s = self.state
        draft = State(s.free, s.idle, dict(s.refs), dict(s.key_of), dict(s.block_of), dict(s.seqs))
        draft, result = change(draft, *args)  # when this raises, self.state has never been touched
        self.state = draft
        return result

    @property
    def num_free_blocks(self):
        return len(self.state.free) + len(self.state.idle)

    def can_allocate(self, num_tokens):
        return (num_tokens + self.block_size - 1) // self.block_size <= self.num_free_blocks


class Taking(Base):
    def take(self, s):
        if s.free:
            block, s = s.free[0], s._replace(free=s.free[1:])
        elif s.idle:
            block, s = s.idle[0], s._replace(idle=s.idle[1:])
            key = s.key_of.pop(block)
            if s.block_of.get(key) == block:
                s.block_of.pop(key)
        else:
            raise OutOfBlocks("rolled back")
        s.refs[block] = 1
        return s, block

    def do_allocate(self, s, seq_id, tokens):
        bs, table, key, hits = self.block_size, (), (), 0
        while self.enable and (hits + 1) * bs < len(tokens):
            block = s.block_of.get((key, tokens[hits * bs : hits * bs + bs]))
            if block is None:
                break
            key = (key, tokens[hits * bs : hits * bs + bs])
            s.refs[block] = s.refs.get(block, 0) + 1
            s = s._replace(idle=tuple(b for b in s.idle if b != block))
            table, hits = (*table, block), hits + 1
        while len(table) * bs < len(tokens):
            s, block = self.take(s)
            table = (*table, block)
        for i in range(hits, len(tokens) // bs):
            key = (key, tokens[i * bs : i * bs + bs])
            if self.enable and key not in s.block_of:
                s.block_of[key] = table[i]
                s.key_of[table[i]] = key
        s.seqs[seq_id] = tokens, table, key, hits * bs
        return s, list(table)

    def do_append(self, s, seq_id, token):
        tokens, table, key, cached = s.seqs[seq_id]
        if len(table) * self.block_size == len(tokens):
            s, block = self.take(s)
            table = (*table, block)
        tokens = (*tokens, token)
        if len(table) * self.block_size == len(tokens):
            key = (key, tokens[-self.block_size :])
            if self.enable:
                s.key_of[table[-1]] = key
                s.block_of.setdefault(key, table[-1])
        s.seqs[seq_id] = tokens, table, key, cached
        return s, table[-1] * self.block_size + (len(tokens) - 1) % self.block_size

    def do_free(self, s, seq_id):
        for block in s.seqs.pop(seq_id)[1][::-1]:
            s.refs[block] -= 1
            if s.refs[block] == 0 and block in s.key_of:
                s = s._replace(idle=(*s.idle, block))
            elif s.refs[block] == 0:
                s = s._replace(free=(*s.free, block))
        return s, None


class BlockManager(Taking):
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True, verbose=False, **others):
        super().__init__(num_blocks, block_size, enable_prefix_cache, **others)
        self.verbose = verbose

    def allocate(self, seq_id, token_ids, priority=0):
        return self.attempt(self.do_allocate, seq_id, tuple(token_ids))

    def append_slot(self, seq_id, token_id, /, *, dry=False):
        return self.attempt(self.do_append, seq_id, token_id)

    def free(self, *seq_ids):
        for seq_id in seq_ids:
            self.attempt(self.do_free, seq_id)

    def slot(self, seq_id, pos=-1):
        table = self.state.seqs[seq_id][1]
        return table[pos // self.block_size] * self.block_size + pos % self.block_size

    def num_cached_tokens(self, seq_id, default=None):
        return self.state.seqs[seq_id][3]
