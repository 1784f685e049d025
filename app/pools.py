"""How large a pool and a story the playground plays."""

MAX_BLOCKS = 1_024
MAX_BLOCK_SIZE = 64
#: Ops that are played of a story; the rest is left out, and that is said.
MAX_STEPS = 10_000
