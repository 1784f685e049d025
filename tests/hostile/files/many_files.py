"""
severity: medium
strategy: make empty files without end, which take kernel memory only
surface: the scratch space
outcome: No space left on device | was still running after | used more than
checks: worked-1
"""


def cheat(*arguments):
    for number in range(3_000_000):
        open(f"/tmp/e{number}", "w").close()
    raise RuntimeError("escaped: made three million files")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
