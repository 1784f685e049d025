"""The one place that starts sandboxes: it owns uids, control groups, reaping, and the sweep for what a dead judge left.

    with start(pick("auto"), Limits()) as child:
        child.stdin.write(...)

Nothing outlives the judge, not even its kill -9. The kernel ends a child when the *thread* that started it
ends, so one thread that lives as long as the process starts them all.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from typing import Any

from grader.sandbox import bubblewrap, docker, local, process
from grader.sandbox.child import Child, Ending, EndingKind, SandboxError
from grader.sandbox.family import adopt_orphans
from grader.sandbox.limits import Limits
from grader.sandbox.watch import watch
from grader.words import Say

__all__ = ["Child", "Ending", "EndingKind", "SandboxError", "available", "pick", "start", "sweep"]

BACKENDS = (docker.NAME, bubblewrap.NAME, process.NAME)
"""Strongest first."""

_alive: set[Child] = set()


def start(backend: str, limits: Limits, torch: bool = False) -> Child:
    """A fresh worker, not waited for. Any thread may call this; several may be alive at a time.

    `torch` gives it the memory torch needs. SandboxError if it cannot be started.
    """
    _begin()
    try:
        if backend == docker.NAME:
            child = _start_container(limits, torch)
        else:
            child = _starter().call(lambda: local.start(backend, limits, torch))
    except OSError as error:
        reason = error.strerror or str(error)
        raise SandboxError(
            Say("the sandbox could not be started ({reason}): run ./check.sh doctor", reason=reason)
        ) from error
    _alive.add(child)
    child.on_close = lambda: _alive.discard(child)
    return child


def _start_container(limits: Limits, torch: bool) -> Child:
    from grader.sandbox.container import ContainerChild

    _begin_docker()
    return ContainerChild(limits, torch)


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
    if backend == docker.NAME:
        return docker.why_not()
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


@cache
def _begin_docker() -> None:
    """Once a process that uses Docker."""
    docker.sweep()


def _forget() -> None:
    """A forked process has none of this: no thread, no children, no connection of its own."""
    _alive.clear()
    docker.client.cache_clear()
    watch.cache_clear()
    _starter.cache_clear()
    _begin.cache_clear()


def _close_all() -> None:
    for child in list(_alive):
        with contextlib.suppress(OSError):
            child.close()
    docker.disconnect()


def sweep() -> int:
    """Remove what judges that are dead left on this machine; how many things there were."""
    return local.sweep() + (docker.sweep() if docker.client.cache_info().currsize else 0)


os.register_at_fork(after_in_child=_forget)
