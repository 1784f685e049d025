"""A running app and a real Chromium for the tests in the browser. All of it is this machine's own, and ended by pid."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
START_S = 60
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started for these tests."""
    port, log = free_port(), tmp_path_factory.mktemp("app") / "log.txt"
    with log.open("wb") as out:
        running = subprocess.Popen(
            [sys.executable, "-P", "-m", "app", "--port", str(port)],
            cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}, stdout=out, stderr=out,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, running, log)
        yield address
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
    said = log.read_text("utf-8", "replace")
    assert "Traceback" not in said, said[-4000:]


def _wait(address: str, running: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        assert running.poll() is None, log.read_text("utf-8", "replace")
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the app did not start within {START_S} s: {log.read_text('utf-8', 'replace')}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium of this machine, without a window."""
    path = os.environ.get("KVH_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium here: apt install chromium, or name it in KVH_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that has never been here, 1280 wide."""
    fresh = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    fresh.grant_permissions(["clipboard-read", "clipboard-write"])
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """An empty page; an error in its scripts fails the test."""
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []
