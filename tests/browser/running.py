"""A server of our own and a Chromium of this machine, for tests and benches. Ended by pid, never by name."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START_S = 90
#: No window, no graphics card, and nothing that a browser does of itself over the network.
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: Arguments of Python for the app itself; ``{port}`` is filled in.
APP = ("-P", "-m", "app", "--port", "{port}")


def chromium_path() -> str | None:
    """The Chromium of this machine, or the one that KVH_CHROMIUM names."""
    return os.environ.get("KVH_CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)


@contextlib.contextmanager
def serving(log: Path, arguments: tuple[str, ...] = APP, env: Mapping[str, str] | None = None) -> Iterator[str]:
    """Python with ``arguments`` as a server; its address once it answers. Its output goes to ``log``.

    What is handed in lies beside the log, not in the checkout. ``env`` is put on top of this process's environment.
    """
    port = _free_port()
    own = {"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "KVH_DATA": str(log.parent / "data")}
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, *(argument.format(port=port) for argument in arguments)],
            cwd=ROOT, env={**os.environ, **own, **(env or {})}, stdout=out, stderr=out, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, server, log)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert server.poll() is None, log.read_text("utf-8", "replace")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"no answer within {START_S} s: {log.read_text('utf-8', 'replace')}")
