"""A running app and a real Chromium for the tests in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.running import FLAGS, chromium_path, serving

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started for these tests."""
    log = tmp_path_factory.mktemp("app") / "log.txt"
    with serving(log) as address:
        yield address
    said = log.read_text("utf-8", "replace")
    assert "Traceback" not in said, said[-4000:]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium of this machine, without a window."""
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium here: apt install chromium, or name it in KVH_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
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
