"""Workers that are processes of this machine: made with their uid, control group and scratch folder, ended with all."""

from __future__ import annotations

import contextlib
import itertools
import os
import select
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from io import RawIOBase
from pathlib import Path
from typing import cast

from grader.sandbox import bubblewrap, cgroup, process
from grader.sandbox.child import Child, Ending, EndingKind
from grader.sandbox.family import end_family, family
from grader.sandbox.limits import Limits
from grader.sandbox.watch import Watched, watch

SCRATCH_PREFIX = "kvhotel-scratch-"
_numbers = itertools.count()


def start(backend: str, limits: Limits, torch: bool) -> Child:
    """A worker in bubblewrap or as a plain process, in a control group if one can be made. OSError if it cannot be.

    Call it in a thread that lives as long as the process: the kernel ends a child when the thread that made it ends.
    """
    where = cgroup.home()
    group = cgroup.Group(where, limits, torch) if where else None
    join = group.join if group else []
    token = f"{cgroup.judge_mark(os.getpid())}-{next(_numbers)}"
    scratch: str | None = None
    try:
        if backend == bubblewrap.NAME:
            uid = _free_uid() if os.geteuid() == 0 else None
            popen = bubblewrap.spawn(limits, torch, uid, join, token)
        else:
            scratch = tempfile.mkdtemp(prefix=f"{SCRATCH_PREFIX}{token}-")
            popen = process.spawn(limits, torch, join, scratch, token)
    except OSError:
        _clean_up(group, scratch)
        raise
    watched: Watched | None = None
    if group:
        group.close_files()
    else:
        watched = Watched(popen.pid, limits, torch)
        watch().add(watched)

    def end_tree(popen: subprocess.Popen[bytes]) -> None:
        if watched:
            watch().drop(watched)
        members = family(popen.pid, token)
        popen.kill()
        if group:
            group.kill()
        popen.wait()
        end_family(members, token)

    def hit() -> EndingKind | None:
        if watched:
            return watched.hit
        if group and group.out_of_memory():
            return "memory"
        return "processes" if group and group.out_of_processes() else None

    return LocalChild(backend, popen, end_tree, hit, lambda: _clean_up(group, scratch))


def _clean_up(group: cgroup.Group | None, scratch: str | None) -> None:
    if group:
        group.close_files()
        group.remove()
    if scratch:
        shutil.rmtree(scratch, ignore_errors=True)


def _free_uid() -> int:
    """A uid that no account and no other sandbox has: made from our pid where such high numbers are mapped."""
    extents = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text().splitlines()]
    mapped = max(first + count for first, _, count in extents)
    number = next(_numbers)
    wanted = (1 << 30) + (os.getpid() % (1 << 22)) * 256 + number % 256
    return wanted if wanted < mapped else 20000 + (os.getpid() * 256 + number) % 40000


def sweep() -> int:
    """Remove the control groups and scratch folders of judges that are dead; how many there were."""
    found = cgroup.sweep()
    for folder in Path(tempfile.gettempdir()).glob(SCRATCH_PREFIX + "*"):
        if cgroup.is_dead(folder.name.removeprefix(SCRATCH_PREFIX).rsplit("-", 2)[0]):
            shutil.rmtree(folder, ignore_errors=True)
            found += not folder.exists()  # another user's stays
    return found


class LocalChild(Child):
    """A child that is a process of this machine. The launcher lends it three functions.

    `end_tree(process)` kills and reaps it with all that came of it, `limit_hit()` reads the counters,
    `clean_up()` removes what was made for it.
    """

    def __init__(
        self,
        backend: str,
        process: subprocess.Popen[bytes],
        end_tree: Callable[[subprocess.Popen[bytes]], None],
        limit_hit: Callable[[], EndingKind | None],
        clean_up: Callable[[], None],
    ) -> None:
        assert process.stdin and process.stdout and process.stderr
        self.backend, self.pid = backend, process.pid
        self.stdin, self.stdout, self.stderr = (
            cast(RawIOBase, stream) for stream in (process.stdin, process.stdout, process.stderr)
        )
        self._process = process
        self._end_tree, self._limit_hit, self._clean_up = end_tree, limit_hit, clean_up
        self._lock = threading.Lock()
        self._ending: Ending | None = None
        self._gone = False

    def kill(self) -> None:
        with self._lock:
            if self._gone:
                return
            self._end_tree(self._process)
            self._ending = self._read_ending()
            self._clean_up()
            self._gone = True

    def wait(self, timeout: float) -> Ending | None:
        if self._ending is None and not _ended_within(self._process, timeout):
            return None
        with self._lock:
            self._ending = self._read_ending()
            return self._ending

    def hit(self) -> EndingKind | None:
        return self._limit_hit() if not self._gone else None

    def _read_ending(self) -> Ending:
        if self._ending is not None:
            return self._ending
        code = self._process.returncode
        # bubblewrap passes a signal on as 128 + its number, the way a shell does.
        number = -code if code < 0 else code - 128 if 128 < code <= 128 + 64 else None
        limit = self._limit_hit()
        if limit in ("memory", "scratch") and number == 9:
            return Ending(limit, number)
        if number == 24:
            return Ending("cpu", number)
        if limit is not None and code != 0:
            return Ending(limit, number if number is not None else code)
        return Ending("exit", code) if number is None else Ending("signal", number)


def _ended_within(process: subprocess.Popen[bytes], timeout: float) -> bool:
    """Wait on the process itself: Popen.wait with a timeout polls, up to 50 ms late."""
    if process.poll() is not None:
        return True
    try:
        descriptor = os.pidfd_open(process.pid)
    except OSError:  # before Linux 5.3, or no descriptor left
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout)
        return process.poll() is not None
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        ended = poll.poll(timeout * 1000)
    finally:
        os.close(descriptor)
    if ended:
        process.wait()  # unlike Popen.poll it also waits for a thread that is reaping the process just now
    return bool(ended)
