"""How p06's ops become calls of a learner's BlockManager.

Sent into the sandbox as text; also run by the judge itself on the reference and the classic mistakes. Standard library
only, no import of the project. ``Refusal`` (an op that cannot be asked here) and ``lacking`` are put in by whoever
runs it.
"""

from __future__ import annotations

import gc
import sys
from collections import OrderedDict, deque
from typing import Any

Refusal: type[Exception]
lacking: Any
SeqId = Any

METHODS = ("can_allocate", "allocate", "append_slot", "slot", "num_cached_tokens", "free", "num_free_blocks")


def missing(module: Any) -> dict[str, str] | None:
    """What the file lacks before anything can be built, or None."""
    refusal = getattr(module, "OutOfBlocks", None)
    if refusal is not None and (not isinstance(refusal, type) or Exception not in type.mro(refusal)):
        return {"lacks": "OutOfBlocks(Exception)"}
    sample = {"num_blocks": 2, "block_size": 2, "enable_prefix_cache": True}
    lacks: dict[str, str] | None = lacking(module, "BlockManager", METHODS, sample)
    return lacks or (None if refusal is not None else {"lacks": "OutOfBlocks"})


class Session:
    """One manager and the ops asked of it. ``calls`` maps an op's name to a function of its arguments.

    An op on a sequence that is not live raises Refusal. ``list`` and ``scribble`` are the caller's view of the token
    list that it passed to allocate: they tell whether the manager kept or changed it.
    """

    def __init__(self, module: Any, params: dict[str, Any]) -> None:
        self.exception = module.OutOfBlocks
        self.raw = params.get("raw", False)
        self.manager = module.BlockManager(
            num_blocks=params["num_blocks"],
            block_size=params["block_size"],
            enable_prefix_cache=params["enable_prefix_cache"],
        )
        self.block_size = params["block_size"]
        self.length: dict[SeqId, int] = {}
        self.given: dict[SeqId, Any] = {}
        self.freed: dict[SeqId, Any] = {}
        self.labels: dict[Any, int] = {}
        self.calls = {
            "allocate": self.allocate,
            "append_slot": self.append_slot,
            "free": self.free,
            "slot": self.slot,
            "num_cached_tokens": self.num_cached_tokens,
            "num_free_blocks": lambda: self.manager.num_free_blocks,
            "can_allocate": lambda num_tokens: self.manager.can_allocate(num_tokens),
            "slots": self.slots,
            "allocated": self.allocated,
            "list": self.callers_list,
            "scribble": self.scribble,
        }

    def refused(self, error: BaseException) -> bool:
        return any(kind is self.exception for kind in type.mro(type(error)))

    def _live(self, seq: SeqId) -> None:
        if seq not in self.length and not self.raw:
            raise Refusal

    def allocate(self, seq: SeqId, token_ids: Any) -> Any:
        if seq in self.length and not self.raw:
            raise Refusal
        length = len(token_ids)
        self.given[seq] = token_ids
        table = self.manager.allocate(seq, token_ids)
        self.length[seq] = length
        return table

    def append_slot(self, seq: SeqId, token_id: int) -> Any:
        self._live(seq)
        slot = self.manager.append_slot(seq, token_id)
        if seq in self.length:
            self.length[seq] += 1
        return slot

    def free(self, seq: SeqId) -> Any:
        self._live(seq)
        result = self.manager.free(seq)
        self.length.pop(seq, None)
        self.freed = {seq: self.given.pop(seq, None)}
        return result

    def slot(self, seq: SeqId, pos: int) -> Any:
        if not self.raw and not 0 <= pos < self.length.get(seq, 0):
            raise Refusal
        return self.manager.slot(seq, pos)

    def num_cached_tokens(self, seq: SeqId) -> Any:
        self._live(seq)
        return self.manager.num_cached_tokens(seq)

    def slots(self, seq: SeqId) -> Any:
        """[num_cached_tokens, slot of token 0, slot of token 1, …]: all that the tensor side asks for."""
        self._live(seq)
        manager = self.manager
        return [manager.num_cached_tokens(seq), *(manager.slot(seq, pos) for pos in range(self.length[seq]))]

    def allocated(self) -> int:
        """How many small objects this interpreter holds: what is left behind adds up here."""
        gc.collect()
        return sys.getallocatedblocks()

    def _callers(self, seq: SeqId) -> Any:
        """The list that the caller passed: of a live sequence, of one that was refused, or of the last one freed."""
        if seq not in self.given and seq not in self.freed:
            raise Refusal
        return self.given.get(seq, self.freed.get(seq))

    def callers_list(self, seq: SeqId) -> Any:
        return self._callers(seq)

    def scribble(self, seq: SeqId, token_ids: Any) -> None:
        self._callers(seq)[:] = token_ids

    def view(self, kind: str) -> dict[str, Any]:
        """After an op: what contract calls tell (``public``), or also the inside where it can be read (``inside``)."""
        view: dict[str, Any] = {"public": self._public()}
        if kind == "inside":
            try:
                view["inside"] = self._inside()
            except BaseException:
                view["inside"] = None
        return view

    def _public(self) -> dict[str, Any] | None:
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

    def _inside(self) -> dict[str, Any]:
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

    def _label(self, value: Any) -> int | None:
        """A small number for each different hash: the value itself may be anything, and may differ every run."""
        if value is None:
            return None
        return self.labels.setdefault(value, len(self.labels))


def _exact(value: Any, kinds: tuple[type, ...]) -> Any:
    if type(value) not in kinds:
        raise TypeError
    return value


def _int(value: Any) -> int:
    if type(value) is not int or not -(2**53) < value < 2**53:
        raise TypeError
    return value


def _ints(value: Any, kinds: tuple[type, ...]) -> list[int]:
    return [_int(item) for item in _exact(value, kinds)]
