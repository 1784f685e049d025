"""What a person does on the Submit screen: hand a text in and wait for its verdict."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import LONG, settle

VERDICT = 120_000

#: Both languages: the pictures are taken in each.
GRADE, CANCEL, REPLAY = re.compile("Grade|评测"), re.compile("Cancel|取消"), re.compile("Replay|在酒店里回放")
STORED = re.compile("The same file was graded before|同样的文件评测过")


def editor(page: Page) -> Locator:
    return page.locator(".st-key-card_file textarea")


def result(page: Page) -> Locator:
    return page.locator(".st-key-card_result")


def grade_button(page: Page) -> Locator:
    return page.get_by_role("button", name=GRADE).first


def hand_in(page: Page, text: str) -> None:
    editor(page).fill(text)
    grade_button(page).click()


def graded(*texts: str, then: Callable[[Page], None] | None = None) -> Callable[[Page], None]:
    """Hand these in, one after the other, each when the one before is graded."""

    def act(page: Page) -> None:
        expect(grade_button(page)).to_be_enabled(timeout=LONG)
        for text in texts:
            hand_in(page, text)
            begun = result(page).get_by_role("button", name=CANCEL).or_(result(page).get_by_text(STORED))
            expect(begun).to_be_visible(timeout=LONG)
            expect(result(page).locator(".kvr-passed, .kvr-failed")).to_be_visible(timeout=VERDICT)
        settle(page)
        if then is not None:
            then(page)

    return act


def replayed(page: Page) -> None:
    """A hint of the first failure, and its replay."""
    page.get_by_role("button", name=re.compile("hint|提示")).first.click()
    settle(page)
    page.get_by_role("button", name=REPLAY).first.click()
    expect(page.locator(".kvh .hotel, .kvr-sides").first).to_be_visible(timeout=VERDICT)
    settle(page)


def compared(page: Page) -> None:
    """To History, the two newest side by side."""
    page.locator(".st-key-submit_head a").first.click()
    boxes = page.locator(".st-key-card_past [data-testid=stCheckbox]")
    for nth in (0, 1):
        boxes.nth(nth).click(timeout=LONG)
        settle(page)
