"""
severity: high
strategy: replace the worker's write and send views that no picture can be made of
surface: the link, the judge's pictures
outcome: there is no room: it must raise
exercise: l22
checks: prefill-oom-first
"""

import sys

JUNK = [None, 7, {}, {"requests": 5}, {"requests": [[["x"], {}, 1]], "free_blocks": "x"},
        {"requests": [["r", 3, [0.5, None, "0"]]], "free_blocks": {"a": []}},
        {"requests": [["r", 1 << 62, [0]]], "free_blocks": []}]  # fmt: skip


class Request:
    def __init__(self, request_id, seq_len):
        self.request_id, self.seq_len, self.block_table = request_id, seq_len, []


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.free_blocks = [5]

    def allocate_for_prefill(self, req):
        frame = sys._getframe()
        while "frames_out" not in getattr(frame.f_locals.get("self"), "__dict__", {}):
            frame = frame.f_back
        worker = frame.f_locals["self"]
        if "write" not in vars(worker):
            plain, calls = worker.write, []

            def write(reply, blobs=()):
                calls.append(1)
                if "views" in reply:
                    reply["views"] = [JUNK[(len(calls) + i) % len(JUNK)] for i in range(30)]
                plain(reply, blobs)

            worker.write = write
        req.block_table = [7]

    def allocate_for_decode(self, req):
        pass

    def get_physical_cache(self, req):
        return None
