"""Paged gather: real tensors behind a submission's block tables, in a process of the judge's own (it imports torch).

K and V of a token depend on every token before it. So the truth for a sequence is made from its whole history, and a
block that holds the right tokens of another history is wrong here, as it would be in a model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grader.beside import serve
from grader.torch_setup import why_no_torch

if TYPE_CHECKING:
    import torch

HEADS, HEAD_DIM = 2, 4
POISON = 0x7FC0DEAD  # a NaN's bits: what was never written
_ODD = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


def history_keys(tokens: Sequence[int]) -> list[int]:
    """One 64-bit number a token, made from it and everything before it (an integer hash chain, splitmix64's mixing)."""
    keys, key = [], 0
    for token in tokens:
        key = (key ^ (token + 1) * _ODD) & _MASK
        key = ((key ^ key >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        key = ((key ^ key >> 27) * 0x94D049BB133111EB) & _MASK
        key ^= key >> 31
        keys.append(key)
    return keys


class Cache:
    """K and V of a pool as the engine keeps them: [2, num_blocks * block_size, heads, head_dim], filled with poison."""

    def __init__(self, num_blocks: int, block_size: int, device: str) -> None:
        import torch

        self.torch: Any = torch
        self.device = device
        self.block_size, self.num_slots = block_size, num_blocks * block_size
        shape = (2, self.num_slots, HEADS, HEAD_DIM)
        self.kv = torch.full(shape, POISON, dtype=torch.int32, device=device).view(torch.float32)
        self.within = torch.arange(block_size, device=device)
        mixer = torch.arange(1, 2 * HEADS * HEAD_DIM + 1, dtype=torch.int64, device=device)
        self.mixer = mixer.reshape(2, 1, HEADS, HEAD_DIM) * 0x5851F42D4C957F2D

    def truth(self, keys: Sequence[int]) -> torch.Tensor:
        """K and V of tokens with these history keys, [2, len, heads, head_dim], float32 of arbitrary bits."""
        signed = [key - (1 << 64) if key >> 63 else key for key in keys]
        column = self.torch.tensor(signed, dtype=self.torch.int64, device=self.device).reshape(1, -1, 1, 1)
        found: torch.Tensor = ((column * self.mixer) >> 20).to(self.torch.int32).view(self.torch.float32)
        return found

    def write(self, slots: Sequence[int], keys: Sequence[int]) -> None:
        """What the model does after running tokens: their K and V into the slots it was told."""
        if slots:
            self.kv[:, self.torch.tensor(slots, device=self.device)] = self.truth(keys)

    def slots(self, table: Sequence[int], length: int) -> torch.Tensor:
        """Where a sequence's tokens lie by its block table, [length]."""
        first = self.torch.tensor(table, dtype=self.torch.int64, device=self.device) * self.block_size
        found: torch.Tensor = (first[:, None] + self.within).reshape(-1)[:length]
        return found

    def gather(self, table: Sequence[int], length: int) -> torch.Tensor:
        """K and V of a sequence through its block table, [2, length, heads, head_dim]."""
        found: torch.Tensor = self.kv[:, self.slots(table, length)]
        return found

    def holds(self, slots: Sequence[torch.Tensor], truths: Sequence[torch.Tensor]) -> bool:
        """Do the slots, [len] for each sequence, hold its truth, bit for bit? Asked for all sequences at once."""
        found = self.kv[:, self.torch.cat(list(slots))].view(self.torch.int32)
        return bool(self.torch.equal(found, self.torch.cat(list(truths), dim=1).view(self.torch.int32)))

    def first_wrong(self, table: Sequence[int], keys: Sequence[int]) -> int | None:
        """The first position whose gathered bits are not the truth, or None."""
        bits = self.gather(table, len(keys)).view(self.torch.int32)
        wrong = (bits != self.truth(keys).view(self.torch.int32)).any(dim=3).any(dim=2).any(dim=0)
        return int(wrong.nonzero()[0]) if bool(wrong.any()) else None


class Reader:
    """Plays what a submission answered on a real cache, and reads every live sequence back after each op."""

    def __init__(self, params: dict[str, Any], device: str) -> None:
        self.size, self.blocks = params["block_size"], params["num_blocks"]
        self.cache = Cache(self.blocks, self.size, device)
        self.tokens: dict[Any, list[int]] = {}
        self.keys: dict[Any, list[int]] = {}
        self.tables: dict[Any, list[int]] = {}
        self.written: set[Any] = set()
        self.due: dict[Any, tuple[torch.Tensor, torch.Tensor]] = {}
        self.owner: dict[int, tuple[Any, int]] = {}

    def step(self, op: list[Any], result: Any) -> dict[str, Any] | None:
        """Take one op with its answer. Returns what is wrong after it, or None."""
        name, seq = op[0], op[1] if len(op) > 1 else None
        if name == "allocate" and type(result) is list:
            self.tokens[seq], self.tables[seq] = list(op[2]), result
            self.keys[seq] = history_keys(op[2])
            self.due.pop(seq, None)
        elif name == "slots" and type(result) is list and seq in self.tables and seq not in self.written:
            slots, total = result[1:], len(self.tokens[seq])
            if len(slots) != total:  # not the driver's own answer
                return {"table": self.tables[seq], "seq": seq}
            cached = result[0]
            if not 0 <= cached <= total:
                return {"cached": cached, "total": total, "seq": seq}
            bad = next((slot for slot in slots if not 0 <= slot < self.cache.num_slots), None)
            if bad is not None:
                return {"outside": bad, "seq": seq}
            self._write(seq, range(cached, len(slots)), slots[cached:])
            self.written.add(seq)
        elif name == "append_slot" and type(result) is int and seq in self.written:
            if not 0 <= result < self.cache.num_slots:
                return {"outside": result, "seq": seq}
            pos = len(self.tokens[seq])
            self.tokens[seq].append(op[2])
            self.keys[seq] = history_keys(self.tokens[seq])
            if pos // self.size >= len(self.tables[seq]):
                self.tables[seq] = [*self.tables[seq], result // self.size]
            self._write(seq, [pos], [result])
        elif name == "free" and result is None:
            for records in (self.tokens, self.keys, self.tables):
                records.pop(seq, None)
            self.due.pop(seq, None)
            self.written.discard(seq)
        else:
            return None
        return self._read_back()

    def _write(self, seq: Any, positions: Sequence[int], slots: Sequence[int]) -> None:
        self.cache.write(slots, [self.keys[seq][pos] for pos in positions])
        self.owner.update({slot: (seq, pos) for pos, slot in zip(positions, slots, strict=False)})
        self.due.pop(seq, None)

    def _read_back(self) -> dict[str, Any] | None:
        for seq in self.tables:
            if seq in self.written and seq not in self.due:
                table, keys = self.tables[seq], self.keys[seq]
                if len(table) * self.size < len(keys) or not all(0 <= block < self.blocks for block in table):
                    return {"table": table, "seq": seq}
                self.due[seq] = self.cache.slots(table, len(keys)), self.cache.truth(keys)
        live = [self.due[seq] for seq in self.tables if seq in self.written]
        if not live or self.cache.holds(*zip(*live, strict=True)):
            return None
        for seq in self.tables:
            if seq not in self.written:
                continue
            table, keys = self.tables[seq], self.keys[seq]
            pos = self.cache.first_wrong(table, keys)
            if pos is not None:
                slot = table[pos // self.size] * self.size + pos % self.size
                owner = self.owner.get(slot)
                return {"seq": seq, "pos": pos, "slot": slot, "holds": list(owner) if owner else None}
        return None


def first_wrong(question: dict[str, Any], device: str) -> dict[str, Any] | None:
    """``{"params", "ops", "results"}`` → where content is first wrong (``step`` and what), or None."""
    reader = Reader(question["params"], device)
    for step, (op, result) in enumerate(zip(question["ops"], question["results"], strict=False)):
        wrong = reader.step(op, result)
        if wrong is not None:
            return {"step": step, **wrong}
    return None


def main() -> None:
    why = why_no_torch()
    if why is not None:
        serve({"missing": why.to_json()}, lambda _: None)
        return
    import torch

    torch.set_num_threads(1)
    device, name = "cpu", "cpu"
    if torch.cuda.is_available():
        device, name = "cuda:0", f"cuda:0 {torch.cuda.get_device_name(0)}"
    serve({"device": name}, lambda question: first_wrong(question, device))


if __name__ == "__main__":
    main()
