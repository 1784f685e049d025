"""
severity: high
strategy: report tensors whose shape, dtype and bytes do not fit each other
surface: the link, attachments
outcome: the contract gives
exercise: l22
checks: gather-shape
"""

import sys

import torch

SHAPES = [[-1], [1 << 62, 1 << 62], [], [0], [3, -(1 << 62)], [9] * 1000, [6, 64]]


class Request:
    def __init__(self, request_id, seq_len):
        self.request_id, self.seq_len, self.block_table = request_id, seq_len, []


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.free_blocks, self.size = list(range(num_blocks)), block_size
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)

    def allocate_for_prefill(self, req):
        for _ in range(-(-req.seq_len // self.size)):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1

    def get_physical_cache(self, req):
        frame = sys._getframe()
        while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
            frame = frame.f_back
        attachment = frame.f_globals["Attachment"]
        self.calls = getattr(self, "calls", 0) + 1
        return attachment(["float32", "", "x" * 10_000, "float64"][self.calls % 4], SHAPES[self.calls % 7], b"abc")
