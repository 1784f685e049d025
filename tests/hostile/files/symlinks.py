"""
severity: medium
strategy: have whoever follows a link of /tmp read or write what it may not itself
surface: links
outcome: contained
"""

import os

found = None
for number, target in enumerate(("/etc/shadow", "/root", "/proc/1/root", "/hotel/worker.py", "/tmp/../..", "../../..")):
    link = f"/tmp/link{number}"
    os.symlink(target, link)
    try:
        with open(link, "a"):
            found = f"escaped: may write {target}"
    except OSError:
        pass
try:
    if not os.path.samefile("/tmp/link2/hotel/worker.py", "/hotel/worker.py"):
        found = "escaped: sees another root"
except OSError:
    pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
