"""Workers started ahead of time: interpreter up, torch imported, nobody's code seen. Each is given out once."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque

from grader.sandbox import docker, launcher
from grader.sandbox.child import Child, SandboxError
from grader.sandbox.limits import Limits

RETRY_S = 2.0


class Pool:
    """Keeps `size` workers of one backend ready, in a thread of its own. Any thread may take one; close it at the end.

    A worker that has waited longer than `fresh_s` seconds is replaced: a container ends itself some time after that.
    With `refill` off only the first `size` workers are started ahead of time: for whoever grades once and leaves.
    """

    def __init__(
        self,
        backend: str,
        limits: Limits,
        torch: bool = False,
        size: int = 2,
        fresh_s: float = docker.READY_S,
        refill: bool = True,
    ) -> None:
        self._backend, self._limits, self._torch = backend, limits, torch
        self._size, self._fresh_s, self._refill = size, fresh_s, refill
        self._started, self._starting = 0, False
        self._ready: deque[tuple[float, Child]] = deque()
        self._change = threading.Condition()
        self._open = True
        self._thread = threading.Thread(target=self._fill, name="kvhotel-pool", daemon=True)
        self._thread.start()

    def take(self) -> Child:
        """A worker nobody has used; the caller closes it. Started now if none is ready. SandboxError if none starts."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._ready or not self._starting)
                if not self._ready:
                    break
                started, child = self._ready.popleft()
                self._change.notify()
            if self._usable(started, child):
                return child
            child.close()
        return launcher.start(self._backend, self._limits, self._torch)

    def ready(self) -> int:
        """How many wait to be taken."""
        with self._change:
            return len(self._ready)

    def close(self) -> None:
        """End those that wait, start no more. Those that were taken live on."""
        with self._change:
            self._open = False
            self._change.notify()
        self._thread.join()
        while self._ready:
            self._ready.popleft()[1].close()

    def _usable(self, started: float, child: Child) -> bool:
        with contextlib.suppress(SandboxError):
            return time.monotonic() - started < self._fresh_s and child.wait(0) is None
        return False

    def _fill(self) -> None:
        while True:
            worked = self._renew()
            with self._change:
                if worked:
                    self._change.wait_for(self._has_work, self._rest())
                else:
                    self._change.wait_for(lambda: not self._open, RETRY_S)
                if not self._open:
                    return

    def _has_work(self) -> bool:
        return not self._open or (len(self._ready) < self._size and (self._refill or self._started < self._size))

    def _renew(self) -> bool:
        """Replace the stale, start the missing; False if none could be started: whoever takes one is told why."""
        with self._change:
            stale = self._stale()
        for child in stale:
            child.close()
        while self._open and self._has_work():
            with self._change:
                self._starting = True
                self._started += 1
            started: Child | None = None
            with contextlib.suppress(SandboxError):
                started = launcher.start(self._backend, self._limits, self._torch)
            with self._change:
                self._starting = False
                if started is not None:
                    self._ready.append((time.monotonic(), started))
                self._change.notify_all()
            if started is None:
                return False
        return True

    def _rest(self) -> float:
        """Seconds until the oldest is stale."""
        oldest = self._ready[0][0] if self._ready else time.monotonic()
        return max(0.05, oldest + self._fresh_s - time.monotonic())

    def _stale(self) -> list[Child]:
        stale = []
        while self._ready and time.monotonic() - self._ready[0][0] >= self._fresh_s:
            stale.append(self._ready.popleft()[1])
        return stale
