"""What is the same for every screen: what axe finds in it, and whether it is wider than the window."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
LONG = 60_000


def settle(page: Page) -> None:
    """Until nothing has been drawn anew for a while: what is, is pale, and a first visit is drawn twice."""
    still = 0
    for _ in range(LONG // 100):
        busy = page.evaluate(
            """() => !document.querySelector('[data-test-script-state="notRunning"]')
                     || Boolean(document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]'))"""
        )
        still = 0 if busy else still + 1
        if still == 12:
            return
        page.wait_for_timeout(100)
    raise AssertionError("the screen does not come to rest")


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """The rules that are broken seriously, each with the first places."""
    settle(page)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (rule["id"], [node["html"][:160] for node in rule["nodes"]][:3])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


def sideways(page: Page) -> int:
    """Pixels that one would have to scroll sideways."""
    settle(page)
    wide = page.evaluate(
        """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
                 .map((part) => part.scrollWidth - part.clientWidth)"""
    )
    return int(max(wide))
