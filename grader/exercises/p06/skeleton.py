"""P06: the block manager of a paged KV cache, with a prefix cache.

The KV cache is cut into `num_blocks` physical blocks of `block_size` tokens. Every sequence owns a block table:
a list that says which physical block holds its first `block_size` tokens, which the next, and so on. You keep the
books: which block belongs to whom, which is free, and which freed block still holds something worth finding again.
You never touch a tensor.

Do the TODOs in order: after each one some more checks pass. Run `./check.sh p06`; for a hint,
`./check.sh p06 --hint CHECK --level 1`.

Words used below
  full block    all its `block_size` places are taken. Only a full block has an identity (a hash).
  chained hash  h_i = hash((h_{i-1}, tuple(tokens of block i))), with None before the first block: equal hashes mean
                equal tokens from the start of the sequence up to and including this block.
  hit           a full block of the new prompt that is already in the cache, so that it need not be computed again.
  ref           how many live block tables contain the block.
  evictable     ref is 0, but the block still carries a hash: it can be revived by a hit, or evicted and reused.
  free list     blocks with ref 0 that carry no hash; first in, first out.
"""

from __future__ import annotations


class OutOfBlocks(Exception):
    """There are not enough blocks for this call. Whoever raises it has changed nothing."""


class BlockManager:
    def __init__(self, num_blocks: int, block_size: int, enable_prefix_cache: bool = True) -> None:
        """A pool of `num_blocks` blocks, all free.

        With `enable_prefix_cache=False` no block ever carries a hash: every freed block goes back to the free list
        and no token ever comes from the cache.
        """
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.enable_prefix_cache = enable_prefix_cache
        # TODO 1: what do you have to remember? Any names will do; the playground shows the inside of a manager
        # that uses these:
        #   free_list: deque[int]                  blocks without hash that nobody uses; at first 0, 1, 2, ...
        #   ref: list[int]                         by block: how many tables contain it
        #   block_hash: list[int | None]           by block: the hash it carries (any hashable value)
        #   hash_to_block: dict[int, int]          the catalogue: where to find a full block
        #   evictable: OrderedDict[int, None]      blocks with hash that nobody uses, the oldest first
        #   tables, tokens, hashes, cached: dict   by seq_id: block table, tokens, chain of hashes, tokens hit

    @property
    def num_free_blocks(self) -> int:
        """How many blocks could be handed out now: those on the free list and the evictable ones."""
        raise NotImplementedError("TODO 2: num_free_blocks")

    def can_allocate(self, num_tokens: int) -> bool:
        """Whether `num_tokens` tokens, rounded up to whole blocks, fit into `num_free_blocks`.

        Deliberately coarse: it does not look for hits. Its yes is a promise; after its no, allocate may still succeed.
        """
        raise NotImplementedError("TODO 3: can_allocate")

    # TODO 4: allocate and append_slot both need a new block now and then. Write one helper that takes it.

    def allocate(self, seq_id: str | int, token_ids: list[int]) -> list[int]:
        """Start a new sequence: give it the blocks for its prompt and return its block table.

        Full blocks at the beginning of the prompt that are in the cache are shared instead of taken anew, up to the
        first one that is missing. At least one token must remain to be computed, so not more than
        (len(token_ids) - 1) // block_size blocks are shared. The other blocks come from the free list, oldest
        first; only when it is empty is the oldest evictable block evicted, and it can never be hit again as what it
        was. Every new full block can be found from now on; when an older block with the same chain is known, that
        one stays the one that is found.

        `token_ids` (at least one) belongs to the caller: it is read, never kept and never changed.
        Raises OutOfBlocks when the blocks do not suffice. Then nothing at all has changed, so look at everything
        first and write afterwards. Mind that a hit may itself be one of the blocks that look free.
        """
        raise NotImplementedError("TODO 5: allocate, at first without prefix cache, then with it")

    def slot(self, seq_id: str | int, pos: int) -> int:
        """The place in the cache of token number `pos` (from 0): physical block * block_size + place in the block."""
        raise NotImplementedError("TODO 6: slot")

    def num_cached_tokens(self, seq_id: str | int) -> int:
        """How many tokens of the prompt were hits when allocate ran. append_slot does not change it."""
        raise NotImplementedError("TODO 7: num_cached_tokens")

    def append_slot(self, seq_id: str | int, token_id: int) -> int:
        """Add one token to a live sequence and return its slot.

        A new block is taken only when the ones it has are full. A block that this token fills can be found by later
        prompts, as if allocate had filled it.
        Raises OutOfBlocks when a block is needed and there is none. Then nothing at all has changed.
        """
        raise NotImplementedError("TODO 8: append_slot")

    def free(self, seq_id: str | int) -> None:
        """End a sequence: it leaves all its blocks and is forgotten.

        A block that nobody uses any more becomes evictable (as the newest) if it carries a hash, and otherwise goes
        to the back of the free list. Of one sequence's blocks, the last one is to be reused first and the first
        one last.
        """
        raise NotImplementedError("TODO 9: free")
