"""Home in a real Chromium: the picture moves and can be stopped, every way leads somewhere, on a phone too."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import LONG, serious, sideways


def home(page: Page, server: str, query: str = "") -> None:
    page.goto(f"{server}/{query}")
    expect(page.locator(".kvf .room")).to_have_count(8, timeout=LONG)
    expect(page.locator(".kvo-chip")).to_have_count(2, timeout=LONG)


def moment(page: Page) -> int:
    """Which of the dots is the present one."""
    dots = page.locator(".kvf .dots button")
    return next(at for at in range(dots.count()) if dots.nth(at).get_attribute("aria-current") == "true")


def test_the_picture_moves_and_stands_still_when_told_so(page: Page, server: str):
    home(page, server)
    page.mouse.move(5, 880)
    first = moment(page)
    expect(page.locator(".kvf .dots button").nth(first)).not_to_have_attribute("aria-current", "true", timeout=LONG)
    page.get_by_role("button", name="Pause").click()
    stopped = moment(page)
    page.mouse.move(5, 880)
    page.wait_for_timeout(5_000)
    assert moment(page) == stopped
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".kvf .dots button").nth(stopped)).not_to_have_attribute("aria-current", "true")


def test_the_picture_stands_still_for_whoever_wants_it_so(context: BrowserContext, server: str):
    page = context.new_page()
    page.emulate_media(reduced_motion="reduce")
    home(page, server)
    expect(page.locator(".kvf .say")).to_contain_text("8 of 13 tokens are not computed again")
    page.wait_for_timeout(5_000)
    expect(page.locator(".kvf .say")).to_contain_text("8 of 13 tokens are not computed again")


def test_each_moment_can_be_chosen_by_keyboard(page: Page, server: str):
    home(page, server)
    page.locator(".kvf .dots button").nth(6).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".kvf .who")).to_have_text("Cleo")
    assert page.locator(".kvf .prompt .cached").count() == 8
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".kvf .who")).to_have_text("Dora")
    assert page.locator(".kvf .room.lit").count() == 8


@pytest.mark.parametrize(("way", "path"), [("Watch", "explore"), ("Build", "learn"), ("Submit", "submit")])
def test_a_way_in_leads_there_wherever_its_card_is_clicked(page: Page, server: str, way: str, path: str):
    home(page, server)
    card = page.locator(f".st-key-way_{path}")
    expect(card).to_contain_text(way)
    box = card.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 12, box["y"] + box["height"] - 8)
    expect(page).to_have_url(re.compile(f"/{path}"), timeout=LONG)


def test_an_exercises_lesson_is_opened_from_its_card(page: Page, server: str):
    home(page, server)
    page.locator(".st-key-card_exercise_l22").get_by_role("link", name="Start the lesson").click()
    expect(page).to_have_url(re.compile(r"/learn\?.*exercise=l22"), timeout=LONG)


def test_the_language_is_switched_in_place(page: Page, server: str):
    home(page, server)
    page.get_by_role("button", name="Pause").click()
    page.locator(".kvf .dots button").nth(2).click()
    page.get_by_text("中文", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("大模型服务怎样记住读过的内容", timeout=LONG)
    expect(page.locator(".kvf .say")).to_contain_text("13 个 token 中有 8 个不用再算")


def test_nothing_outside_this_machine_is_asked(page: Page, server: str):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    home(page, server)
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_on_a_phone_the_menu_leads_to_every_screen(page: Page, server: str, lang: str):
    page.set_viewport_size({"width": 390, "height": 844})
    home(page, server, f"?lang={lang}")
    assert sideways(page) <= 0
    page.get_by_test_id("stExpandSidebarButton").click()
    links = page.get_by_test_id("stSidebarNavLink")
    expect(links).to_have_count(7)
    for at in range(7):
        box = links.nth(at).bounding_box()
        assert box is not None and box["height"] >= 44
    links.last.click()
    expect(page).to_have_url(re.compile("/mistakes"), timeout=LONG)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_axe_finds_nothing_serious(context: BrowserContext, server: str, scheme: str, lang: str):
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
    home(page, server, f"?lang={lang}")
    assert serious(page) == []
    page.locator(".kvf .dots button").nth(5).click()
    assert serious(page) == []
