"""
severity: high
strategy: return tensors of many shapes that have no memory behind them
surface: attachments
outcome: torch.Tensor of shape
exercise: l22
checks: gather-shape
"""

import torch


class Request:
    def __init__(self, request_id, seq_len):
        self.request_id, self.seq_len, self.block_table = request_id, seq_len, []


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.free_blocks, self.size, self.dim = list(range(num_blocks)), block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)

    def allocate_for_prefill(self, req):
        for _ in range(-(-req.seq_len // self.size)):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1

    def get_physical_cache(self, req):
        return torch.zeros(1).expand(1 << 40)
