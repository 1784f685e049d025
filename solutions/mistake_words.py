"""What each classic mistake does and why it matters, in one sentence each; the order is that of the spec."""

from __future__ import annotations


def N_(text: str) -> str:
    """Marks a text for the catalogue of translations."""
    return text


P06 = (
    (
        "half-full-hashed",
        N_("A half-full last block is given a hash."),
        N_(
            "It waits in the evictable pool as if it could be shared, and the next block is chained on a "
            "history that never was."
        ),
    ),
    (
        "hit-limit-len",
        N_("A prompt may hit len // block_size blocks instead of (len - 1) // block_size."),
        N_(
            "When every token comes from the cache there is none left to run, and so no logits to sample the "
            "next token from."
        ),
    ),
    (
        "two-chain-starts",
        N_("The calls allocate and append_slot begin the hash chain from different starting values."),
        N_("A first block that was filled by append_slot is never found again."),
    ),
    (
        "evict-foreign-entry",
        N_("Eviction deletes the map entry of the hash even when it points at another block."),
        N_("The older block with the same tokens is still there, but nobody can find it any more."),
    ),
    (
        "free-forwards",
        N_("The call free walks the block table from the first block to the last."),
        N_("The head of the prompt, which others are most likely to share, becomes the oldest and is evicted first."),
    ),
    (
        "evictable-hits-counted",
        N_("The capacity check counts hits that wait in the evictable pool as room for new blocks."),
        N_("The check passes, a later take fails, and the reference counts of the hits have already been raised."),
    ),
    (
        "coarse-check",
        N_("The call allocate decides by can_allocate, which ignores hits."),
        N_("It refuses prompts that would fit because most of their blocks are already there."),
    ),
    (
        "revived-stays",
        N_("A block that is hit while it waits in the evictable pool is not taken out of the pool."),
        N_("It looks free while a sequence is using it, and is soon given to another sequence."),
    ),
    (
        "append-before-block",
        N_("The call append_slot adds the token before it has the block."),
        N_("After OutOfBlocks the sequence is one token longer than what it holds, so every later slot is off by one."),
    ),
    (
        "unchained-hash",
        N_("A block's hash covers only the block's own tokens, not what comes before them."),
        N_(
            "Equal tokens after different beginnings are taken for the same block, and the model reads K/V "
            "of another text."
        ),
    ),
    (
        "evict-keeps-entry",
        N_("Eviction leaves the map entry of the evicted block in place."),
        N_("The old prefix still hits a block that has long been overwritten."),
    ),
    (
        "newest-evicted-first",
        N_("Eviction takes the block that was freed last."),
        N_("What was used a moment ago is thrown away, and what nobody asks for stays."),
    ),
    (
        "evict-before-free",
        N_("A block is evicted although the free list is not empty."),
        N_("Cached prefixes are lost for no reason: there were empty blocks to take."),
    ),
    (
        "append-unregistered",
        N_("Blocks that are filled by append_slot are never registered."),
        N_("The next turn of a chat cannot reuse what the model has just generated."),
    ),
    (
        "callers-list-kept",
        N_("The call allocate keeps the caller's token list instead of a copy."),
        N_("The call append_slot then grows the caller's list, and a change of that list changes the sequence."),
    ),
    (
        "hits-after-gap",
        N_("The lookup goes on after the first miss and counts later hits."),
        N_("Only an unbroken prefix is reusable: blocks behind a gap land at the wrong place in the table."),
    ),
    (
        "shared-returned",
        N_("The call free returns a block to the pool while another sequence is still using it."),
        N_("The block is handed out again, and two sequences overwrite each other's K/V."),
    ),
    (
        "zero-is-nothing",
        N_("Block 0 is taken for no block at all, as in: if not block."),
        N_("Whatever is cached in block 0 is never found, and block 0 is usually the start of the system prompt."),
    ),
    (
        "failed-allocate-touches",
        N_("An allocate that fails has already refreshed the place of its hits in the eviction order."),
        N_("A refused request still decides what is evicted next: it should have left no trace."),
    ),
)

L22 = (
    (
        "round-down",
        N_("The number of blocks for a prompt is rounded down."),
        N_("The last tokens of the prompt have no block to be stored in."),
    ),
    (
        "check-inside-loop",
        N_("Free blocks are checked one at a time while ids are already being moved."),
        N_("When the pool runs out half-way, the request keeps blocks that it cannot use and nobody else can have."),
    ),
    (
        "back-of-pool",
        N_("Block ids are taken from the back of free_blocks."),
        N_("The contract hands out the front first, so the ids and what stays in the pool are not the expected ones."),
    ),
    (
        "remainder-zero",
        N_("A decode step takes a block when seq_len % block_size is 0."),
        N_("That is the token that fills a block, not the one that opens the next: the block comes one token early."),
    ),
    (
        "condition-before-increment",
        N_("A decode step tests the length from before the increment."),
        N_("The new block comes one token late, and the token that opened it had no place."),
    ),
    (
        "incremented-twice",
        N_("A decode step adds one to seq_len a second time."),
        N_("The length runs ahead of the tokens, and boundaries are crossed too early or jumped over."),
    ),
    (
        "block-every-step",
        N_("A decode step takes a block at every step."),
        N_("Each token occupies a whole block, and the pool is empty block_size times too early."),
    ),
    (
        "oom-silent",
        N_("When the pool is too small, the call gives what there is and reports success."),
        N_("The scheduler goes on with a request whose last tokens have nowhere to be stored."),
    ),
    (
        "no-cut",
        N_("The unused rows of the last block are returned too."),
        N_("Attention sees positions that hold no token yet, or leftovers of an earlier request."),
    ),
    (
        "sorted-table",
        N_("The blocks are read in the order of their ids."),
        N_("Ids are addresses; only the position in the table says which tokens come first."),
    ),
    (
        "stacked",
        N_("The blocks are stacked side by side and then flattened, instead of joined one after the other."),
        N_("The shape is right, but the tokens of different blocks alternate."),
    ),
    (
        "three-dimensional",
        N_("The result still has one dimension for blocks and one for positions inside them."),
        N_("Attention needs one row a token, [seq_len, head_dim]."),
    ),
    (
        "gather-changes-table",
        N_("Reading the cache takes the ids out of the block table."),
        N_("The request no longer knows its blocks: the next read finds nothing, and the blocks are lost."),
    ),
)
