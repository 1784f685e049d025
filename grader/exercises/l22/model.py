"""The contract of l22 as plain data: lists of ids, and a cache of bytes. No torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from grader.exercises.l22.data import bits
from grader.replay.op import Op, Story
from grader.replay.result import SKIPPED, Result

OOM: Result = {"raise": ["RuntimeError: OOM"], "text": "", "refused": True, "stack": ""}
ITEM_SIZE = {"float32": 4, "float64": 8, "float16": 2, "bfloat16": 2}
RUNS = 12


@dataclass
class Request:
    """``lengths``: what seq_len may be (two values after a decode that was refused). ``live``: it goes on."""

    lengths: tuple[int, ...]
    table: list[int] = field(default_factory=list)
    live: bool = False


class Model:
    """One manager by the contract, stepped along with a real one. ``strict``: a refused decode leaves seq_len."""

    def __init__(self, story: Story, strict: bool = False) -> None:
        self.strict = strict
        self.num_blocks, self.block_size, self.head_dim = (
            int(story.params[name]) for name in ("num_blocks", "block_size", "head_dim")
        )
        self.free = list(range(self.num_blocks))
        self.requests: dict[Any, Request] = {}
        self.filled = False
        self.dtype = ""

    def step(self, op: Op, actual: Result) -> tuple[Result, ...]:
        """Take ``op``: every result that is right for it. ``actual`` is only asked for the dtype of the first tensor:
        a cache of another dtype is no mistake."""
        if not self.dtype and type(actual) is dict and "tensor" in actual:
            dtype = actual["tensor"]["dtype"]
            self.dtype = dtype if dtype in ITEM_SIZE else "float32"
        results: tuple[Result, ...] = getattr(self, f"_{op.name}")(*op.args)
        return results

    def _prefill(self, name: Any, seq_len: int) -> tuple[Result, ...]:
        if self._live(name) or seq_len < 1:
            return (SKIPPED,)
        request = self.requests[name] = Request((seq_len,))
        if not self._move(request, -(-seq_len // self.block_size)):
            return (OOM,)
        request.live = True
        return (None,)

    def _request(self, name: Any, seq_len: int, table: list[int]) -> tuple[Result, ...]:
        unused = len(table) * self.block_size - seq_len
        known = all(0 <= block < self.num_blocks for block in table)
        if self._live(name) or not 0 <= unused < self.block_size or not known:
            return (SKIPPED,)
        self.requests[name] = Request((seq_len,), list(table), True)
        return (None,)

    def _decode(self, name: Any) -> tuple[Result, ...]:
        if not self._live(name):
            return (SKIPPED,)
        request = self.requests[name]
        length = request.lengths[0]
        full = len(request.table) * self.block_size == length
        if full and not self._move(request, 1):
            request.lengths, request.live = (length,) if self.strict else (length, length + 1), False
            return (OOM,)
        request.lengths = (length + 1,)
        return (None,)

    def _gather(self, name: Any) -> tuple[Result, ...]:
        if not self._live(name):
            return (SKIPPED,)
        request = self.requests[name]
        rows = [block * self.block_size + i for block in request.table for i in range(self.block_size)]
        rows = rows[: request.lengths[0]]
        cache, size = self._bytes(), self.row_size
        data = b"".join(cache[row * size : (row + 1) * size] for row in rows)
        return (self._tensor([len(rows), self.head_dim], data),)

    def _free_blocks(self) -> tuple[Result, ...]:
        return (list(self.free),)

    def _table(self, name: Any) -> tuple[Result, ...]:
        return (list(self.requests[name].table) if name in self.requests else SKIPPED,)

    def _seq_len(self, name: Any) -> tuple[Result, ...]:
        return self.requests[name].lengths if name in self.requests else (SKIPPED,)

    def _cache(self) -> tuple[Result, ...]:
        return (self._tensor([self.num_blocks, self.block_size, self.head_dim], self._bytes()),)

    def _fill(self) -> tuple[Result, ...]:
        before = self._cache()
        self.filled = True
        return before

    def _live(self, name: Any) -> bool:
        return name in self.requests and self.requests[name].live

    def _move(self, request: Request, needed: int) -> bool:
        if needed > len(self.free):
            return False
        request.table += self.free[:needed]
        self.free = self.free[needed:]
        return True

    # -- the cache -------------------------------------------------------------------------------------------------

    @property
    def row_size(self) -> int:
        return self.head_dim * ITEM_SIZE[self.dtype or "float32"]

    def _bytes(self) -> bytes:
        elements = self.num_blocks * self.block_size * self.head_dim
        size = self.num_blocks * self.block_size * self.row_size
        return (bits(elements) * 2)[:size] if self.filled else bytes(size)

    def _tensor(self, shape: list[int], data: bytes) -> Result:
        return {"tensor": {"dtype": self.dtype or "float32", "shape": shape, "data": data}}

    def told(self, result: Result) -> Result:
        """``result`` for people: a tensor of rows also says where they come from, ``cache[7], cache[2][:1]``.

        ``?`` stands for rows that are not in the cache.
        """
        origins = self.origins(result)
        return result if origins is None else {"tensor": {**result["tensor"], "rows": self._runs(origins)}}

    def origins(self, result: Result) -> list[int] | None:
        """Of a tensor of rows, where in the cache each row stands (counted through all blocks; -1: nowhere).

        None for other results, and as long as the cache is not filled: then all rows are alike.
        """
        if type(result) is not dict or "tensor" not in result:
            return None
        tensor, size = result["tensor"], self.row_size
        if len(tensor["shape"]) != 2 or tensor["dtype"] != self.dtype or not self.filled:
            return None
        if tensor["shape"][1] != self.head_dim:
            return None
        rows = [tensor["data"][at : at + size] for at in range(0, len(tensor["data"]), size)]
        cache = self._bytes()
        places = {cache[at : at + size]: at // size for at in reversed(range(0, len(cache), size))}
        return [places.get(row, -1) for row in rows]

    def _runs(self, places: list[int]) -> str:
        """Rows of the cache, counted through all blocks, as slices of blocks."""
        runs: list[list[int]] = []
        for place in places:
            last = runs[-1][-1] if runs else -1
            together = place == last + 1 and place % self.block_size if place >= 0 else last == -1 and bool(runs)
            if together:
                runs[-1].append(place)
            else:
                runs.append([place])
        texts = [self._slice(run[0], run[-1]) for run in runs[:RUNS]]
        return ", ".join([*texts, *["…"] * (len(runs) > RUNS)])

    def _slice(self, first: int, last: int) -> str:
        if first < 0:
            return "?"
        block, start, end = first // self.block_size, first % self.block_size, last % self.block_size + 1
        if (start, end) == (0, self.block_size):
            return f"cache[{block}]"
        return f"cache[{block}][{start or ''}:{end}]"
