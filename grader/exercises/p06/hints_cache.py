"""Hints for the prefix cache: hits, the exact check, eviction, registration."""

from grader.words import N_

CACHE: dict[str, tuple[str, str, str]] = {
    "capacity": (
        N_(
            "Block size 2, three blocks. a = [1, 2, 3, 4, 5] is allocated and freed, so all three blocks "
            "look free. Now b = [1, 2, 3, 4, 5, 6, 7] arrives: two of its four blocks are hits. Are the "
            "other two to be had? Which blocks would they be?"
        ),
        N_(
            "First read, then check once, then write: the chain, the hits, the check; not one reference "
            "count before it. A hit with ref 0 sits in the evictable pool and is counted as free, but this "
            "very call is about to revive it. So: new blocks needed <= num_free_blocks - (hits whose ref is "
            "0). A block that the hits share with a live sequence costs nothing."
        ),
        N_(
            "For b: 4 blocks, 2 hits, 2 new ones; 3 look free, 2 of them are the hits, 1 is left: "
            "OutOfBlocks, and nothing may have moved, not even the order of the evictable pool.\n"
            "# hits = blocks found from the start of the prompt, up to the first miss\n"
            "# new = blocks of the prompt, rounded up, less the number of hits\n"
            "# revived = how many of the hits have ref 0\n"
            "# if new > num_free_blocks - revived: raise OutOfBlocks\n"
            "# only from here on: share the hits, take the new blocks, register, keep the records\n"
            "The coarse can_allocate does not replace this check: it would refuse prompts that fit thanks to "
            "live hits."
        ),
    ),
    "live-hits": (
        N_(
            "Four blocks of size 2, three of them in use: x = [9] has one, a = [1, 2, 3] two. Now b = [1, 2, 4] "
            "arrives. How many blocks does it need that it does not get by a hit, and how many are left?"
        ),
        N_(
            "A hit on a block that a live sequence is using takes nothing from the pool: only its ref goes up. So "
            "allocate counts the blocks behind the hits, and not those of the whole prompt as can_allocate does."
        ),
        N_(
            "One new block, and one is left: b fits.\n"
            "# new = blocks of the prompt, rounded up, less the number of hits\n"
            "# revived = how many of the hits have ref 0: these do leave the pool\n"
            "# if new > num_free_blocks - revived: raise OutOfBlocks\n"
            "Do not call can_allocate in allocate."
        ),
    ),
    "refused-order": (
        N_(
            "Blocks 0, 1 and 2 wait in the evictable pool, 0 the oldest. A prompt that hits block 0 is refused for "
            "lack of blocks. Which block is the next to be evicted, before and after that call?"
        ),
        N_(
            "A refused allocate leaves no trace, and the order of the evictable pool is part of what must stay. "
            "Looking a hit up does not move it: it leaves the pool when the prompt is known to fit, not before. "
            "To take it out and put it back later makes it the newest."
        ),
        N_(
            "Block 0, both times.\n"
            "# hits = found by reading alone: no pop, no move_to_end, no change of ref\n"
            "# if new > num_free_blocks - revived: raise OutOfBlocks\n"
            "# only now: take the hits out of evictable, ref + 1"
        ),
    ),
    "prefix": (
        N_(
            "Three questions. How many full blocks has a prompt of 10 tokens at block size 4, and is the "
            "half-full one cached? A prompt of 8 with both blocks cached: how many may hit, and what could "
            "the model still produce if all did? Is [7, 8] after [1, 2] the same block as [7, 8] after [5, "
            "6]?"
        ),
        N_(
            "The identity of a full block is a hash of two things: the hash of the block before it (None for "
            "the first) and its own tokens. Keep the list of these hashes for each sequence. To look up a "
            "prompt, go through at most (len - 1) // block_size of them, from the first on, and stop at the "
            "first one that hash_to_block does not know. Compare with None: block 0 is a block. A hit gets "
            "ref + 1; if its ref was 0, it first leaves the evictable pool."
        ),
        N_(
            "Answers: two full blocks, 0 and 1, and the half-full one stays out; one hit, 4 tokens, for with "
            "both there would be no token left to run and no logits; no, the hash tells the whole history.\n"
            "# chain = [], parent = None\n"
            "# for each full block: parent = hash((parent, tuple(its tokens))), add it to chain\n"
            "# hits = []\n"
            "# for h in chain[: (number of tokens - 1) // block_size]:\n"
            "#     if h is not in hash_to_block: break, do not go on behind a gap\n"
            "#     add hash_to_block[h] to hits\n"
            "# cached tokens = number of hits * block_size"
        ),
    ),
    "cache-after-free": (
        N_(
            "Block size 2. a = [1, 2, 3, 4] is allocated and freed; nobody has touched its blocks since. c = "
            "[1, 2, 3, 4] arrives. Which block can c take back, which one not, and why not although it is "
            "still there?"
        ),
        N_(
            "Freeing a block does not erase it: with a hash it waits in the evictable pool, an OrderedDict "
            "whose order is the order of freeing, and keeps its entry in hash_to_block. A hit on a waiting "
            "block is a revival: take it out of the pool, then ref + 1. A hit on a block in use is only ref "
            "+ 1. The last token of a prompt never comes from the cache."
        ),
        N_(
            "c takes back block 0; block 1 is there, but only (4 - 1) // 2 = 1 block may hit. The table is "
            "[0, x] with a new x, cached 2.\n"
            "# for block in hits:\n"
            "#     if ref of block is 0: remove block from evictable\n"
            "#     ref of block + 1\n"
            "If the block stayed in the pool it would be handed out again while in use; and if free deleted "
            "its hash there would be nothing to hit."
        ),
    ),
    "eviction": (
        N_(
            "The free list is empty, and in the evictable pool wait block 3 (freed first) and block 1. A new "
            "block is needed. Which one do you take, and where is it still written down as what it used to "
            "be?"
        ),
        N_(
            "One helper takes a block for both calls: the free list first, from its front; only when that is "
            "empty, the oldest entry of the evictable pool, popitem(last=False); if that is empty too, "
            "OutOfBlocks. An evicted block has to be cleaned in two places: its block_hash, and the map "
            "entry, the latter only if it points at this very block."
        ),
        N_(
            "Block 3. Its label has to go in the same moment, or the next prompt gets a hit on foreign "
            "tokens.\n"
            "# def take a block:\n"
            "#     if free_list: block = the one at its front\n"
            "#     elif evictable: block = the oldest one\n"
            "#         h = block_hash[block], then block_hash[block] = None\n"
            "#         if hash_to_block knows h and it points at block: delete that entry\n"
            "#     else: raise OutOfBlocks\n"
            "#     ref of block = 1, return block\n"
            "Example 4 in full, block size 2, three blocks: a = [7, 8, 9] gets [0, 1]; append 10 fills block "
            "1, slot 3; after free(a) the free list is 2 and the pool 1, 0; b = [7, 8, 9, 10, 11] gets [0, "
            "1, 2] with 4 cached; after free(b) the same as before; z with six other tokens gets [2, 1, 0] "
            "and evicts both; so b2, with b's tokens, has 0 cached."
        ),
    ),
    "append-registers": (
        N_(
            "a = [1], block size 2. Append 2, free a, then allocate b = [1, 2, 3]. The first two tokens are "
            "in the cache, though no prompt ever contained them as a full block. Does your b find them?"
        ),
        N_(
            "When append_slot fills a block, the block gets an identity just as in allocate: chained on the "
            "last hash of the sequence, or on the same start as in allocate (None) when it is the first "
            "block. Add the hash to the sequence's chain, or the next block will be chained on the wrong "
            "one. A half-full block of the prompt must not be in that chain."
        ),
        N_(
            "b has 2 cached tokens.\n"
            "# after the token was added, if the number of tokens is a multiple of block_size:\n"
            "#     parent = last hash in the chain of this sequence, None if there is none\n"
            "#     h = hash((parent, tuple(the last block_size tokens)))\n"
            "#     add h to the chain; block_hash of the last block = h\n"
            "#     if h is not in hash_to_block: hash_to_block[h] = that block\n"
            "The older block keeps the map entry when there already is one."
        ),
    ),
    "duplicates": (
        N_(
            "Block size 2. a = [1, 2] and b = [1, 2] are both live, each with a block of its own, as the last token "
            "is never a hit. Now two full blocks have the same chain. Which of them does c = [1, 2, 3] get? What "
            "happens to that answer when a is freed, or when b's block is evicted?"
        ),
        N_(
            "The map has one entry for a chain, and the older block keeps it for as long as it is not evicted. "
            "Whether the younger one carries the hash too (and waits in the evictable pool when freed) or carries "
            "none (and goes to the free list) is left open. Both are right, but allocate has to keep to one of them "
            "throughout, and so has append_slot, in whatever order blocks are freed and evicted."
        ),
        N_(
            "c gets a's block, as long as that is not evicted; b's eviction must not take the entry with it.\n"
            "# when a block becomes full with the chain h:\n"
            "#     if h is not in hash_to_block: hash_to_block[h] = block, block_hash[block] = h\n"
            "#     otherwise, always the same: block_hash[block] = h (carries it), or None (carries none)\n"
            "# eviction: delete hash_to_block[h] only if it points at this very block\n"
            "# free: decide by block_hash[block] alone, never by what the map says"
        ),
    ),
}
