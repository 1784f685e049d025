"""
severity: high
strategy: write to /tmp until it is full
surface: the scratch space
outcome: No space left on device
"""


def cheat(*arguments):
    for number in range(40):
        with open(f"/tmp/{number}", "wb") as file:
            file.write(bytes(1 << 20))
    raise RuntimeError("escaped: wrote 40 MiB")


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        pass

    def __getattr__(self, name):
        return lambda *arguments: cheat(*arguments)
