"""Workers made ahead of time: ready at once, used once, replaced, gone at the end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from grader.sandbox import launcher
from grader.sandbox.child import Child, SandboxError
from grader.sandbox.family import below
from grader.sandbox.limits import Limits
from grader.sandbox.pool import Pool
from grader.words import Say

every = pytest.mark.parametrize("backend", ["docker", "bubblewrap", "process"])
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"


def until(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)
    return holds()


@every
def test_a_worker_is_ready_and_used_once(start: Callable[..., Child], backend: str) -> None:
    others = below(os.getpid())  # of other tests: a browser, a server
    start(backend, ECHO).close()
    pool = Pool(backend, Limits(), size=2)
    try:
        assert until(lambda: pool.ready() == 2)
        children = [pool.take() for _ in range(3)]
        for child in children:
            child.stdin.write(b"hi\n")
            assert child.stdout.read(3) == b"hi\n"
        assert len({id(child) for child in children}) == 3
        assert until(lambda: pool.ready() == 2)
        for child in children:
            child.close()
    finally:
        pool.close()
    assert below(os.getpid()) <= others


def test_one_that_died_or_waited_too_long_is_not_given_out(start: Callable[..., Child]) -> None:
    start("bubblewrap", "print('once')").close()
    pool = Pool("bubblewrap", Limits(), size=1)
    try:
        assert until(lambda: pool.ready() == 1)
        with pool._change:
            [(_, dead)] = pool._ready
        assert dead.wait(5) is not None
        with pool.take() as child:
            assert child is not dead
    finally:
        pool.close()


def test_old_ones_are_replaced(start: Callable[..., Child]) -> None:
    start("process", ECHO).close()
    pool = Pool("process", Limits(), size=1, fresh_s=0.3)
    try:
        assert until(lambda: pool.ready() == 1)
        with pool._change:
            [(_, first)] = pool._ready
        assert until(lambda: first.wait(0) is not None)
        assert until(lambda: pool.ready() == 1)
    finally:
        pool.close()


def test_whoever_takes_is_told_why_none_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Child:
        raise SandboxError(Say("the engine is gone"))

    monkeypatch.setattr(launcher, "start", refuse)
    pool = Pool("docker", Limits())
    with pytest.raises(SandboxError):
        pool.take()
    pool.close()
