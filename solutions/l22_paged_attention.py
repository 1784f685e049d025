"""L22, the reference answer: the block table of P06 without the prefix cache, over the real tensor.

A request's logical block i lives in physical block `block_table[i]`. The ids need not be neighbours and say
nothing about order; the position in the table does.
"""

from __future__ import annotations

import torch
from torch import Tensor


class Request:
    """What the scheduler knows of one request. `seq_len` starts as the prompt length, at least 1."""

    def __init__(self, request_id: int, seq_len: int) -> None:
        self.request_id = request_id
        self.seq_len = seq_len
        self.block_table: list[int] = []


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache: Tensor = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: list[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        """Give `req` the blocks of its prompt; RuntimeError (OOM) leaves pool and table as they were."""
        needed = -(-req.seq_len // self.block_size)  # rounded up: one token still takes a whole block
        self._move(req, needed)

    def allocate_for_decode(self, req: Request) -> None:
        """Count one more token, give it a block if it opens one; RuntimeError (OOM) changes nothing."""
        req.seq_len += 1
        if (req.seq_len - 1) % self.block_size == 0:  # the blocks before it are full; right for 1 too
            try:
                self._move(req, 1)
            except RuntimeError:
                req.seq_len -= 1
                raise

    def get_physical_cache(self, req: Request) -> Tensor:
        """The request's cache, [seq_len, head_dim], as a new tensor. Changes nothing."""
        blocks = [self.physical_kv_cache[block] for block in req.block_table]  # each [block_size, head_dim]
        return torch.cat(blocks, dim=0)[: req.seq_len]

    def _move(self, req: Request, needed: int) -> None:
        """Move ids from the front of the pool to the end of the table: all of them, or none."""
        if needed > len(self.free_blocks):
            raise RuntimeError(f"OOM: {needed} blocks needed, {len(self.free_blocks)} free")
        req.block_table.extend(self.free_blocks[:needed])
        del self.free_blocks[:needed]
