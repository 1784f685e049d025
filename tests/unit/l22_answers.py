"""Answers to l22 as learners may write them: right ones with other insides, wrong ones beside the classic mistakes."""

from __future__ import annotations

BASE = """
import torch

class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.block_size, self.head_dim = block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        return torch.cat([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]
"""

GATHER = "return torch.cat([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]"


def gathers(text: str) -> str:
    """The base with another gather; ``CAT`` stands for the right result."""
    return BASE.replace(GATHER, text.replace("CAT", GATHER.removeprefix("return ")))


RIGHT = {
    "as taught": BASE,
    "a subclass of RuntimeError, a deque, one index_select, the length taken back": """
from collections import deque
import torch

class Full(RuntimeError):
    def __init__(self): super().__init__("KV cache OOM: no block left")

class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.bs = block_size
        self.physical_kv_cache = torch.zeros((num_blocks, block_size, head_dim))
        self.free_blocks = deque(range(num_blocks))

    def _grow(self, req):
        missing = -(-req.seq_len // self.bs) - len(req.block_table)
        if missing > len(self.free_blocks):
            raise Full
        req.block_table.extend(self.free_blocks.popleft() for _ in range(missing))

    allocate_for_prefill = _grow

    def allocate_for_decode(self, req):
        req.seq_len += 1
        try:
            self._grow(req)
        except Full:
            req.seq_len -= 1
            raise

    def get_physical_cache(self, req):
        ids = torch.tensor(req.block_table)
        return self.physical_kv_cache.index_select(0, ids).flatten(0, 1).narrow(0, 0, req.seq_len)
""",
    "new lists instead of changed ones, stack and reshape, a noisy one": """
import sys, torch
from dataclasses import dataclass, field

@dataclass
class Request:
    request_id: int
    seq_len: int
    block_table: list = field(default_factory=list)

class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.block_size, self.head_dim = block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = tuple(range(num_blocks))

    def take(self, req, n):
        print("taking", n, file=sys.stderr)
        if len(self.free_blocks) < n:
            raise RuntimeError(f"OOM ({n})")
        req.block_table = req.block_table + list(self.free_blocks[:n])
        self.free_blocks = self.free_blocks[n:]

    def allocate_for_prefill(self, req):
        print("prefill", vars(req))
        self.take(req, req.seq_len // self.block_size + (req.seq_len % self.block_size > 0))

    def allocate_for_decode(self, req):
        full = req.seq_len == len(req.block_table) * self.block_size
        req.seq_len += 1
        if full:
            self.take(req, 1)

    def get_physical_cache(self, req):
        pieces = torch.stack([self.physical_kv_cache[b] for b in req.block_table])
        return pieces.reshape(-1, self.head_dim)[: req.seq_len]
""",
    "a module with a parameter: the result has a gradient and is not contiguous": """
import torch
from torch import nn

class KVCacheManager(nn.Module):
    def __init__(self, num_blocks, block_size, head_dim):
        super().__init__()
        self.block_size = block_size
        self.physical_kv_cache = nn.Parameter(torch.zeros(num_blocks, block_size, head_dim))
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed = -(-req.seq_len // self.block_size)
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        req.block_table += self.free_blocks[:needed]
        del self.free_blocks[:needed]

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if (req.seq_len - 1) % self.block_size == 0:
            try:
                req.block_table.append(self.free_blocks.pop(0))
            except IndexError:
                raise RuntimeError("OOM in decode") from None

    def get_physical_cache(self, req):
        joined = self.physical_kv_cache[req.block_table].flatten(0, 1)
        return joined.t().contiguous().t()[: req.seq_len]
""",
    "token by token into a new tensor": gathers(
        """out = torch.empty(req.seq_len, self.head_dim, dtype=self.physical_kv_cache.dtype)
        for pos in range(req.seq_len):
            out[pos] = self.physical_kv_cache[req.block_table[pos // self.block_size], pos % self.block_size]
        return out"""
    ),
    "through numpy, in half precision": gathers(
        """whole = self.physical_kv_cache.numpy()[req.block_table].reshape(-1, self.head_dim)
        return torch.from_numpy(whole[: req.seq_len].copy())"""
    ).replace("block_size, head_dim)\n        self.free", "block_size, head_dim).half()\n        self.free"),
}  # fmt: skip

