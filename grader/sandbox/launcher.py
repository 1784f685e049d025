"""The one place that starts sandboxes: it owns uids, control groups, reaping, and the sweep for what a dead judge left.

    with start(pick("auto"), Limits()) as child:
        child.stdin.write(...)

Nothing outlives the judge, not even its kill -9. The kernel ends a child when the *thread* that started it
ends, so one thread that lives as long as the process starts them all.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from typing import Any

from grader.sandbox import bubblewrap, cgroup, process
from grader.sandbox.child import Child, Ending, EndingKind, LocalChild, SandboxError
from grader.sandbox.family import adopt_orphans, end_family, family
from grader.sandbox.limits import Limits
from grader.words import Say

__all__ = ["Child", "Ending", "EndingKind", "SandboxError", "available", "pick", "start", "sweep"]

BACKENDS = (bubblewrap.NAME, process.NAME)
"""Strongest first."""

SCRATCH_PREFIX = "kvhotel-scratch-"
_numbers = itertools.count()
_alive: set[Child] = set()


def start(backend: str, limits: Limits, torch: bool = False) -> Child:
    """A fresh worker, not waited for. Any thread may call this; several may be alive at a time.

    `torch` gives it the memory torch needs. SandboxError if it cannot be started.
    """
    _begin()
    try:
        child = _starter().call(lambda: _start_local(backend, limits, torch))
    except OSError as error:
        reason = error.strerror or str(error)
        raise SandboxError(
            Say("the sandbox could not be started ({reason}): run ./check.sh doctor", reason=reason)
        ) from error
    _alive.add(child)
    return child


def available() -> dict[str, Say | None]:
    """For every backend, strongest first: None if it works here, else what to do about it. Tried out once a process."""
    return {name: _why_not(name) for name in BACKENDS}


def pick(name: str) -> str:
    """The backend of this name, or for "auto" the strongest that works. SandboxError says why there is none."""
    if name == "auto":
        return next(backend for backend in BACKENDS if _why_not(backend) is None)
    if name not in BACKENDS:
        names = ", ".join(("auto", *BACKENDS))
        raise SandboxError(Say("there is no sandbox called {name}: choose one of {names}", name=name, names=names))
    why = _why_not(name)
    if why is not None:
        raise SandboxError(why)
    return name


@cache
def _why_not(backend: str) -> Say | None:
    if backend == process.NAME:
        return None
    why = bubblewrap.why_missing()
    if why is not None:
        return why
    try:
        child = start(backend, Limits())
    except SandboxError as error:
        return error.say
    with child:
        # The worker ends by itself, with 0, at the end of its stream; what does not start says why on stderr.
        child.stdin.close()
        ending = child.wait(10.0)
        said = child.stderr.read() or b""
        if ending == Ending("exit", 0):
            return None
        return bubblewrap.why_failed(said.decode("utf-8", "replace").strip()[-200:])


def _start_local(backend: str, limits: Limits, torch: bool) -> Child:
    """Runs in the starter's thread."""
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
    if group:
        group.close_files()

    def end_tree(popen: subprocess.Popen[bytes]) -> None:
        members = family(popen.pid, token)
        popen.kill()
        if group:
            group.kill()
        popen.wait()
        end_family(members, token)

    def hit() -> EndingKind | None:
        if group and group.out_of_memory():
            return "memory"
        return "processes" if group and group.out_of_processes() else None

    def clean_up() -> None:
        _clean_up(group, scratch)
        _alive.discard(child)

    child = LocalChild(backend, popen, end_tree, hit, clean_up)
    return child


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


class _Starter:
    """The long-lived thread, and a way to have it call something."""

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="kvhotel-starter", daemon=True).start()

    def call(self, function: Callable[[], Child]) -> Child:
        future: Future[Child] = Future()
        self._calls.put((function, future))
        return future.result()

    def _run(self) -> None:
        while True:
            function, future = self._calls.get()
            try:
                future.set_result(function())
            except BaseException as error:
                future.set_exception(error)


@cache
def _starter() -> _Starter:
    return _Starter()


@cache
def _begin() -> None:
    """Once a process: adopt what loses its parent, remove what dead judges left, see to our own end."""
    adopt_orphans()
    sweep()
    atexit.register(_close_all)


def _forget() -> None:
    """A forked process has none of this: no thread, no children."""
    _alive.clear()
    _starter.cache_clear()
    _begin.cache_clear()


def _close_all() -> None:
    for child in list(_alive):
        with contextlib.suppress(OSError):
            child.close()


def sweep() -> int:
    """Remove the control groups and scratch folders of judges that are dead; how many there were."""
    found = cgroup.sweep()
    for folder in Path(tempfile.gettempdir()).glob(SCRATCH_PREFIX + "*"):
        if cgroup.is_dead(folder.name.removeprefix(SCRATCH_PREFIX).rsplit("-", 2)[0]):
            shutil.rmtree(folder, ignore_errors=True)
            found += not folder.exists()  # another user's stays
    return found


os.register_at_fork(after_in_child=_forget)
