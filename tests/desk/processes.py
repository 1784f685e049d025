"""Server processes that a test starts, kills, and looks for afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from grader.sandbox.family import adopt_orphans, below

ROOT = Path(__file__).resolve().parents[2]
MARK = "KVHOTEL_TEST_MARK"


class Family:
    """All that is started here, and what comes of it, can be found again.

    By a mark in the environment; and, because a sandbox has none, by descent: this process adopts whatever loses its
    parent.
    """

    def __init__(self) -> None:
        adopt_orphans()
        self.others = below(os.getpid())
        self.mark = secrets.token_hex(8)

    def start(self, module: str, told: dict[str, Any]) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-P", "-m", module]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), MARK: self.mark}
        process = subprocess.Popen(
            words, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(told).encode() + b"\n")
        return process

    def left(self, within_s: float) -> list[str]:
        """What is still there after so many seconds at most."""
        end = time.monotonic() + within_s
        while True:
            found = running(self._there())
            if not found or time.monotonic() > end:
                return [f"{pid} {_line(pid)}" for pid in found]
            time.sleep(0.05)

    def _there(self) -> set[int]:
        marked = {int(path.name) for path in Path("/proc").glob("[0-9]*") if self._carries(path)}
        ours = {pid for pid in below(os.getpid()) - self.others if not _line(pid).startswith("postgres:")}
        return ours | marked

    def _carries(self, path: Path) -> bool:
        with contextlib.suppress(OSError):
            return f"{MARK}={self.mark}".encode() in (path / "environ").read_bytes().split(b"\0")
        return False


def judges_of(server: int) -> list[int]:
    return sorted(pid for pid in below(server) if "grader.desk.judging" in _line(pid))


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def end(process: subprocess.Popen[bytes]) -> None:
    """As a server is ended: by the end of its input."""
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    process.wait(30)
    process.stdout.close()


def running(pids: set[int]) -> set[int]:
    """Those that still run; the dead among them that are ours are reaped here."""
    for pid in pids & below(os.getpid()):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def _line(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")[:120]
    return ""
