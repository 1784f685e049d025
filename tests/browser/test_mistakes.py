"""The gallery of mistakes in a real Chromium: from the list to one, played, read, and on to Explore."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import LONG, serious, sideways

GALLERY, HOTEL, TENSOR = "mistakes", "mistakes?mistake=evict-keeps-entry", "mistakes?mistake=stacked"
THERE = {GALLERY: ".st-key-mistake_cards_l22 button", HOTEL: ".kvh .room", TENSOR: ".kvr-sides"}


def open_at(page: Page, server: str, path: str = GALLERY, lang: str = "") -> None:
    query = f"{'&' if '?' in path else '?'}lang={lang}" if lang else ""
    page.goto(f"{server}/{path}{query}")
    expect(page.locator(THERE[path]).first).to_be_visible(timeout=LONG)
    expect(page.locator(".kvm-checks, .st-key-mistake_cards_l22").first).to_be_visible(timeout=LONG)


def test_one_is_chosen_and_opens_where_the_two_part(page: Page, server: str):
    open_at(page, server)
    page.get_by_role("button", name="The call free walks the block table from the first block to the last.").click()
    expect(page.get_by_text("First difference, operation 4")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("step 17 of 23")).to_be_visible()
    assert "mistake=free-forwards" in page.url
    expect(page.locator(".kvh .hotel")).to_have_count(2)


def test_the_keyboard_chooses_one_and_plays_it(page: Page, server: str):
    open_at(page, server)
    page.get_by_role("button", name="A block is evicted although the free list is not empty.").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("step 10 of")).to_be_visible(timeout=LONG)
    page.evaluate("document.activeElement?.blur()")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("step 9 of")).to_be_visible()


def test_the_way_back_and_the_next_one(page: Page, server: str):
    open_at(page, server, HOTEL)
    page.get_by_role("button", name="Next", exact=True).click()
    title = page.get_by_role("heading", name="Eviction takes the block that was freed last.")
    expect(title).to_be_visible(timeout=LONG)
    page.go_back()
    expect(page.get_by_role("heading", name="Eviction leaves the map entry")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="All mistakes").click()
    expect(page.locator(THERE[GALLERY]).first).to_be_visible(timeout=LONG)


def test_the_answer_is_shown_only_when_asked_for(page: Page, server: str):
    open_at(page, server, HOTEL)
    code = page.get_by_text("self.block_hash[block] = None").first
    expect(code).not_to_be_visible()
    page.get_by_text("Show the mistake in the code of _evict()").click()
    expect(code).to_be_visible()


def test_both_sides_of_a_tensor_mistake_are_stepped(page: Page, server: str):
    open_at(page, server, TENSOR)
    expect(page.get_by_text("Here they part for the first time.")).to_be_visible()
    expect(page.locator(".kvr-side h4").first).to_have_text("The mistake")
    expect(page.get_by_role("radio").nth(4)).to_be_checked()  # after the two of the language
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.get_by_text("Here they part for the first time.")).to_have_count(0)


def test_it_leads_on_to_explore_with_the_mistake_playing(page: Page, server: str):
    open_at(page, server, HOTEL)
    page.get_by_role("link", name="Play that bug's story with this mistake").click()
    expect(page).to_have_url(re.compile("/explore.*story=stale-map-after-reuse"), timeout=LONG)
    expect(page.get_by_text("First difference, operation")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="About this mistake").click()
    expect(page).to_have_url(re.compile("/mistakes.*mistake=evict-keeps-entry"), timeout=LONG)


def test_a_copied_link_leads_to_explore(page: Page, server: str):
    open_at(page, server, HOTEL)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied:")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{server}/explore?story=evict-keeps-entry&by=evict-keeps-entry&lang=en&step=17")


def test_a_report_is_linked_and_not_fetched(page: Page, server: str):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_at(page, server, HOTEL)
    link = page.get_by_role("link", name="vllm-project/vllm#4761")
    assert link.get_attribute("href") == "https://github.com/vllm-project/vllm/issues/4761"
    assert link.get_attribute("rel") == "noopener noreferrer"
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []


@pytest.mark.parametrize("path", THERE)
def test_a_phone_shows_all_without_sideways_scroll(page: Page, server: str, path: str):
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, server, path)
    assert sideways(page) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("path", "lang"), [(GALLERY, "en"), (HOTEL, "zh"), (HOTEL, "en"), (TENSOR, "en")])
def test_axe_finds_nothing_serious(context: BrowserContext, server: str, scheme: str, path: str, lang: str):
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_at(page, server, path, lang)
    if path != GALLERY:
        page.locator("[class*=st-key-mistake_code] summary").click()
    assert serious(page) == []
