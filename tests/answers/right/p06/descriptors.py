"""A metaclass, descriptors and __slots__, where a plain attribute would have done.

A duplicate carries the hash after allocate, not after append_slot; allocate registers each block as it takes it.
"""

import array


class OutOfBlocks(ArithmeticError):
    __slots__ = ()


class Quantity:
    """A number that is computed on reading."""

    def __init__(self, how):
        self.how = how

    def __get__(self, instance, owner):
        return self if instance is None else self.how(instance)

    def __set__(self, instance, value):
        raise AttributeError("read only")


class Row:
    """An attribute that lives in the manager's one store."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        return instance._store[self.name]

    def __set__(self, instance, value):
        instance._store[self.name] = value


class Meta(type):
    def __call__(cls, **parameters):
        self = cls.__new__(cls)
        self._store = dict(parameters)
        self.start()
        return self

    @property
    def num_free_blocks(cls):
        return 0


class Calls:
    """Each public call is an object."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        return lambda *args: self.function(instance, *args)


class BlockManager(metaclass=Meta):
    __slots__ = ("_store", "__weakref__")
    num_blocks, block_size = Row(), Row()
    fifo, lru, refs, mark, index, book = Row(), Row(), Row(), Row(), Row(), Row()

    num_free_blocks = Quantity(lambda self: len(self.fifo) + len(self.lru))

    @property
    def caching(self):
        return self._store.get("enable_prefix_cache", True)

    def start(self):
        self.fifo = dict.fromkeys(range(self.num_blocks))
        self.lru = {}
        self.refs = array.array("l", [0]) * self.num_blocks
        self.mark = [b""] * self.num_blocks
        self.index = {}
        self.book = {}

    @Calls
    def can_allocate(self, num_tokens):
        return not (num_tokens - 1) // self.block_size >= self.num_free_blocks

    def _grab(self):
        if not self.num_free_blocks:
            raise OutOfBlocks("no block left for this call")
        pool = self.fifo or self.lru
        block = next(iter(pool))
        del pool[block]
        mark, self.mark[block] = self.mark[block], b""
        if mark and self.index.get(mark) == block:
            # A duplicate is not promoted: nobody is found under this mark until somebody registers anew.
            del self.index[mark]
        self.refs[block] = 1
        return block

    @staticmethod
    def _next(mark, tokens):
        return mark + b"/" + b" ".join(b"%d" % t for t in tokens)

    @Calls
    def allocate(self, seq_id, token_ids):
        size = self.block_size
        marks = [b""]
        for i in range(len(token_ids) // size if self.caching else 0):
            marks.append(self._next(marks[-1], token_ids[i * size : i * size + size]))
        hits = []
        for mark in marks[1 : (len(token_ids) - 1) // size + 1]:
            if mark not in self.index:
                break
            hits.append(self.index[mark])
        blocks = -(-len(token_ids) // size)
        if blocks - len(hits) > self.num_free_blocks - len(self.lru.keys() & set(hits)):
            raise OutOfBlocks("not enough blocks for this prompt")
        for block in hits:
            self.lru.pop(block, None)
            self.refs[block] += 1
        table = hits[:]
        while len(table) < blocks:
            block = self._grab()
            table.append(block)
            if len(table) < len(marks):
                mark = self.mark[block] = marks[len(table)]
                self.index.setdefault(mark, block)
        self.book[seq_id] = [table, token_ids[:], marks[-1], len(hits)]
        return table[:]

    @Calls
    def append_slot(self, seq_id, token_id):
        record = self.book[seq_id]
        table, tokens, mark, _ = record
        if len(tokens) == len(table) * self.block_size:
            table.append(self._grab())
        tokens.append(token_id)
        if self.caching and not len(tokens) % self.block_size:
            record[2] = mark = self._next(mark, tokens[-self.block_size :])
            if mark not in self.index:
                self.index[mark] = table[-1]
                self.mark[table[-1]] = mark
        return self.slot(seq_id, len(tokens) - 1)

    @Calls
    def slot(self, seq_id, pos):
        where, rest = divmod(pos, self.block_size)
        return self.book[seq_id][0][where] * self.block_size + rest

    @Calls
    def num_cached_tokens(self, seq_id):
        return self.book[seq_id][3] * self.block_size

    @Calls
    def free(self, seq_id):
        for block in reversed(self.book.pop(seq_id)[0]):
            self.refs[block] -= 1
            if not self.refs[block]:
                (self.lru if self.mark[block] else self.fifo)[block] = None
