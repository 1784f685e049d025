"""No Request of its own, slices instead of loops, lists replaced rather than changed."""

import torch


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        size = self.physical_kv_cache.shape[1]
        need = (req.seq_len + size - 1) // size
        if need > len(self.free_blocks):
            raise RuntimeError("OOM: prompt needs %d blocks" % need)
        req.block_table = req.block_table + self.free_blocks[:need]
        self.free_blocks = self.free_blocks[need:]

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.physical_kv_cache.shape[1]:
            if self.free_blocks == []:
                raise RuntimeError("decode OOM")
            req.block_table = req.block_table + self.free_blocks[:1]
            self.free_blocks = self.free_blocks[1:]

    def get_physical_cache(self, req):
        return self.physical_kv_cache[torch.tensor(req.block_table)].flatten(0, 1)[: req.seq_len]
