# mistake: none
"""Right until a duplicate is evicted after the block that it is a duplicate of: then the card is gone already."""

from collections import deque


def _make():
    class Full(Exception):
        pass

    class Manager:
        def __init__(self, num_blocks, block_size, enable_prefix_cache=True):
            free, cart = deque(range(num_blocks)), {}
            users, label, shelf, guests = [0] * num_blocks, [None] * num_blocks, {}, {}

            def links(tokens, link=None):
                for end in range(block_size, len(tokens) + 1, block_size):
                    link = hash((link, tuple(tokens[end - block_size : end])))
                    yield link

            def take():
                if free:
                    block = free.popleft()
                elif cart:
                    block = min(cart, key=cart.get)
                    del cart[block]
                    if shelf[label[block]][0] == block:
                        del shelf[label[block]]
                    label[block] = None
                else:
                    raise Full("come back later")
                users[block] = 1
                return block

            def put(block, link):
                label[block] = link
                shelf.setdefault(link, (block,))

            def allocate(seq_id, token_ids):
                chain = list(links(token_ids)) if enable_prefix_cache else []
                table = []
                for link in chain:
                    if link not in shelf or (len(table) + 1) * block_size >= len(token_ids):
                        break
                    table.append(*shelf[link])
                known = len(table)
                more = -(-len(token_ids) // block_size) - known
                if more > len(free) + len(cart) - sum(block in cart for block in table):
                    raise Full("come back later")
                for block in table:
                    cart.pop(block, None)
                    users[block] += 1
                table.extend([take() for _ in range(more)])
                for block, link in zip(table[known:], chain[known:]):
                    put(block, link)
                guests[seq_id] = table, list(token_ids), known * block_size
                return list(table)

            def append_slot(seq_id, token_id):
                table, tokens, _ = guests[seq_id]
                if len(tokens) % block_size == 0 and len(tokens) // block_size == len(table):
                    table.append(take())
                tokens.append(token_id)
                if enable_prefix_cache and len(tokens) % block_size == 0:
                    *_, link = links(tokens)
                    put(table[-1], link)
                return slot(seq_id, len(tokens) - 1)

            def slot(seq_id, pos):
                return guests[seq_id][0][pos // block_size] * block_size + pos % block_size

            def release(seq_id, now=[0]):  # noqa: B006  a clock, one for each manager
                for block in reversed(guests.pop(seq_id)[0]):
                    users[block] -= 1
                    if users[block] == 0 and label[block] is None:
                        free.append(block)
                    elif users[block] == 0:
                        now[0] += 1
                        cart[block] = now[0]

            self.allocate, self.append_slot, self.slot, self.free = allocate, append_slot, slot, release
            self.num_cached_tokens = lambda seq_id: guests[seq_id][2]
            self.can_allocate = lambda n: -(-n // block_size) <= len(free) + len(cart)
            self.free_blocks_now = lambda: len(free) + len(cart)

        def __getattr__(self, name):
            if name == "num_free_blocks":
                return self.free_blocks_now()
            raise AttributeError(name)

    return Manager, Full


BlockManager, OutOfBlocks = _make()
