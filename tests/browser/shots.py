"""Pictures of every screen, to be looked at: ``python -m tests.browser.shots FOLDER [NAME…]``.

Each in English and Chinese, light and dark, 1280 and 390 wide. The app is started for it and ended again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from grader.exercise import discover
from solutions.mistakes import reference_source, source
from tests.browser.axe import settle
from tests.browser.graded import compared, graded, hand_in, replayed, result
from tests.browser.running import FLAGS, chromium_path, serving

Act = Callable[[Page], None]
WIDTHS = {1280: 860, 390: 844}
TALLEST = 6_000


def steps(key: str, times: int) -> Act:
    def act(page: Page) -> None:
        page.locator(".kvh").wait_for()
        page.evaluate("document.activeElement?.blur()")
        for _ in range(times):
            page.keyboard.press(key)
            page.wait_for_timeout(30)

    return act


def guessing(page: Page) -> None:
    steps("Shift+ArrowRight", 2)(page)
    more = page.locator("[data-do=more]")
    if more.is_visible():
        more.click()
    page.locator("[data-part=guess]").check()
    page.locator("[data-do=event]").click()
    for block in (0, 1, 4):
        page.locator(f'.room[data-room="{block}"] .door').click(position={"x": 10, "y": 8})
    page.locator(".asks [name=cached]").nth(1).check()
    page.locator(".asks [name=fate]").first.check()
    page.locator("[data-do=check]").click()


def following(page: Page) -> None:
    steps("ArrowRight", 22)(page)
    page.locator('.room[data-room="1"] .door').click(position={"x": 10, "y": 8})


def opened(*places: str) -> Act:
    """Each of these clicked, one after the other."""

    def act(page: Page) -> None:
        for place in places:
            page.locator(place).first.click(timeout=60_000)
            settle(page)

    return act


SKELETON = discover()["p06"].skeleton.read_text("utf-8")
SLOW = reference_source("p06") + (
    "\n\nclass BlockManager(BlockManager):\n    def free(self, seq_id):\n"
    "        import time; time.sleep(0.02); super().free(seq_id)\n"
)


def running(page: Page) -> None:
    """In the middle of a run that takes its time."""
    hand_in(page, SLOW)
    result(page).locator(".kvr-group").first.wait_for(timeout=60_000)


#: name -> query, what to do there, whether the whole page is wanted
SHOTS: dict[str, tuple[str, Act, bool]] = {
    "explore": ("/explore?story=worked-2", steps("ArrowRight", 14), False),
    "whole": ("/explore?story=worked-4", steps("ArrowRight", 30), True),
    "evening": ("/explore?story=busy-evening", steps("Shift+ArrowRight", 90), False),
    "guess": ("/explore?story=worked-2", guessing, False),
    "follow": ("/explore?story=worked-4", following, False),
    "home": ("/", settle, True),
    "mistakes": ("/mistakes", settle, True),
    "one-mistake": ("/mistakes?mistake=evict-keeps-entry", opened("[class*=st-key-mistake_code] summary"), True),
    "tensor-mistake": ("/mistakes?mistake=stacked", opened("[class*=st-key-mistake_code] summary"), True),
    "submit": ("/submit?exercise=p06", settle, True),
    "running": ("/submit?exercise=p06", running, True),
    "skeleton": ("/submit?exercise=p06", graded(SKELETON), True),
    "failed": ("/submit?exercise=p06", graded(source("free-forwards"), then=replayed), True),
    "passed": ("/submit?exercise=p06", graded(reference_source("p06")), True),
    "tensor-failed": ("/submit?exercise=l22", graded(source("sorted-table"), then=replayed), True),
    "history": ("/history", settle, True),
    "compared": ("/submit?exercise=p06", graded(source("hit-limit-len"), reference_source("p06"), then=compared), True),
    "mistake": ("/explore?story=evict-keeps-entry&by=evict-keeps-entry", steps("Shift+ArrowRight", 5), False),
    "paged": ("/paged-attention", settle, True),
    "learn": ("/learn?exercise=p06&page=idea", opened(".st-key-question_next-slot [role=radiogroup] label"), True),
    "learn-write": ("/learn?exercise=p06&page=write", opened("[class*=st-key-write_] button"), True),
    "learn-mission": ("/learn?exercise=l22&page=prefill", settle, True),
}


def main(folder: Path, names: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with serving(folder / "app.log") as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for name, lang, scheme, width in product(names or SHOTS, ("en", "zh"), ("light", "dark"), WIDTHS):
            query, act, whole = SHOTS[name]
            touch = width < 500
            context = browser.new_context(
                viewport={"width": width, "height": WIDTHS[width]}, has_touch=touch, is_mobile=touch,
                color_scheme="dark" if scheme == "dark" else "light",
            )  # fmt: skip
            page = context.new_page()
            page.goto(f"{address}{query}{'&' if '?' in query else '?'}lang={lang}")
            act(page)
            page.wait_for_timeout(900)
            if whole:  # the page scrolls inside: the window is made as high as it is
                high = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
                page.set_viewport_size({"width": width, "height": min(int(high) + 8, TALLEST)})
                page.wait_for_timeout(500)
            page.screenshot(path=folder / f"{name}-{lang}-{scheme}-{width}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
