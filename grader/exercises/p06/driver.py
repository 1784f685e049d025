"""How p06's ops become calls of a learner's BlockManager. Sent into the sandbox as text; also run by the judge itself on
the reference and the classic mistakes. Standard library only, no import of the project.

``Refusal`` (an op that cannot be asked here) is put into this module by whoever runs it.
"""

from collections import OrderedDict, deque

METHODS = ("can_allocate", "allocate", "append_slot", "slot", "num_cached_tokens", "free", "num_free_blocks")


def missing(module):
    """What the file lacks before anything can be built, or None."""
    manager = getattr(module, "BlockManager", None)
    if manager is None:
        return {"lacks": "BlockManager"}
    refusal = getattr(module, "OutOfBlocks", None)
    if refusal is None:
        return {"lacks": "OutOfBlocks"}
    if type(refusal) is not type and not isinstance(refusal, type) or Exception not in type.mro(refusal):
        return {"lacks": "OutOfBlocks(Exception)"}
    if isinstance(manager, type):
        for name in METHODS:
            if not hasattr(manager, name) and not any("__getattr__" in vars(base) for base in type.mro(manager)):
                return {"lacks": "BlockManager." + name}
    return None


class Session:
    """One manager and the ops asked of it. ``calls`` maps an op's name to a function of its arguments.

    An op on a sequence that is not live raises Refusal. ``list`` and ``scribble`` are the caller's view of the token
    list that it passed to allocate: they tell whether the manager kept or changed it.
    """

    def __init__(self, module, params):
        self.exception = module.OutOfBlocks
        self.raw = params.get("raw", False)
        self.manager = module.BlockManager(
            num_blocks=params["num_blocks"],
            block_size=params["block_size"],
            enable_prefix_cache=params["enable_prefix_cache"],
        )
        self.block_size = params["block_size"]
        self.length = {}
        self.given = {}
        self.labels = {}
        self.calls = {
            "allocate": self.allocate,
            "append_slot": self.append_slot,
            "free": self.free,
            "slot": self.slot,
            "num_cached_tokens": self.num_cached_tokens,
            "num_free_blocks": lambda: self.manager.num_free_blocks,
            "can_allocate": lambda num_tokens: self.manager.can_allocate(num_tokens),
            "list": self.list,
            "scribble": self.scribble,
        }

    def refused(self, error):
        return any(kind is self.exception for kind in type.mro(type(error)))

    def _live(self, seq):
        if seq not in self.length and not self.raw:
            raise Refusal

    def allocate(self, seq, token_ids):
        if seq in self.length and not self.raw:
            raise Refusal
        length = len(token_ids)
        self.given[seq] = token_ids
        table = self.manager.allocate(seq, token_ids)
        self.length[seq] = length
        return table

    def append_slot(self, seq, token_id):
        self._live(seq)
        slot = self.manager.append_slot(seq, token_id)
        if seq in self.length:
            self.length[seq] += 1
        return slot

    def free(self, seq):
        self._live(seq)
        result = self.manager.free(seq)
        self.length.pop(seq, None)
        return result

    def slot(self, seq, pos):
        if not self.raw and not 0 <= pos < self.length.get(seq, 0):
            raise Refusal
        return self.manager.slot(seq, pos)

    def num_cached_tokens(self, seq):
        self._live(seq)
        return self.manager.num_cached_tokens(seq)

    def list(self, seq):
        if seq not in self.given:
            raise Refusal
        return self.given[seq]

    def scribble(self, seq, token_ids):
        if seq not in self.given:
            raise Refusal
        self.given[seq][:] = token_ids

    def view(self, kind):
        """After an op: what contract calls tell (``public``), or also the inside where it can be read (``inside``)."""
        view = {"public": self._public()}
        if kind == "inside":
            try:
                view["inside"] = self._inside()
            except BaseException:
                view["inside"] = None
        return view

    def _public(self):
        try:
            size, manager = self.block_size, self.manager
            return {
                "num_free_blocks": _int(manager.num_free_blocks),
                "tables": [
                    [seq, [_int(manager.slot(seq, start)) // size for start in range(0, length, size)]]
                    for seq, length in self.length.items()
                ],
                "cached": [[seq, _int(manager.num_cached_tokens(seq))] for seq in self.length],
            }
        except BaseException:
            return None

    def _inside(self):
        manager = self.manager
        return {
            "free_list": _ints(manager.free_list, (deque, list)),
            "evictable": _ints(manager.evictable, (OrderedDict, dict, deque, list)),
            "ref": _ints(manager.ref, (list,)),
            "block_hash": [self._label(value) for value in _exact(manager.block_hash, (list,))],
            "hash_to_block": [
                [self._label(key), _int(block)]
                for key, block in _exact(manager.hash_to_block, (dict, OrderedDict)).items()
            ],
            "tables": [
                [seq, _ints(row, (list, tuple))] for seq, row in _exact(manager.tables, (dict, OrderedDict)).items()
            ],
        }

    def _label(self, value):
        """A small number for each different hash: the value itself may be anything, and may differ every run."""
        if value is None:
            return None
        return self.labels.setdefault(value, len(self.labels))


def _exact(value, kinds):
    if type(value) not in kinds:
        raise TypeError
    return value


def _int(value):
    if type(value) is not int or not -(2**53) < value < 2**53:
        raise TypeError
    return value


def _ints(value, kinds):
    return [_int(item) for item in _exact(value, kinds)]
