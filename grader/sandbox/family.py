"""Finding, ending and reaping what came of a sandbox: its descendants, and orphans that carry its token."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
TOKEN = "KVHOTEL_CHILD"


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own.

    A bwrap killed in its first milliseconds leaves a child behind; this way it becomes ours and can be found.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def family(pid: int, token: str) -> set[int]:
    """The processes below our child `pid`, and our adopted children that carry the token, with theirs."""
    found = below(pid)
    for child in _children("self"):
        if child != pid and _carries(child, token):
            found |= {child} | below(child)
    return found


def end_family(members: set[int], token: str) -> None:
    """Kill and reap those of our children that are in `members` or carry the token, and theirs, until none is left.

    Call it once their first parent is reaped: by then its children are ours.
    """
    for _ in range(100):
        ours = [pid for pid in _children("self") if pid in members or _carries(pid, token) or _dead_init(pid)]
        if not ours:
            return
        for pid in ours:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                os.waitpid(pid, 0)


def below(pid: int) -> set[int]:
    """Every process that descends from `pid`."""
    found: set[int] = set()
    for child in _children(str(pid)):
        found |= {child} | below(child)
    return found


def _children(pid: str) -> list[int]:
    pids: list[int] = []
    with contextlib.suppress(OSError):  # processes and threads end while we look
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                pids += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return pids


def _carries(pid: int, token: str) -> bool:
    try:
        return f"{TOKEN}={token}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _dead_init(pid: int) -> bool:
    """Whether this child of ours is the zombie of a pid namespace's first process.

    A zombie has no environment to read. We start no such process ourselves, so it is an orphan nobody waits
    for.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return lines.get("State", "").startswith("Z") and lines.get("NSpid", "").split()[1:][-1:] == ["1"]
