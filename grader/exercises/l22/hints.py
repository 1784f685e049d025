"""L22's hints by topic, three levels each: a question or an example; structures and order; the answer in words."""

from grader.words import N_

HINTS: dict[str, tuple[str, str, str]] = {
    "round-up": (
        N_(
            "11 parcels go into boxes of 5. How many boxes do you need, and how many does 11 // 5 give? Now "
            "a prompt of 6 tokens and blocks of 4."
        ),
        N_(
            "A last block with a single token in it is still a whole block. So the division is rounded up, "
            "and a length that divides evenly must not get one too many: lengths 1 to 4 need one block of 4, "
            "5 to 8 two."
        ),
        N_(
            "Three boxes; two blocks.\n"
            "# needed = (req.seq_len + self.block_size - 1) // self.block_size\n"
            "Adding block_size - 1 before the floor division rounds up; -(-seq_len // block_size) does the "
            "same."
        ),
    ),
    "move-front": (
        N_(
            "The stock is [20, 7, 31, 9] and you need three. What do you take, in which order, and what is "
            "left? Where does the first one you took stand in your list?"
        ),
        N_(
            "An id moves: it leaves free_blocks at the front and arrives at the end of req.block_table, so "
            "that the first one taken is the home of the first tokens. free_blocks.pop() without an argument "
            "takes from the wrong end. Change the two lists themselves: the scheduler holds them too."
        ),
        N_(
            "Taken [20, 7, 31], left [9].\n"
            "# needed times: req.block_table.append(self.free_blocks.pop(0))\n"
            "or in one go:\n"
            "# req.block_table.extend(self.free_blocks[:needed])\n"
            "# del self.free_blocks[:needed]"
        ),
    ),
    "oom-prefill": (
        N_(
            "One free block of 4, and a prompt of 5 tokens. What should happen: give one block and drop the "
            "tail, take one and report success, or refuse before anything moves? In what state are the two "
            "lists after your refusal?"
        ),
        N_(
            "Compare the whole need with len(self.free_blocks) once, before the loop that moves ids. With a "
            "check inside the loop, a request that is refused half-way keeps blocks that it cannot use. The "
            "error is a RuntimeError whose text contains OOM."
        ),
        N_(
            "Refuse, with both lists as they were.\n"
            "# needed = blocks for the prompt, rounded up\n"
            "# if needed > len(self.free_blocks): raise RuntimeError('OOM: ...')\n"
            "# only then move the ids"
        ),
    ),
    "decode-boundary": (
        N_(
            "Block size 4, a prompt of 6. Write down the length and the number of blocks after each of three "
            "decode steps. Why does only the third one add a block? What is so special about 9, and not "
            "about 8?"
        ),
        N_(
            "The first line has already raised seq_len, so you look at the new length. 5 to 8 live in the "
            "second block; 8 fills it and needs nothing ahead of time; 9 is the first token of the third. "
            "The first token of a block has a remainder of 1, seq_len % block_size == 1, except in blocks of one "
            "token, where no remainder is ever 1. A block that grows at 8 comes from a test of the new length for 0; "
            "one that does not grow at 9 from a test of the old length for 1."
        ),
        N_(
            "7: 2 blocks, 8: 2, 9: 3.\n"
            "# req.seq_len += 1, this line is given, only once\n"
            "# if req.seq_len % self.block_size == 1:\n"
            "#     no free block left? raise RuntimeError with OOM\n"
            "#     move one id from the front of free_blocks to the end of block_table\n"
            "At block size 1 this rule never fires. (req.seq_len - 1) % self.block_size == 0 is the same rule and "
            "holds for every block size: it says that the blocks were exactly full before this token."
        ),
    ),
    "decode-oom": (
        N_(
            "The pool is empty. A request of length 7 (blocks of 4) decodes: does it need the pool at all? "
            "And one of length 8? For the star: what does seq_len say after the step that failed?"
        ),
        N_(
            "Ask for a free block only when the new token opens one; with an empty pool the other steps must "
            "go on working. When it is needed and there is none, raise RuntimeError with OOM in its text and "
            "leave both lists alone. The given first line has raised seq_len by then; that is allowed, and "
            "taking it back is the better answer."
        ),
        N_(
            "7 to 8 works, 8 to 9 is OOM.\n"
            "# if the new token opens a block:\n"
            "#     if not self.free_blocks:\n"
            "#         req.seq_len -= 1, for the star: the token was not stored\n"
            "#         raise RuntimeError('OOM: ...')\n"
            "#     move one id"
        ),
    ),
    "interleaved": (
        N_(
            "Two requests take turns: a gets blocks 0 and 1, b gets 2, then a needs one more. Which id is "
            "it, and what is a's table now? Why does it not matter that 3 is not next to 1?"
        ),
        N_(
            "All requests draw from one pool, and each has a table of its own. Everything you remember about "
            "a request lives in the request (its seq_len, its block_table), nothing about it in the manager. "
            "Ids come in the order in which they were asked for, so tables have gaps."
        ),
        N_(
            "Block 3; the table is [0, 1, 3].\n"
            "# read only req.seq_len, req.block_table and self.free_blocks\n"
            "# no counter for 'the current request', no list shared by two requests, nothing on the class"
        ),
    ),
    "gather-join": (
        N_(
            "Two blocks of [4, 8]. Put together they could become [8, 8], [2, 4, 8] or [4, 16]. In which of "
            "them is every row one token?"
        ),
        N_(
            "Indexing the cache with one id gives [block_size, head_dim]: rows are tokens. Join the pieces "
            "along dimension 0, the token dimension. torch.stack makes a new dimension, and "
            "physical_kv_cache[table] alone keeps three; a stack along the wrong dimension that is flattened "
            "afterwards has the right shape and the tokens shuffled."
        ),
        N_(
            "[8, 8].\n"
            "# pieces = [self.physical_kv_cache[block] for block in req.block_table]\n"
            "# joined = torch.cat(pieces, dim=0), of shape [blocks * block_size, head_dim]\n"
            "Then cut it to req.seq_len rows."
        ),
    ),
    "gather-order": (
        N_(
            "The table is [7, 2, 9]. Which block holds the first tokens of the request? Does it change "
            "anything that 2 is smaller than 7?"
        ),
        N_(
            "An id is an address and says nothing about order. The position in the table does: entry 0 has "
            "the first block_size tokens. Go through the table as it stands: no sorted(), no set(), no mask "
            "over all blocks."
        ),
        N_(
            "Block 7, then 2, then 9.\n"
            "# for block in req.block_table: take the piece self.physical_kv_cache[block]\n"
            "# join the pieces in exactly this order"
        ),
    ),
    "gather-cut": (
        N_(
            "Length 9, blocks of 4, filled with 1, 2 and 3. How many rows have the three blocks together, "
            "and how many of them are tokens? What stands in the others?"
        ),
        N_(
            "Only the last block can be partly unused, and what stands in its other rows is zero or left "
            "over from an earlier request. After joining, the first seq_len rows are the tokens and the rest "
            "goes away. A length that is a multiple of block_size has nothing to cut; a negative slice end "
            "would cut everything there."
        ),
        N_("12 rows, 9 tokens: four of 1, four of 2, one of 3.\n# return joined[: req.seq_len]"),
    ),
    "gather-pure": (
        N_(
            "Call get_physical_cache twice in a row. Do you get the same result? Are req.block_table, "
            "free_blocks and the cache what they were before?"
        ),
        N_(
            "Reading is not taking: iterate over the table instead of emptying it with pop, do not sort it "
            "in place, do not write zeros into unused rows of the cache. Return a tensor in the cache's own "
            "dtype, with the very same bits."
        ),
        N_(
            "# pieces by a loop over req.block_table, which stays as it is\n"
            "# torch.cat makes a new tensor, so whoever changes the result does not change the cache\n"
            "# no .float(), no .half(), no += on a piece: a piece is a window on the cache itself"
        ),
    ),
    "separate": (
        N_("Make two managers and allocate from the first. Does the second still have all its blocks?"),
        N_(
            "A list or tensor that is written in the class body, or as the default value of a parameter, "
            "exists once for all objects. What belongs to one manager is made in __init__ and reached "
            "through self."
        ),
        N_(
            "# the given __init__ already does it: self.free_blocks = list(range(num_blocks))\n"
            "# remove free_blocks, counters or caches that stand on the class or on the module\n"
            "# no def f(self, req, table=[]): the default is made once, and kept"
        ),
    ),
    "block-size-1": (
        N_(
            "Blocks of one token. How many blocks has a request of length 3, and what must every decode step "
            "do? What is 4 % 1?"
        ),
        N_(
            "The rule seq_len % block_size == 1 never fires at block size 1, where every remainder is 0. Say "
            "instead what you mean: a block is needed when those the request has were exactly full before "
            "this token."
        ),
        N_(
            "Three blocks, and each step takes one more.\n"
            "# the length before this token is req.seq_len - 1\n"
            "# a new block is needed if (req.seq_len - 1) % self.block_size == 0\n"
            "It is the same as the taught rule for every block size from 2 on."
        ),
    ),
}
