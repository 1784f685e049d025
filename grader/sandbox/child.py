"""A started worker as the judge holds it: three pipes, a way to end it, and how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from io import RawIOBase
from typing import Literal, cast

from grader.words import Say

EndingKind = Literal["exit", "signal", "memory", "processes", "cpu", "scratch", "unknown"]


class SandboxError(Exception):
    """No sandbox could be had. `say` tells the person what to do; it is never the learner's failure."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


@dataclass(frozen=True)
class Ending:
    """How a worker ended, as well as can be known. `code` is the exit status or the signal's number."""

    kind: EndingKind
    code: int | None = None


class Child(ABC):
    """A worker and everything it started. Its streams are the judge's unbuffered ends of three pipes.

    Any thread may call any method. A child belongs to one grading and is never used twice.
    """

    backend: str
    pid: int
    stdin: RawIOBase
    stdout: RawIOBase
    stderr: RawIOBase

    @abstractmethod
    def kill(self) -> None:
        """End the whole tree now; nothing of it is alive on return. A second call does nothing."""

    @abstractmethod
    def wait(self, timeout: float) -> Ending | None:
        """How it ended, or None if it is still running after `timeout` seconds."""

    @abstractmethod
    def hit(self) -> EndingKind | None:
        """Which limit the tree has run into so far, where something counts it; the child may be alive."""

    def close(self) -> None:
        """End the tree, close the streams, remove what was set up for it. A second call does nothing."""
        self.kill()
        for stream in (self.stdin, self.stdout, self.stderr):
            stream.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
        if limit == "memory" and number == 9:
            return Ending("memory", number)
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
