"""The manager is a torch module, the cache one of its buffers; what it returns does not lie in one piece."""

import torch
from torch import nn


class KVCacheManager(nn.Module):
    def __init__(self, num_blocks, block_size, head_dim):
        super().__init__()
        self.block_size = block_size
        self.register_buffer("physical_kv_cache", torch.zeros(num_blocks, block_size, head_dim))
        self.free_blocks = list(range(num_blocks))

    def _take(self, count):
        if count > len(self.free_blocks):
            raise torch.OutOfMemoryError("OOM in the pool")
        return [self.free_blocks.pop(0) for _ in range(count)]

    def allocate_for_prefill(self, req):
        req.block_table.extend(self._take((req.seq_len - 1) // self.block_size + 1))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        req.block_table.extend(self._take((req.seq_len - 1) // self.block_size + 1 - len(req.block_table)))

    def get_physical_cache(self, req):
        flat = self.physical_kv_cache.reshape(-1, self.physical_kv_cache.shape[-1])
        slots = [b * self.block_size + i for b in req.block_table for i in range(self.block_size)]
        return flat.T[:, slots[: req.seq_len]].T
