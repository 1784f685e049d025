"""P06's hints by topic, three levels each: a question or an example; structures and order; the answer in words."""

from grader.words import N_

HINTS: dict[str, tuple[str, str, str]] = {
    "slot": (
        N_(
            "Take block size 4 and the table [7, 2]. In which physical block is token 5, and which place "
            "does it have in there? Then number all places of the whole cache from 0 on: what is the number "
            "of that place?"
        ),
        N_(
            "A position splits into two numbers: pos // block_size says which entry of the block table, pos "
            "% block_size says which place in that block. Only the entry of the table is a physical id, so "
            "only that one is multiplied by block_size."
        ),
        N_(
            "Token 5 with block size 4: entry 1, place 1; entry 1 of [7, 2] is block 2, so the slot is 2 * 4 "
            "+ 1 = 9.\n"
            "# table = the block table of the sequence\n"
            "# return table[pos // block_size] * block_size + pos % block_size"
        ),
    ),
    "append": (
        N_(
            "Block size 4, and a sequence of 6 tokens in the blocks [0, 1]. What position does the next "
            "token get? Append three tokens: which of them needs a new block? What changes if there is none "
            "to be had?"
        ),
        N_(
            "The position is the number of tokens so far, before you add the new one. A block is needed "
            "exactly when pos // block_size == len(table). Take it before you write anything else, with the "
            "same helper that allocate uses: then a refusal needs no undoing."
        ),
        N_(
            "Positions 6 and 7 fill block 1, position 8 takes a block; if that fails nothing has changed, "
            "the length included.\n"
            "# pos = number of tokens of the sequence\n"
            "# if pos // block_size == len(table): put one taken block at the end of the table (may raise "
            "OutOfBlocks)\n"
            "# add the token to the tokens\n"
            "# if (pos + 1) % block_size == 0: the block is full, give it its hash and register it\n"
            "# return the slot of pos"
        ),
    ),
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
    "free": (
        N_(
            "Do it by hand: a and b share two blocks and have one of their own each. After free(a), how many "
            "blocks came back? And after free(b)? If all sequences are gone, is num_free_blocks what it was "
            "in the beginning?"
        ),
        N_(
            "free lowers the ref of every block in the table by one and gives back only those that reach 0: "
            "with a hash to the newest end of the evictable pool, without one to the back of the free list. "
            "Walk the table backwards, and forget everything you kept for the sequence, or its id can never "
            "be used again."
        ),
        N_(
            "free(a) returns one block, free(b) the other three. Backwards, because what is put into the "
            "pool first is evicted first: the tail must be the oldest, and the head, which most others "
            "share, the last to go.\n"
            "# for block in the table, from the last to the first:\n"
            "#     ref of block - 1\n"
            "#     if it is 0 now: does block carry a hash? yes: evictable, newest end; no: free list, back\n"
            "# delete table, tokens, chain and cached count of the sequence"
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
    "list-ownership": (
        N_(
            "prompt = [1, 2, 3]; table = allocate('a', prompt); append_slot('a', 4). What does print(prompt) "
            "show now? And if the caller then clears prompt, at which position does the next append go?"
        ),
        N_(
            "A list in Python is shared by everyone who holds it. The caller's list and your record of the "
            "tokens must be two lists; the same holds for the table that you return and the one that you go "
            "on extending."
        ),
        N_(
            "The prompt is still [1, 2, 3], and the next position is 4, whatever the caller does.\n"
            "# tokens[seq_id] = list(token_ids)\n"
            "# return a copy of the table\n"
            "Never sort, pop or extend token_ids itself."
        ),
    ),
    "cache-off": (
        N_(
            "enable_prefix_cache=False. Allocate [1, 2, 3, 4, 5], free it, allocate it again. How many "
            "tokens are cached the second time? Where did the freed blocks go, and in which order do they "
            "come back?"
        ),
        N_(
            "Without prefix cache no block ever carries a hash. If nothing is registered, by allocate or by "
            "append_slot, everything else follows by itself: no hits, an empty evictable pool, every freed "
            "block at the back of the free list."
        ),
        N_(
            "0 cached. Six blocks of 4 without cache: x takes 0, 1 and by appending 2; free leaves the free "
            "list 3, 4, 5, 2, 1, 0.\n"
            "# in the chain: if not enable_prefix_cache: return an empty list\n"
            "# in append_slot: register only if enable_prefix_cache\n"
            "free needs no case of its own: it asks each block whether it carries a hash."
        ),
    ),
    "types": (
        N_(
            "Print type(...) of what each call returns. Is the table a list of int, is the slot an int and "
            "not a float, is the answer of can_allocate True or False, is num_free_blocks read without "
            "parentheses?"
        ),
        N_(
            "The contract: allocate returns a list of int, append_slot, slot and num_cached_tokens an int, "
            "can_allocate a bool, free None, and num_free_blocks is a property. The division is //, since / "
            "makes floats. Round up with integers: -(-n // block_size) or (n + block_size - 1) // block_size."
        ),
        N_(
            "# @property above num_free_blocks: len(free_list) + len(evictable)\n"
            "# can_allocate: return blocks needed <= num_free_blocks, a comparison is a bool\n"
            "# allocate: return a list, not the deque or tuple you may work with\n"
            "# append_slot: return the slot, not the block\n"
            "# free: no return"
        ),
    ),
    "content": (
        N_(
            "This check uses your block tables to write keys and values into a real tensor and to read them "
            "back, as an attention kernel would. It got back rows that belong to other tokens. Which of your "
            "blocks is in two places at once, or claims to hold what it no longer holds?"
        ),
        N_(
            "Nothing in your code raised an error, and yet the model would read foreign text. There are "
            "three ways to get here: a hit on a block that was overwritten (eviction left an entry behind), "
            "a hit on equal tokens with another history (the hash is not chained), and a block in use that "
            "was handed out again (it stayed in the pool, or free returned a shared block)."
        ),
        N_(
            "Run the story of the failure on paper and write beside every block what it holds. Then compare "
            "at each hit.\n"
            "# eviction: block_hash[block] = None, and delete the map entry that points at it\n"
            "# chain: hash((parent, tuple(tokens))), parent included\n"
            "# revival: remove the block from evictable before ref + 1\n"
            "# free: give a block back only when its ref has reached 0\n"
            "# lookup: stop at the first miss; the hits are the first blocks of the table, in order"
        ),
    ),
    "collisions": (
        N_(
            "In Python, compare hash(-1) with hash(-2), and hash(0) with hash(2**61 - 1). What does your "
            "cache think of two prompts that differ only in such a token?"
        ),
        N_(
            "hash() is made for dictionaries, which compare the keys themselves after equal hashes; you "
            "compare only the hashes. Either look at the tokens again at every hit, or use a hash for which "
            "nobody knows two equal inputs, such as hashlib.sha256. Feed it the parent's digest and the "
            "tokens as bytes of fixed width, so that [1, 23] and [12, 3] stay different."
        ),
        N_(
            "# from array import array; from hashlib import sha256\n"
            "# data = array('q', tokens of the block).tobytes(), eight bytes a token\n"
            "# digest = sha256(parent digest + data).digest(), the parent of the first block being b''\n"
            "Real engines went the same way: a collision hands one user another user's context. The price is "
            "well under a microsecond a block."
        ),
    ),
    "speed": (
        N_(
            "How long does one call take with 2,000 blocks in the pool, and how long with a million? If the "
            "second is slower, some step looks at the whole pool. Which operations of list and deque do that?"
        ),
        N_(
            "Every step should cost the same whatever the size of the pool. list.pop(0), x in a list, "
            "list.remove, deque.remove and sorted do not. The structures that do: deque with append and "
            "popleft for the free list, OrderedDict for the evictable pool (del by key, "
            "popitem(last=False)), dict for the map, and a list indexed by block for ref and block_hash."
        ),
        N_(
            "# free list: deque(range(num_blocks)); popleft() to take, append() to give back\n"
            "# evictable: OrderedDict; evictable[block] = None, del evictable[block], popitem(last=False)\n"
            "# num_free_blocks: the sum of two len(), never a count over all blocks\n"
            "# append_slot: hash only the block that has just been filled, never the whole sequence\n"
            "# allocate: pack or hash every full block once, and keep the chain for append_slot"
        ),
    ),
    "errors": (
        N_(
            "What does your manager do with an id that it does not know, an id that is still live, or an "
            "empty prompt? The contract leaves it open, but whoever debugs a scheduler at night will thank "
            "you for a sentence."
        ),
        N_(
            "Three questions at the top of a call, before anything is written: is this id live (allocate "
            "must refuse it, all the others need it), does the prompt have a token, does the position exist? "
            "KeyError for an unknown id and ValueError for an unusable argument are what Python programmers "
            "expect. OutOfBlocks is for missing blocks only."
        ),
        N_(
            "# allocate: if seq_id in tables: raise ValueError with the id and what to do (free it first)\n"
            "# allocate: if there are no tokens: raise ValueError\n"
            "# others: if seq_id not in tables: raise KeyError with the id\n"
            "After such an error everything must be as before, and freeing twice must not put a block into "
            "the pool twice. Ask with `in`, not with `if not seq_id`: 0 and '' are ids too."
        ),
    ),
}
