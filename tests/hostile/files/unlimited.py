"""
severity: high
strategy: find a resource without a limit, or raise one
surface: rlimits
outcome: contained
"""

import resource

found = None
for name in ("AS", "CPU", "NOFILE", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE", "STACK"):
    number = getattr(resource, "RLIMIT_" + name)
    soft, hard = resource.getrlimit(number)
    if resource.RLIM_INFINITY in (soft, hard):
        found = f"escaped: {name} has no limit"
        continue
    try:
        resource.setrlimit(number, (hard + 1, hard + 1))
        found = found or f"escaped: raised {name}"
    except (OSError, ValueError):
        pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
