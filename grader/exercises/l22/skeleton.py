"""L22: PagedAttention from the tensor side.

Keys and values live in one big tensor, cut into physical blocks of `block_size` tokens. A request does not own a
stretch of it but a block table: the list of its block ids, in the order of its tokens. The ids need not be
neighbours. You hand out blocks when a prompt arrives, one more when a generated token needs it, and you gather
what a request has stored, in order.

Do the TODOs in order. `./check.sh l22 --only prefill` (or decode, or gather) runs one mission alone; for a hint,
`./check.sh l22 --hint CHECK --level 1`.
"""

from __future__ import annotations

import torch
from torch import Tensor


class Request:
    """One request. Given, nothing to do here."""

    def __init__(self, request_id: int, seq_len: int) -> None:
        self.request_id = request_id
        self.seq_len = seq_len  # tokens so far; at first the length of the prompt, at least 1
        self.block_table: list[int] = []  # physical block ids in the order of the tokens; at first empty


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        """Given, nothing to do here."""
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache: Tensor = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: list[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        """Give `req` the blocks for its prompt of `req.seq_len` tokens.

        Ids move from the front of `free_blocks` to the end of `req.block_table`, in order. A last block with one
        token in it is still a whole block.
        Raises RuntimeError with "OOM" in its text when there are too few; then neither list has changed.
        """
        # TODO 1: how many blocks does the prompt need?
        # TODO 2: are there enough of them? Then move them.
        raise NotImplementedError("TODO 1 and 2: allocate_for_prefill")

    def allocate_for_decode(self, req: Request) -> None:
        """Count one generated token, and give `req` one more block if, and only if, this token opens one.

        Raises RuntimeError with "OOM" in its text when a block is needed and there is none.
        """
        req.seq_len += 1  # given: the length from here on includes the new token; do not add it again
        # TODO 3: does the new token need a new block?
        raise NotImplementedError("TODO 3: allocate_for_decode")

    def get_physical_cache(self, req: Request) -> Tensor:
        """What `req` has stored, as one tensor of shape [seq_len, head_dim], in the order of its tokens.

        Unused places of the last block are left out. Reading changes nothing: not the table, not the pool, not the
        cache.
        """
        # TODO 4: the blocks in the order of the table, joined, cut.
        raise NotImplementedError("TODO 4: get_physical_cache")
