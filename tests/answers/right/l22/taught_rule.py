"""The rule as it is taught, which never fires at block size 1: that costs a star and nothing else."""

from __future__ import annotations

import math

import torch
from torch import Tensor


class Request:
    def __init__(self, request_id: int, seq_len: int) -> None:
        self.request_id = request_id
        self.seq_len = seq_len
        self.block_table: list[int] = []


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache: Tensor = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: list[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        blocks = math.ceil(req.seq_len / self.block_size)
        if len(self.free_blocks) < blocks:
            raise RuntimeError(f"OOM! {blocks} blocks needed, {len(self.free_blocks)} free")
        for _ in range(blocks):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM!")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> Tensor:
        return torch.cat([self.physical_kv_cache[b] for b in req.block_table], dim=0)[: req.seq_len]
