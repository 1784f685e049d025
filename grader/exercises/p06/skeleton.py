"""P06: the block manager of a paged KV cache, with a prefix cache.

The KV cache is cut into `num_blocks` physical blocks of `block_size` tokens. Every sequence owns a block table:
a list that says which physical block holds its first `block_size` tokens, which the next, and so on. You keep the
books: which block belongs to whom, which is free, and which freed block still holds something worth finding again.
You never touch a tensor.

Do the TODOs in order. The check `fresh-pool` passes after TODO 3, `slot-mapping` after TODO 6, and
`append-across-boundary` after TODO 7; most of the others call `free` too, so they wait for TODO 9, and what is about
sharing for TODO 10. Run `./check.sh p06`; for a hint, `./check.sh p06 --hint CHECK --level 1`. Four worked examples
stand at the end of this file.

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

        `token_ids` (at least one) belongs to the caller: it is read, never kept and never changed. The returned table
        is read by the caller, never changed.
        Raises OutOfBlocks when the blocks do not suffice. Then nothing at all has changed, so look at everything
        first and write afterwards. Mind that a hit may itself be one of the blocks that look free.
        """
        raise NotImplementedError("TODO 5: allocate, at first without prefix cache")

    def slot(self, seq_id: str | int, pos: int) -> int:
        """The place in the cache of token number `pos` (from 0): physical block * block_size + place in the block."""
        raise NotImplementedError("TODO 6: slot")

    def append_slot(self, seq_id: str | int, token_id: int) -> int:
        """Add one token to a live sequence and return its slot.

        A new block is taken only when the ones it has are full. A block that this token fills can be found by later
        prompts, as if allocate had filled it.
        Raises OutOfBlocks when a block is needed and there is none. Then nothing at all has changed.
        """
        raise NotImplementedError("TODO 7: append_slot")

    def num_cached_tokens(self, seq_id: str | int) -> int:
        """How many tokens of the prompt were hits when allocate ran. append_slot does not change it."""
        raise NotImplementedError("TODO 8: num_cached_tokens")

    def free(self, seq_id: str | int) -> None:
        """End a sequence: it leaves all its blocks and is forgotten.

        A block that nobody uses any more becomes evictable (as the newest) if it carries a hash, and otherwise goes
        to the back of the free list. Of one sequence's blocks, the last one is to be reused first and the first
        one last.
        """
        raise NotImplementedError("TODO 9: free")

    # TODO 10: the prefix cache. allocate looks for hits and registers full blocks, append_slot registers the block that
    # it fills, free makes blocks with a hash evictable, and the helper of TODO 4 evicts when the free list is empty.


# Worked examples: "call -> result", with the free list and the evictable pool (oldest first) after it where they tell
# something.
#
# 1. BlockManager(num_blocks=6, block_size=4, enable_prefix_cache=False): first in, first out
#      allocate("x", [11, 12, 13, 14, 15, 16]) -> [0, 1]
#      num_free_blocks -> 4
#      slot("x", 5) -> 5
#      append_slot("x", 17) -> 6
#      append_slot("x", 18) -> 7
#      append_slot("x", 19) -> 8                      free list 3 4 5
#      slot("x", 8) -> 8
#      num_free_blocks -> 3
#      free("x") -> None                              free list 3 4 5 2 1 0
#      num_free_blocks -> 6
#      allocate("y", [1, 2, 3]) -> [3]
#
# 2. BlockManager(num_blocks=8, block_size=2, enable_prefix_cache=True): shared, freed, found again
#      allocate("a", [1, 2, 3, 4, 5]) -> [0, 1, 2]
#      num_cached_tokens("a") -> 0
#      allocate("b", [1, 2, 3, 4, 6]) -> [0, 1, 3]    blocks 0 and 1 have ref 2
#      num_cached_tokens("b") -> 4
#      num_free_blocks -> 4
#      free("a") -> None                              free list 4 5 6 7 2
#      num_free_blocks -> 5
#      free("b") -> None                              free list 4 5 6 7 2 3, evictable 1 0
#      num_free_blocks -> 8
#      allocate("c", [1, 2, 3, 4]) -> [0, 4]          block 1 is not hit: one token must be left to compute
#      num_cached_tokens("c") -> 2
#      num_free_blocks -> 6
#
# 3. BlockManager(num_blocks=3, block_size=2, enable_prefix_cache=True): refused, and nothing has changed
#      allocate("a", [1, 2, 3, 4, 5]) -> [0, 1, 2]
#      free("a") -> None                              free list 2, evictable 1 0
#      allocate("b", [1, 2, 3, 4, 5, 6, 7]) -> OutOfBlocks    4 blocks, 2 hits; of 3 free ones 2 are the hits
#      num_free_blocks -> 3
#      allocate("b", [1, 2, 3, 4, 5, 6]) -> [0, 1, 2]
#      num_cached_tokens("b") -> 4
#      num_free_blocks -> 0
#
# 4. BlockManager(num_blocks=3, block_size=2, enable_prefix_cache=True): filled by append, found, evicted, gone
#      allocate("a", [7, 8, 9]) -> [0, 1]
#      append_slot("a", 10) -> 3                      block 1 is full now
#      free("a") -> None                              free list 2, evictable 1 0
#      allocate("b", [7, 8, 9, 10, 11]) -> [0, 1, 2]
#      num_cached_tokens("b") -> 4
#      free("b") -> None                              free list 2, evictable 1 0
#      allocate("z", [50, 51, 52, 53, 54, 55]) -> [2, 1, 0]    evicts 1, then 0
#      free("z") -> None
#      allocate("b2", [7, 8, 9, 10, 11]) -> [0, 1, 2]
#      num_cached_tokens("b2") -> 0
