"""Keeps its own books by request object and numpy views; the public lists are brought up to date at the end."""

import numpy as np
import torch


class OOM(RuntimeError):
    pass


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.block_size = block_size
        self._next = list(range(num_blocks))[::-1]

    @property
    def free_blocks(self):
        return self._next[::-1]

    @free_blocks.setter
    def free_blocks(self, ids):
        self._next = list(ids)[::-1]

    def _fill(self, req, capacity):
        rounds = 0
        while (len(req.block_table) + rounds) * self.block_size < capacity:
            rounds += 1
        if rounds > len(self._next):
            raise OOM("OOM")
        for _ in range(rounds):
            req.block_table.append(self._next.pop())

    def allocate_for_prefill(self, req):
        self._fill(req, req.seq_len)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        self._fill(req, req.seq_len)

    def get_physical_cache(self, req):
        rooms = self.physical_kv_cache.numpy()
        joined = np.concatenate([rooms[b] for b in req.block_table], axis=0)
        return torch.from_numpy(joined[: req.seq_len].copy())
