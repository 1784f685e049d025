"""index_select into a buffer that is used again; the base class does the counting."""

import torch


class Counting:
    block_size: int
    free_blocks: list

    def grow(self, req, tokens):
        wanted = len(range(0, tokens, self.block_size)) - len(req.block_table)
        if wanted > len(self.free_blocks):
            raise RuntimeError(f"OOM (wanted {wanted}, have {len(self.free_blocks)})")
        while wanted > 0:
            req.block_table.append(self.free_blocks[0])
            del self.free_blocks[0]
            wanted -= 1


class KVCacheManager(Counting):
    def __init__(self, num_blocks, block_size, head_dim, dtype=torch.float32):
        self.block_size = block_size
        self.physical_kv_cache = torch.zeros((num_blocks, block_size, head_dim), dtype=dtype)
        self.free_blocks = list(range(num_blocks))
        self.scratch = torch.full_like(self.physical_kv_cache, 7.0)

    def allocate_for_prefill(self, req):
        self.grow(req, req.seq_len)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        self.grow(req, req.seq_len)

    @torch.no_grad()
    def get_physical_cache(self, req):
        n = len(req.block_table)
        if self.scratch.shape[0] < n or self.scratch.shape[1:] != self.physical_kv_cache.shape[1:]:
            self.scratch = torch.empty((n, *self.physical_kv_cache.shape[1:]))
        out = torch.index_select(self.physical_kv_cache, 0, torch.as_tensor(req.block_table, dtype=torch.int32))
        self.scratch[:n].copy_(out)
        return self.scratch[:n].view(n * self.block_size, -1).narrow(0, 0, req.seq_len)
