"""Hints for the stretch checks."""

from grader.words import N_

STARS: dict[str, tuple[str, str, str]] = {
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
    "leftovers": (
        N_(
            "A sequence has come and gone. Write down every dict, list and set of your manager: which of them still "
            "holds something about it? And when its blocks are evicted, what is left of their hashes?"
        ),
        N_(
            "Two things have to go. When a sequence is freed: everything kept by seq_id (table, tokens, chain, "
            "cached count). When a block is evicted: its hash, and the map entry that points at it. After that, "
            "what the manager holds is bounded by the pool, however many sequences have passed."
        ),
        N_(
            "# free: pop seq_id from tables, tokens, hashes and cached\n"
            "# eviction: block_hash[block] = None, del hash_to_block[h] if it points at block\n"
            "# no log of calls, no set of all ids ever seen\n"
            "# what is kept by hash (parents, tokens to compare) goes together with the map entry"
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
            "Real engines went the same way: a collision hands one user another user's context."
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
