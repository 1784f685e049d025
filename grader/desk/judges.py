"""The judges of one server: processes that grade what the desk has, watched by a thread, replaced where they die."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from grader.desk import bell
from grader.desk.claims import Claims
from grader.desk.judging import dead
from grader.desk.lifeline import GRACE_S
from grader.desk.refused import Refused
from grader.desk.store import Store
from grader.words import N_, Say

ROOT = Path(__file__).resolve().parents[2]
LOOK_S = 1.0
"""How often to look for claims whose judge is gone."""
SHORT_S = 5.0
"""A judge that lives less than this is not replaced at once: first after half a second, then twice that, …"""
LONGEST_S = 15.0
SILENT_S, STARTING_S = 15.0, 90.0
"""A judge that has said nothing for so long is stuck: it is ended, and replaced. It has more time to start."""
MUTE = N_("the judges do not start (exit status {status}): the server's own output says why")


@dataclass
class _Seat:
    """The place of one judge: the process in it, or when the next one may start."""

    process: subprocess.Popen[bytes] | None = None
    began: float = 0.0
    not_before: float = 0.0
    pause: float = 0.0
    heard: float = 0.0
    spoke: bool = False
    said: bytearray = field(default_factory=bytearray)

    def stuck(self, now: float) -> bool:
        return now - self.heard > SILENT_S


class Judges:
    """Starts ``count`` judges (cores - 1, at least one) for a desk's database, and keeps them. ``close`` ends them.

    They die with this process however it ends. Never in the sandbox `process`: only docker or bubblewrap.
    """

    def __init__(self, database: str | Path, sandbox: str = "auto", count: int | None = None) -> None:
        self.database, self.sandbox = str(database), sandbox
        self.count = count or max(1, len(os.sched_getaffinity(0)) - 1)
        self.problem: Say | None = None
        """What keeps everything from being graded, and what to do about it."""
        self.ready = threading.Event()
        """Set once a judge is ready, or there is a problem."""
        self._store = Store(database)
        self._seats = [_Seat() for _ in range(self.count)]
        self._lock = threading.Lock()
        self._open = True
        self._wake, self._woken = socket.socketpair()
        bell.listen(self._store.where, self._ring)
        # The kernel kills a judge when the thread that started it ends: this one lives as long as they do.
        self._thread = threading.Thread(target=self._run, name="kvhotel-judges", daemon=True)
        self._thread.start()

    def pids(self) -> list[int]:
        """The processes that are there now."""
        return [seat.process.pid for seat in self._seats if seat.process is not None]

    def close(self) -> None:
        """End them; what they are grading waits again, as if it had not been begun. A second call does nothing."""
        bell.leave(self._store.where, self._ring)
        if self._open:
            self._open = False
            self._wake.send(b"x")
            self._thread.join()
            self._wake.close()
            self._woken.close()
            self._store.close()

    def _ring(self) -> None:
        with self._lock:
            for seat in self._seats:
                if seat.process is not None:
                    _write(seat.process.stdin, b".")

    # -- the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        claims, looked = Claims(self._store), 0.0
        with selectors.DefaultSelector() as selector:
            selector.register(self._woken, selectors.EVENT_READ)
            while self._open:
                now = time.monotonic()
                for seat in self._seats:
                    if seat.process is None and now >= seat.not_before:
                        self._start(seat, selector)
                if now - looked >= LOOK_S:
                    looked = now
                    _look(claims)
                    for seat in self._seats:
                        if seat.process is not None and seat.stuck(now):
                            seat.process.kill()
                empty = any(seat.process is None for seat in self._seats)
                for key, _ in selector.select(LOOK_S / 5 if empty else LOOK_S):
                    if key.data is not None and not self._hear(key.data):
                        selector.unregister(key.fileobj)
                        self._ended(key.data)
                        _look(claims)
            self._end_all()

    def _start(self, seat: _Seat, selector: selectors.BaseSelector) -> None:
        words = [sys.executable, "-P", "-m", "grader.desk.judging"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        seat.began = time.monotonic()
        process = subprocess.Popen(
            words,
            bufsize=0,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is ours to answer
        )
        assert process.stdin is not None and process.stdout is not None
        # Not among its arguments: a database's address may hold a password, and arguments are seen by everybody.
        told = {"database": self.database, "sandbox": self.sandbox}
        _write(process.stdin, json.dumps(told).encode() + b"\n")
        for stream in (process.stdin, process.stdout):
            os.set_blocking(stream.fileno(), False)
        selector.register(process.stdout, selectors.EVENT_READ, seat)
        with self._lock:
            seat.process, seat.said = process, bytearray()
            seat.heard, seat.spoke = seat.began + STARTING_S, False

    def _hear(self, seat: _Seat) -> bool:
        """Take in what the judge says. False where it has ended."""
        assert seat.process is not None and seat.process.stdout is not None
        try:
            said = os.read(seat.process.stdout.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        seat.said += said
        *lines, rest = seat.said.split(b"\n")
        seat.said = rest
        for line in lines:
            seat.heard, seat.spoke = time.monotonic(), True
            what = json.loads(line)
            if "alive" not in what:
                self.problem = Say.from_json(what["problem"]) if "problem" in what else None
                self.ready.set()
        return bool(said)

    def _ended(self, seat: _Seat) -> None:
        with self._lock:
            process, seat.process = seat.process, None
        assert process is not None
        process.kill()
        process.wait()
        _close(process)
        if not seat.spoke:
            self.problem = Say(MUTE, status=process.returncode)
            self.ready.set()
        now = time.monotonic()
        short = now - seat.began < SHORT_S
        seat.pause = min(LONGEST_S, max(0.5, 2 * seat.pause)) if short else 0.0
        seat.not_before = now + seat.pause

    def _end_all(self) -> None:
        with self._lock:
            processes = [seat.process for seat in self._seats if seat.process is not None]
            for seat in self._seats:
                seat.process = None
        for process in processes:
            assert process.stdin is not None
            process.stdin.close()
        end = time.monotonic() + GRACE_S + 1
        for process in processes:
            try:
                process.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            _close(process)


def _look(claims: Claims) -> None:
    with contextlib.suppress(Refused):  # the judges say so, and we look again
        claims.lapse(dead)


def _write(stream: IO[bytes] | None, data: bytes) -> None:
    """As much as there is room for: one byte unread is as good as many."""
    assert stream is not None
    with contextlib.suppress(OSError):
        os.write(stream.fileno(), data)


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()
