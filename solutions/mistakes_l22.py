"""The classic mistakes of L22, each the reference with one idea wrong. Words: `mistake_words.py`."""

from __future__ import annotations

import torch
from torch import Tensor

from solutions.l22_paged_attention import KVCacheManager, Request


class RoundDown(KVCacheManager):
    def allocate_for_prefill(self, req: Request) -> None:
        self._move(req, req.seq_len // self.block_size)


class CheckInsideLoop(KVCacheManager):
    def allocate_for_prefill(self, req: Request) -> None:
        for _ in range(-(-req.seq_len // self.block_size)):
            self._move(req, 1)


class BackOfPool(KVCacheManager):
    def _move(self, req: Request, needed: int) -> None:
        self.free_blocks.reverse()
        try:
            super()._move(req, needed)
        finally:
            self.free_blocks.reverse()


class RemainderZero(KVCacheManager):
    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size == 0:
            self._move(req, 1)


class ConditionBeforeIncrement(KVCacheManager):
    def allocate_for_decode(self, req: Request) -> None:
        opens_block = req.seq_len % self.block_size == 1
        req.seq_len += 1
        if opens_block:
            self._move(req, 1)


class IncrementedTwice(KVCacheManager):
    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        super().allocate_for_decode(req)


class BlockEveryStep(KVCacheManager):
    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        self._move(req, 1)


class OomSilent(KVCacheManager):
    def _move(self, req: Request, needed: int) -> None:
        super()._move(req, min(needed, len(self.free_blocks)))


class NoCut(KVCacheManager):
    def get_physical_cache(self, req: Request) -> Tensor:
        return torch.cat([self.physical_kv_cache[block] for block in req.block_table], dim=0)


class SortedTable(KVCacheManager):
    def get_physical_cache(self, req: Request) -> Tensor:
        blocks = [self.physical_kv_cache[block] for block in sorted(req.block_table)]
        return torch.cat(blocks, dim=0)[: req.seq_len]


class Stacked(KVCacheManager):
    def get_physical_cache(self, req: Request) -> Tensor:
        blocks = [self.physical_kv_cache[block] for block in req.block_table]
        return torch.stack(blocks, dim=1).reshape(-1, self.head_dim)[: req.seq_len]


class ThreeDimensional(KVCacheManager):
    def get_physical_cache(self, req: Request) -> Tensor:
        return self.physical_kv_cache[req.block_table]


class GatherChangesTable(KVCacheManager):
    def get_physical_cache(self, req: Request) -> Tensor:
        blocks = []
        while req.block_table:
            blocks.append(self.physical_kv_cache[req.block_table.pop(0)])
        return torch.cat(blocks, dim=0)[: req.seq_len]
