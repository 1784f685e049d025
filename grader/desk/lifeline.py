"""What ties a judge process to the server that started it: it dies with it, whatever ends it.

Its standard input is a pipe that only the server writes to: a line with what to do at the start, then a byte whenever
there may be work; its end is the server's. Beside that the kernel kills it when the server's thread ends. The other way
it says every other second that it is alive: one that was stopped may hold the lock that everybody waits for.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

PR_SET_PDEATHSIG = 1
ALIVE_S = 2.0
GRACE_S = 5.0
"""How long a judge may take to stop by itself once it is told to."""


class Lifeline:
    """The judge's end. Make it first thing: what is printed afterwards goes to standard error."""

    _before_the_end: Callable[[], None]

    def __init__(self) -> None:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        self._said = open(os.dup(1), "w", buffering=1)  # noqa: SIM115 - lives as long as the process
        os.dup2(2, 1)
        self.told: dict[str, Any] = json.loads(sys.stdin.buffer.readline() or b"{}")
        self.work = threading.Event()
        """Set when there may be something to do, and when it is time to stop."""
        self.over = threading.Event()
        """Set when it is time to stop."""

    def watch(self, before_the_end: Callable[[], None]) -> None:
        """Listen from now on. ``before_the_end`` is called once the server is gone or we are asked to stop."""
        self._before_the_end = before_the_end
        signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=self._end, daemon=True).start())
        threading.Thread(target=self._listen, name="kvhotel-lifeline", daemon=True).start()

    def say(self, **what: Any) -> None:
        """One line for the server."""
        try:
            print(json.dumps(what), file=self._said)
        except OSError:
            self._end()

    def _listen(self) -> None:
        while True:
            if not select.select([0], [], [], ALIVE_S)[0]:
                self.say(alive=True)
            elif os.read(0, 4096):
                self.work.set()
            else:
                break
        self._end()

    def _end(self) -> None:
        if self.over.is_set():
            return
        self.over.set()
        self.work.set()
        last = threading.Timer(GRACE_S, os.kill, (os.getpid(), signal.SIGKILL))
        last.daemon = True
        last.start()
        self._before_the_end()