#: Each wrong answer, the mission that must fail, words of the message.
WRONG = {
    "gather gives a list": (gathers("return CAT.tolist()"), "gather", "list"),
    "gather gives an array": (gathers("return CAT.numpy()"), "gather", "numpy.ndarray"),
    "gather gives nothing": (gathers("CAT"), "gather", "returned nothing: it must return torch.Tensor"),
    "gather yields": (gathers("yield CAT"), "gather", "generator"),
    "gather in double precision": (gathers("return CAT.double()"), "gather", "float64"),
    "gather gives a subclass": (gathers("return torch.nn.Parameter(CAT)"), "gather", "Parameter"),
    "gather is sparse": (gathers("return CAT.to_sparse()"), "gather", "not dense"),
    "gather on no device": (gathers("return CAT.to('meta')"), "gather", "meta"),
    "gather is flat": (gathers("return CAT.reshape(-1)"), "gather", "float32 [8]"),
    "gather is huge": (gathers("return CAT[:1, :1].expand(1 << 20, 1 << 10)"), "gather", "of shape [1048576, 1024]"),
    "gather computes": (gathers("return CAT * 1.0 + 0.0"), "gather", "= ?"),
    "gather drops repeats": (
        gathers("return torch.cat([self.physical_kv_cache[b] for b in dict.fromkeys(req.block_table)])[: req.seq_len]"),
        "gather",
        "get_physical_cache",
    ),
    "gather wipes what it cut": (
        gathers("out = CAT.clone(); self.physical_kv_cache[req.block_table[-1]].zero_(); return out"),
        "gather",
        "",
    ),
    "gather sorts the table itself": (gathers("req.block_table.sort(); return CAT"), "gather", ""),
    "gather frees the blocks": (gathers("self.free_blocks += req.block_table; return CAT"), "gather", "free_blocks"),
    "OOM in small letters": (BASE.replace('"OOM"', '"oom"'), "prefill", "what is due here is RuntimeError: OOM"),
    "OOM of another class": (BASE.replace("RuntimeError", "MemoryError"), "prefill", "MemoryError"),
    "prefill gives the table": (
        BASE.replace("pop(0))\n\n    def", "pop(0))\n        return req.block_table\n\n    def"),
        "prefill",
        "must return exactly None",
    ),
    "a block too many": (
        BASE.replace("(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size + 1"),
        "prefill",
        "",
    ),
    "ids as bool": (BASE.replace("self.free_blocks.pop(0)", "bool(self.free_blocks.pop(0))"), "prefill", "bool"),
    "one pool for all": (
        BASE.replace("self.free_blocks = list(range(num_blocks))", "self.free_blocks = POOL.setdefault(num_blocks, "
        "list(range(num_blocks)))").replace("import torch", "import torch\nPOOL = {}"),
        "prefill",
        "nothing runs before or beside it",
    ),
    "lengths kept by id": (
        BASE.replace("import torch", "import torch\nLENGTH = {}").replace(
            "req.seq_len += 1", "LENGTH[req.request_id] = req.seq_len = LENGTH.get(req.request_id, req.seq_len) + 1"
        ),
        "decode",
        "",
    ),
    "no gather at all": (BASE[: BASE.index("    def get_physical_cache")], None, "has no get_physical_cache"),
    "another constructor": (BASE.replace("num_blocks, block_size, head_dim)", "n, s, d)"), "prefill", "keywords"),
    "a crash": (gathers("import ctypes; ctypes.string_at(0)"), "gather", "crashed the Python process"),
}  # fmt: skip
