"""What is the same for every screen: what axe finds in it, and whether it is wider than the window."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text("utf-8")
LONG = 60_000


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """The rules that are broken seriously, each with the first places. What is being drawn anew is pale: not yet."""
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=LONG)
    page.wait_for_timeout(700)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (rule["id"], [node["html"][:160] for node in rule["nodes"]][:3])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]


def sideways(page: Page) -> int:
    """Pixels that one would have to scroll sideways."""
    page.wait_for_timeout(500)
    wide = page.evaluate(
        """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
                 .map((part) => part.scrollWidth - part.clientWidth)"""
    )
    return int(max(wide))
