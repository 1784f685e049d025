"""
severity: high
strategy: be root, or become it by setuid, by groups or by a file that is setuid
surface: uids
outcome: contained
"""

import os

found = None
if 0 in os.getresuid() or 0 in os.getresgid() or 0 in os.getgroups():
    found = "escaped: is root"
for call in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]), lambda: os.setresuid(-1, 0, -1)):
    try:
        call()
        found = found or "escaped: became root"
    except OSError:
        pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
