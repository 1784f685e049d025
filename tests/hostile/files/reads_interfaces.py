"""
severity: medium
strategy: read which network devices there are, where no socket can be had to ask
surface: the network namespace
outcome: contained
"""

from pathlib import Path

NOWHERE = "00:00:00:00:00:00"
found = None
try:
    for device in Path("/sys/class/net").iterdir():
        ethernet = (device / "type").read_text().strip() == "1"
        if ethernet and (device / "address").read_text().strip() != NOWHERE:
            found = f"escaped: sees the network device {device.name}"
except OSError:
    pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
