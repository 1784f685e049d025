"""Copies one token at a time into a tensor of its own, leaves seq_len alone when it refuses, and prints."""

import sys

import torch


class PoolEmpty(RuntimeError):
    def __str__(self):
        return "this is an OOM, said in my own words"


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        print("manager of", num_blocks, "blocks")
        self.shape = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(self.shape)
        self.free_blocks = [*range(num_blocks)]

    def move(self, req, count):
        if count > len(self.free_blocks):
            raise PoolEmpty
        moved, self.free_blocks[:count] = self.free_blocks[:count], []
        req.block_table += moved
        print("moved", moved, file=sys.stderr)

    def allocate_for_prefill(self, req):
        self.move(req, -(-req.seq_len // self.shape[1]))

    def allocate_for_decode(self, req):
        if req.seq_len % self.shape[1] == 0:
            self.move(req, 1)
        req.seq_len += 1

    def get_physical_cache(self, req):
        rows = torch.empty((req.seq_len, self.shape[2]), dtype=self.physical_kv_cache.dtype)
        for pos in range(req.seq_len):
            rows[pos] = self.physical_kv_cache[req.block_table[pos // self.shape[1]], pos % self.shape[1]]
        return rows
