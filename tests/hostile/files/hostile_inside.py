"""
severity: medium
strategy: an inside whose hashes are objects that hang, lie and count when they are looked at
surface: the driver's views
outcome: was still running after | the contract gives
checks: worked-1
"""


class Hash:
    def __hash__(self):
        while True:
            pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    num_free_blocks = 0

    def __init__(self, **pool):
        self.free_list, self.evictable = [], {}
        self.ref, self.block_hash = [1], [Hash()]
        self.hash_to_block, self.tables = {}, {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError
        return lambda *arguments: [5]
