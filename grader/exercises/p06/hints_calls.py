"""Hints for what a block manager does with or without a prefix cache."""

from grader.words import N_

CALLS: dict[str, tuple[str, str, str]] = {
    "can-allocate": (
        N_(
            "Block size 4. How many whole blocks do 4, 5 and 0 tokens need, rounded up? And with one block free, may "
            "the answer for 5 tokens depend on what happens to be in the cache?"
        ),
        N_(
            "can_allocate is not told which tokens will come, only how many, so it cannot know of hits: round the "
            "number up to whole blocks, compare it with num_free_blocks (a property, read without parentheses: free "
            "list and evictable pool together), and do nothing else. 0 tokens need 0 blocks, and that fits even into "
            "a full pool."
        ),
        N_(
            "1, 2 and 0 blocks; and no.\n"
            "# needed = -(-num_tokens // block_size), rounded up\n"
            "# return needed <= num_free_blocks: equal is enough, and a comparison is a bool\n"
            "No look at the cache, no exception, no change of state. allocate has its own, exact check."
        ),
    ),
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
    "ids": (
        N_(
            'What are bool(0), bool("") and "1" == 1 in Python? Where does your code ask `if x` or `x or ...` about '
            "something that may be block 0, token 0, or the sequence id 0 or ''?"
        ),
        N_(
            "An id is a str or an int and is a key as it stands: no str(), no int(), no hash of it. Whether "
            "something is there is asked with `in` or `is None`, never by its truth: 0 is a valid block, token and "
            "id."
        ),
        N_(
            "False, False and False.\n"
            "# block = hash_to_block.get(h); if block is None: a miss\n"
            "# if seq_id in tables, and not: if tables.get(seq_id)\n"
            "# parent is None at the start of a chain, and not: if not parent"
        ),
    ),
    "separate": (
        N_("Make two managers and allocate from the first. Does the second still have all its blocks?"),
        N_(
            "A list or dict that is written in the class body, or as the default value of a parameter, exists once "
            "for all objects. What belongs to one manager is made in __init__ and reached through self."
        ),
        N_(
            "# in __init__: self.free_list = deque(range(num_blocks)), and so on for each structure\n"
            "# nothing on the class, nothing on the module, no `global`\n"
            "# no def helper(self, found=[]): the default is made once, and kept\n"
            "# no functools.cache on a method: it is shared by all managers"
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
    "free-order": (
        N_(
            "Block size 2. b = [1, 2, 3, 4] has the table [1, 2]; the next prompt may begin with [1, 2] and go on "
            "differently. Both blocks are freed, and one of them has to be evicted: which one would you rather "
            "keep? Which one does your code give back first?"
        ),
        N_(
            "The order in which one free gives its blocks back decides what is evicted first, since the evictable "
            "pool is in the order of freeing. Without block 1 nobody can use block 2, so the last block of a table "
            "has to become the oldest: from the end of the table to its beginning. The free list follows the same "
            "order."
        ),
        N_(
            "Keep block 1, the head: give back 2 first, then 1.\n"
            "# for block in reversed(table):\n"
            "#     ref of block - 1\n"
            "#     if it is 0: with a hash to the newest end of evictable, without one to the back of the free list"
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
    "by-hand": (
        N_(
            "Take the ops that the failure shows and play them on paper. After each op write down: the block tables, "
            "the ref of each block, the free list, the evictable pool from the oldest to the newest, and what the "
            "map finds. At which op does your code first hold something else, though no call has shown it yet?"
        ),
        N_(
            "What differs says where to look. Another block than expected: the order of the free list, of the "
            "evictable pool, or of free. Another number of cached tokens: the lookup, the chain, or an entry that "
            "eviction left behind. Refused or not refused: the one check in allocate. Another num_free_blocks: a ref "
            "that is not lowered, or a block that is in two places or in none."
        ),
        N_(
            "The rules, each of which these ops can break:\n"
            "# take: free list from its front, then the oldest evictable one, whose entry goes with it\n"
            "# lookup: at most (len - 1) // block_size hits, up to the first miss\n"
            "# check: new blocks <= num_free_blocks - hits whose ref is 0; write only afterwards\n"
            "# free: from the last block to the first; with a hash to evictable, else to the free list\n"
            "# append_slot: a filled block is chained and registered as allocate does it"
        ),
    ),
}
