"""
severity: medium
strategy: keep hold of files by hard links, and of folders by descriptors and names that climb
surface: links
outcome: contained
"""

import os

found = None
for target in ("/hotel/worker.py", "/hotel/enter.py", "/etc/passwd", "/etc/shadow", os.__file__):
    try:
        os.link(target, "/tmp/hard")
        found = f"escaped: linked {target}"
    except OSError:
        pass
here = os.open("/", os.O_RDONLY)
for _ in range(50):
    os.chdir("..")
inside = set(os.listdir("."))
if not {"hotel", "tmp"} <= inside:
    found = f"escaped: climbed to {sorted(inside)[:5]}"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
