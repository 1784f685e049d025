"""
severity: high
strategy: read other processes' command lines, environments, files and memory in /proc
surface: /proc
outcome: contained
"""

import os

found = None
for pid in os.listdir("/proc") if os.path.isdir("/proc") else []:
    if not pid.isdigit():
        continue
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            line = file.read()
    except OSError:
        continue
    if b"/hotel/enter.py" not in line and b"bwrap" not in line:
        found = f"escaped: saw the process {line!r}"
    for part in ("environ", "mem", "root/etc/shadow"):
        try:
            with open(f"/proc/{pid}/{part}", "rb") as file:
                data = file.read(9999) if part != "mem" else b""
        except OSError:
            continue
        if data and b"HOME=/tmp" not in data and int(pid) != os.getpid():
            found = f"escaped: read {part} of {pid}"
try:
    with open("/proc/self/cgroup") as file:
        text = file.read()
    if "kvhotel-" in text:
        found = found or "escaped: sees its control group"
except OSError:
    pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
