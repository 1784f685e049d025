"""A started worker as the judge holds it: three pipes, a way to end it, and how it ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from io import RawIOBase
from typing import Literal

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
    on_close: Callable[[], None] | None = None

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
        if self.on_close is not None:
            self.on_close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
