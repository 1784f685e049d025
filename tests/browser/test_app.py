"""The whole app in a real Chromium: what is there at first, what it keeps, where links and charts lead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.axe import LONG, serious, sideways

SCREENS = {"explore": "Operations|操作", "paged-attention": "free_blocks"}


def open_at(page: Page, address: str, path: str = "explore") -> None:
    """Open a screen and wait until all of it is there."""
    page.goto(f"{address}/{path}")
    screen = path.partition("?")[0]
    expect(page.get_by_text(re.compile(SCREENS[screen])).first).to_be_visible(timeout=LONG)
    if screen == "explore":
        expect(page.locator(".js-plotly-plot")).to_have_count(2, timeout=LONG)


def step(page: Page) -> list[int]:
    """Where the player stands: [step, of so many]."""
    text = page.get_by_text(re.compile(r"step \d+ of \d+|第 \d+ 步")).first.inner_text()
    return [int(number) for number in re.findall(r"\d+", text)]


def test_the_first_picture_is_there_without_a_click(page: Page, server: str):
    page.goto(f"{server}/explore", wait_until="commit")
    expect(page.get_by_text("step 0 of")).to_be_visible(timeout=LONG)


def test_nothing_outside_this_machine_is_asked(page: Page, server: str):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_at(page, server)
    assert [url for url in asked if not url.startswith((server, "data:", "blob:"))] == []


def test_the_language_is_switched_and_kept(page: Page, server: str):
    open_at(page, server)
    page.get_by_role("radio", name="中文").or_(page.get_by_text("中文", exact=True)).first.click()
    expect(page.get_by_text("故事", exact=True).first).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    open_at(page, server)
    expect(page.get_by_text("故事", exact=True).first).to_be_visible()
    page.get_by_role("link", name="分页注意力").click()
    expect(page.get_by_text("prompt 的 token 数")).to_be_visible()


def test_the_tips_are_closed_for_good(page: Page, server: str):
    open_at(page, server)
    page.get_by_role("button", name="Got it").click()
    expect(page.get_by_text("A story is a list of calls")).to_have_count(0)
    page.wait_for_function("document.cookie.includes('kvhotel_tour=1')")
    open_at(page, server)
    expect(page.get_by_text("A story is a list of calls")).to_have_count(0)


def test_a_copied_link_opens_the_same_story_at_the_same_step(chromium: Browser, page: Page, server: str):
    open_at(page, server, "explore?story=worked-4&by=free-forwards")
    for _ in range(3):
        page.get_by_role("button", name="Next event").click()
    expect(page.get_by_text("step 3 of 46")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied:")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{server}/explore?story=worked-4&by=free-forwards")
    other = chromium.new_context(viewport={"width": 1280, "height": 900}).new_page()
    other.goto(link)
    expect(other.get_by_text("step 3 of 46")).to_be_visible(timeout=LONG)
    other.context.close()


def test_ones_own_story_travels_in_the_link(chromium: Browser, page: Page, server: str):
    open_at(page, server)
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Operations").fill("allocate anna [1..9]\nappend anna 4\nfree anna\n")
    page.get_by_role("button", name="Play this story").click()
    expect(page.get_by_role("button", name="append_slot anna 4")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied:")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = chromium.new_context(viewport={"width": 1280, "height": 900}).new_page()
    other.goto(link)
    expect(other.get_by_role("button", name="append_slot anna 4")).to_be_visible(timeout=LONG)
    other.context.close()


def test_a_link_from_before_explore_had_its_own_address_still_opens(page: Page, server: str):
    page.goto(f"{server}/?story=worked-4&by=free-forwards&step=5&lang=zh")
    expect(page.get_by_text("第 5 步 / 46")).to_be_visible(timeout=LONG)
    assert "/explore?" in page.url and "story=worked-4" in page.url


def test_a_mistyped_link_is_said(page: Page, server: str):
    open_at(page, server, "explore?s=1zzzz")
    expect(page.get_by_role("alert")).to_contain_text("The story in this link cannot be read")
    assert step(page)[0] == 0


@pytest.mark.parametrize("chart", ["occupancy", "map"])
def test_a_click_in_a_chart_moves_the_player(page: Page, server: str, chart: str):
    open_at(page, server)
    area = page.locator(f".st-key-card_{chart} .js-plotly-plot .nsewdrag").first
    seen = []
    for share in (0.5, 0.96, 0.3):
        area.scroll_into_view_if_needed()
        box, before = area.bounding_box(), step(page)[0]
        assert box is not None
        x, y = box["x"] + box["width"] * share, box["y"] + box["height"] * 0.4
        page.mouse.move(x - 3, y)
        page.mouse.move(x, y, steps=3)
        expect(page.locator(f".st-key-card_{chart} .hoverlayer text").first).to_be_visible()
        page.mouse.click(x, y)
        expect(page.get_by_text(f"step {before} of")).to_have_count(0, timeout=LONG)
        seen.append(step(page)[0])
        page.wait_for_timeout(600)
        line = page.locator(f".st-key-card_{chart} .kv-cursor").bounding_box()
        assert line is not None and abs(line["x"] - x) < box["width"] / 8
    assert seen[2] < seen[0] < seen[1]


def test_a_problem_in_the_editor_is_said_in_place(page: Page, server: str):
    open_at(page, server)
    page.get_by_role("button", name="Edit").click()
    page.get_by_role("textbox", name="Operations").fill("allocate a [1 2\n")
    page.get_by_role("button", name="Play this story").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 1, column 16")
    assert step(page) == [0, 37]


def test_an_uploaded_file_plays(page: Page, server: str, tmp_path: Path):
    from solutions.mistakes import source

    mine = tmp_path / "mine.py"
    mine.write_text(source("hit-limit-len"), "utf-8")
    open_at(page, server)
    page.get_by_label("Whose manager").click()
    page.get_by_role("option", name="Mine: an uploaded file").click()
    page.locator("input[type=file]").set_input_files(mine)
    expect(page.get_by_text("First difference, operation")).to_be_visible(timeout=LONG)
    other = tmp_path / "other.py"
    other.write_text("this is no Python", "utf-8")
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_role("alert").filter(has_text="is not valid Python")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("First difference, operation")).to_be_visible()


def test_the_exported_page_is_one_file(page: Page, server: str, tmp_path: Path):
    open_at(page, server)
    with page.expect_download() as download:
        page.get_by_role("button", name="Page", exact=True).click()
    path = tmp_path / "hotel.html"
    download.value.save_as(path)
    text = path.read_text("utf-8")
    assert text.lstrip().lower().startswith("<!doctype html")
    assert not re.search(r"<(link|script|img)[^>]* (src|href)=", text)


@pytest.mark.parametrize(
    "path",
    ["explore", "explore?story=busy-evening", "explore?by=free-forwards&lang=zh", "paged-attention",
     "paged-attention?lang=zh"],
)
def test_a_phone_shows_all_without_sideways_scroll(page: Page, server: str, path: str):
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, server, path)
    if path == "explore":
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_role("textbox", name="Operations")).to_be_visible()
    assert sideways(page) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["explore", "explore?by=free-forwards&lang=zh", "paged-attention"])
def test_axe_finds_nothing_serious(context: BrowserContext, server: str, scheme: str, path: str):
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_at(page, server, path)
    if path == "explore":
        page.get_by_role("button", name="Edit").click()
        page.get_by_role("textbox", name="Operations").fill("oops")
        page.get_by_role("button", name="Play this story").click()
        expect(page.get_by_role("alert")).to_be_visible()
    assert serious(page) == []
