"""Where no control group can be made: a look at each sandbox, many times a second, at what no rlimit counts.

RLIMIT_AS bounds one process, not its children; nothing at all bounds how many empty files fill a tmpfs. Between two
looks a tree may go over; each of its processes is bounded meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import threading
import time
from functools import cache
from pathlib import Path

from grader.sandbox.child import EndingKind
from grader.sandbox.family import below
from grader.sandbox.limits import Limits

EVERY_S = 0.03


class Watched:
    """A sandbox under watch: its first process and what it may use. `hit` tells what it was ended for."""

    def __init__(self, pid: int, limits: Limits, torch: bool) -> None:
        self.pid = pid
        self.hit: EndingKind | None = None
        self._memory, self._files = limits.memory_bytes(torch), limits.scratch_files

    def look(self) -> None:
        """End every process of the sandbox if it uses too much."""
        members = {self.pid} | below(self.pid)
        # Resident pages are quickly summed but count what is shared once a process; the exact sum takes longer.
        if sum(map(_resident, members)) > self._memory and sum(map(_proportional, members)) > self._memory:
            self.hit = "memory"
        elif any(_files_in_scratch(pid) > self._files for pid in members - {self.pid}):
            self.hit = "scratch"
        if self.hit is not None:
            for pid in members:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


class Watch:
    """One thread for all sandboxes of this process."""

    def __init__(self) -> None:
        self._watched: set[Watched] = set()
        self._change = threading.Condition()
        threading.Thread(target=self._run, name="kvhotel-watch", daemon=True).start()

    def add(self, watched: Watched) -> None:
        with self._change:
            self._watched.add(watched)
            self._change.notify()

    def drop(self, watched: Watched) -> None:
        """Do not look at this one again: call it before its pid can become another process's."""
        with self._change:
            self._watched.discard(watched)

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._watched)
                for watched in [one for one in self._watched if one.hit is None]:
                    watched.look()
            time.sleep(EVERY_S)


@cache
def watch() -> Watch:
    """The watch of this process."""
    return Watch()


def _resident(pid: int) -> int:
    """Bytes of memory a process holds, shared ones included; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _proportional(pid: int) -> int:
    """Bytes of memory a process holds, what it shares with others divided among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # gone, or it has made itself unreadable: then all of it counts
        return _resident(pid)
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


def _files_in_scratch(pid: int) -> int:
    """Files in the sandbox's own /tmp; 0 where that is this machine's."""
    try:
        folder = f"/proc/{pid}/root/tmp"
        if os.stat(folder).st_dev == os.stat("/tmp").st_dev:
            return 0
        scratch = os.statvfs(folder)
    except OSError:
        return 0
    return scratch.f_files - scratch.f_ffree
