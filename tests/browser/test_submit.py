"""Submit and History in a real Chromium, graded by real judges: from the skeleton to a pass, and what goes wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from grader.checklist import checklist
from grader.exercise import discover
from grader.sandbox import launcher
from solutions.mistakes import reference_source, source
from tests.browser.axe import LONG, serious, sideways
from tests.browser.graded import VERDICT, editor, grade_button, hand_in, result

pytestmark = pytest.mark.skipif(launcher.pick("auto") == "process", reason="no sandbox here: install bubblewrap")

CHECKS = checklist(discover()["p06"])
DECIDING = sum(check.group == "acceptance" for check in CHECKS)
REFERENCE = reference_source("p06")
SKELETON = discover()["p06"].skeleton.read_text("utf-8")
SLOW = REFERENCE + "\nimport time\ntime.sleep(3)\n"

#: Whatever a submission can write: in its own text, what it raises, what it prints, what it returns.
HOSTILE = REFERENCE + r'''
_BAD = "<img src=x onerror='window.owned=1'><script>window.owned=1</script>\x1b[31m\u202e**bold** [x](javascript:alert(1)) " + "A" * 1_000_000

class BlockManager(BlockManager):
    def slot(self, seq_id, pos):
        print(_BAD)
        raise type("<b>Owned</b>", (Exception,), {})(_BAD)

    def num_cached_tokens(self, seq_id):
        return _BAD
'''  # noqa: E501


def screen(page: Page, server: str, query: str = "exercise=p06") -> None:
    page.goto(f"{server}/submit?{query}")
    expect(grade_button(page)).to_be_enabled(timeout=LONG)
    expect(editor(page)).to_have_attribute("spellcheck", "false", timeout=LONG)  # its keys are an editor's from now on


def verdict(page: Page, word: str) -> None:
    expect(result(page).get_by_role("heading", name=word, exact=True)).to_be_visible(timeout=VERDICT)


def graded(page: Page, server: str, text: str, word: str) -> None:
    screen(page, server)
    hand_in(page, text)
    verdict(page, word)


@pytest.fixture(scope="module")
def mistaken(chromium: Browser, server: str):
    """A browser in which a classic mistake has been graded."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    graded(context.new_page(), server, source("free-forwards"), "Failed")
    yield context
    context.close()


def test_the_skeleton_fails_kindly_and_the_solution_passes(page: Page, server: str):
    screen(page, server)
    assert editor(page).input_value() == SKELETON
    grade_button(page).click()
    verdict(page, "Failed")
    expect(page.get_by_text(f"{DECIDING} checks wait for what is not written yet").first).to_be_visible()
    expect(page.get_by_text("next: TODO 2")).to_be_visible()
    hand_in(page, REFERENCE)
    verdict(page, "Passed")
    expect(result(page).get_by_text(f"{DECIDING} of {DECIDING} checks")).to_be_visible()
    expect(page.get_by_text("What does not hold, and why")).to_have_count(0)


def test_a_mistake_is_named_hinted_at_and_replayed_at_the_first_difference(mistaken: BrowserContext, server: str):
    page = mistaken.new_page()
    screen(page, server)
    verdict(page, "Failed")
    card = page.locator("[class*=st-key-card_run_p06_]").first
    expect(card.get_by_text("free walks the block table from the first block to the last")).to_be_visible()
    for ask, level in (("A hint", 1), ("A second hint", 2), ("The answer in words", 3)):
        expect(card.get_by_text(f"Hint {level} of 3")).to_have_count(0)
        card.get_by_role("button", name=ask).click()
        expect(card.get_by_text(f"Hint {level} of 3")).to_be_visible(timeout=LONG)
    card.get_by_role("button", name="Replay in the hotel").click()
    expect(card.get_by_text("First difference, operation")).to_be_visible(timeout=VERDICT)
    expect(card.locator(".ops > li.now, .ops > li[aria-current]").first).to_contain_text("free a")
    expect(card.locator(".kvh .hotel")).to_have_count(2)
    page.reload()
    expect(page.get_by_text("Hint 3 of 3").first).to_be_visible(timeout=LONG)
    page.close()


def test_the_gallery_opens_at_the_mistake(mistaken: BrowserContext, server: str):
    page = mistaken.new_page()
    screen(page, server)
    page.get_by_role("link", name="This mistake in the gallery").first.click()
    expect(page).to_have_url(re.compile("mistakes.*free-forwards"), timeout=LONG)
    page.close()


def test_the_report_is_taken_along(mistaken: BrowserContext, server: str, tmp_path: Path):
    page = mistaken.new_page()
    screen(page, server)
    verdict(page, "Failed")
    with page.expect_download() as download:
        page.get_by_role("button", name="Report as JSON").click()
    download.value.save_as(tmp_path / "report.json")
    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert (report["schema"], report["exercise"], report["verdict"]) == (1, "p06", "failed")
    assert report["sandbox"] in ("bubblewrap", "docker") and len(report["checks"]) == len(CHECKS)
    with page.expect_download() as download:
        page.get_by_role("button", name="Page to print").click()
    download.value.save_as(tmp_path / "report.html")
    printed = (tmp_path / "report.html").read_text("utf-8")
    assert "<script" not in printed and "free-forwards" in printed
    page.goto((tmp_path / "report.html").as_uri())
    expect(page.get_by_role("heading", name="Failed", exact=True)).to_be_visible()
    page.close()


def test_what_a_submission_writes_does_nothing(page: Page, server: str):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    graded(page, server, HOSTILE, "Failed")
    expect(page.get_by_text("What does not hold, and why")).to_be_visible()
    page.get_by_role("button", name="Replay in the hotel").first.click()
    expect(page.locator(".kvh, .kv-error").first).to_be_visible(timeout=VERDICT)
    assert page.evaluate("window.owned") is None
    assert dialogs == []
    shown = page.locator("[data-testid=stMain]")
    assert shown.locator("img, script, a[href^='javascript']").count() == 0
    text = shown.inner_text()
    assert "<img src=x onerror=" in text and "\x1b" not in text and "\u202e" not in text
    assert sideways(page) <= 0


def test_a_reload_in_the_middle_finds_the_run(page: Page, server: str):
    screen(page, server)
    hand_in(page, SLOW)
    expect(result(page).get_by_role("button", name="Cancel")).to_be_visible(timeout=LONG)
    page.reload()
    expect(grade_button(page)).to_be_visible(timeout=LONG)
    assert editor(page).input_value() == SLOW
    verdict(page, "Passed")


def test_a_lost_connection_does_not_end_the_run(page: Page, server: str):
    screen(page, server)
    hand_in(page, SLOW + "# another\n")
    expect(result(page).get_by_role("button", name="Cancel")).to_be_visible(timeout=LONG)
    page.context.set_offline(True)
    page.wait_for_timeout(2_000)
    page.context.set_offline(False)
    page.reload()
    verdict(page, "Passed")


def test_another_tab_shows_the_same_run(page: Page, server: str):
    screen(page, server)
    hand_in(page, SLOW + "# in two tabs\n")
    other = page.context.new_page()
    screen(other, server)
    verdict(page, "Passed")
    verdict(other, "Passed")


def test_a_run_is_cancelled(page: Page, server: str):
    screen(page, server)
    hand_in(page, REFERENCE + "\nimport time\ntime.sleep(4.5)\n")
    result(page).get_by_role("button", name="Cancel").click(timeout=LONG)
    expect(result(page).get_by_text("you cancelled it")).to_be_visible(timeout=LONG)


def test_the_same_file_again_is_answered_at_once(mistaken: BrowserContext, server: str):
    page = mistaken.new_page()
    screen(page, server)
    verdict(page, "Failed")
    hand_in(page, source("free-forwards"))
    expect(result(page).get_by_text("this is its stored report")).to_be_visible(timeout=LONG)
    page.close()


def test_two_people_see_only_their_own(mistaken: BrowserContext, page: Page, server: str):
    theirs = mistaken.new_page()
    theirs.goto(f"{server}/history")
    theirs.get_by_role("button", name="Open").first.click(timeout=LONG)
    expect(theirs).to_have_url(re.compile("open="), timeout=LONG)
    page.goto(theirs.url)
    expect(page.get_by_text("There is no such submission here.")).to_be_visible(timeout=LONG)
    expect(page.get_by_text("Nothing here yet")).to_be_visible()
    screen(page, server)
    expect(page.get_by_text("Press Grade, and this is what happens")).to_be_visible()
    theirs.close()


def test_a_browser_that_comes_with_two_tabs_at_once_is_one_person(chromium: Browser, server: str):
    context = chromium.new_context()
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        page.goto(f"{server}/history", wait_until="commit")
    for page in pages:
        expect(page.get_by_text("Nothing here yet")).to_be_visible(timeout=LONG)
    held = [one for one in context.cookies() if one["name"] == "kvhotel_person"]
    assert len(held) == 1 and len(held[0]["value"]) == 43 and held[0]["sameSite"] == "Strict"
    screen(pages[0], server)
    hand_in(pages[0], "x = 1")
    verdict(pages[0], "Failed")
    pages[1].reload()
    expect(pages[1].get_by_role("button", name="Open")).to_have_count(1, timeout=LONG)
    assert held[0]["value"] not in pages[0].content()
    context.close()


def test_a_broken_cookie_is_replaced(context: BrowserContext, page: Page, server: str):
    context.add_cookies([{"name": "kvhotel_person", "value": "<script>", "url": server}])
    page.goto(f"{server}/history")
    expect(page.get_by_text("Nothing here yet")).to_be_visible(timeout=LONG)
    page.wait_for_function("!document.cookie.includes('script') && /kvhotel_person=[-\\w]{43}/.test(document.cookie)")


def test_without_cookies_it_says_how_long_the_history_lasts(context: BrowserContext, page: Page, server: str):
    page.add_init_script("Object.defineProperty(Document.prototype, 'cookie', {get: () => '', set: () => {}})")
    page.goto(f"{server}/history")
    expect(page.get_by_text("your history lasts as long as this tab")).to_be_visible(timeout=LONG)


def test_two_versions_are_compared_and_one_is_deleted(page: Page, server: str):
    graded(page, server, "x = 1\n", "Failed")
    hand_in(page, SKELETON)
    expect(page.get_by_text("next: TODO 2")).to_be_visible(timeout=VERDICT)
    page.get_by_role("link", name="All my submissions").click()
    boxes = page.locator(".st-key-card_past [data-testid=stCheckbox]")
    expect(boxes).to_have_count(2, timeout=LONG)
    boxes.nth(0).click()
    expect(page.get_by_text("Choose a second one")).to_be_visible(timeout=LONG)
    boxes.nth(1).click()
    expect(page.locator(".past-diff")).to_contain_text("-x = 1", timeout=LONG)
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_role("button", name="Delete it").click(timeout=LONG)
    expect(page.get_by_role("button", name="Open")).to_have_count(1, timeout=LONG)
    page.get_by_role("button", name="Edit").first.click()
    expect(editor(page)).to_have_value("x = 1\n", timeout=LONG)


def test_what_is_typed_is_there_after_a_reload_though_the_field_was_never_left(page: Page, server: str):
    screen(page, server)
    editor(page).fill("")
    editor(page).press_sequentially("class A:\ndef f(self):\nreturn 1")
    assert editor(page).input_value() == "class A:\n    def f(self):\n        return 1"
    page.wait_for_timeout(1_500)
    page.reload()
    expect(editor(page)).to_have_value("class A:\n    def f(self):\n        return 1", timeout=LONG)


def test_the_editor_by_keyboard(page: Page, server: str):
    screen(page, server)
    editor(page).fill("x = 1")
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    expect(editor(page)).to_have_value("    x = 1")
    page.keyboard.press("Shift+Tab")
    expect(editor(page)).to_have_value("x = 1")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(grade_button(page)).to_be_focused()
    page.keyboard.press("Enter")
    verdict(page, "Failed")


def test_every_line_has_its_number_and_the_skeleton_its_width(page: Page, server: str):
    screen(page, server)
    numbers = page.locator(".st-key-card_file .kv-lines pre")
    expect(numbers).to_have_text(re.compile(r"^1\n2\n3\n"))
    text, field = editor(page).input_value(), "document.querySelector('.st-key-card_file textarea')"
    assert numbers.inner_text().split("\n")[-1] == str(text.count("\n") + 1)
    assert page.evaluate(f"{field}.scrollWidth <= {field}.clientWidth")  # 120 columns, at 1280 pixels
    editor(page).fill("\n".join(f"x{n} = {n}" for n in range(1, 101)))
    expect(numbers).to_have_text(re.compile(r"\n99\n100$"))
    page.evaluate(f"{field}.scrollTop = 400")
    page.wait_for_timeout(200)
    moved = page.evaluate("new DOMMatrix(getComputedStyle(document.querySelector('.kv-lines pre')).transform).m42")
    assert moved == -page.evaluate(f"{field}.scrollTop") == -400


def test_a_language_is_switched_in_the_middle_of_a_line(page: Page, server: str):
    screen(page, server)
    editor(page).fill("# not finished")
    page.get_by_text("中文", exact=True).first.click()
    expect(page.get_by_role("button", name="评测").first).to_be_visible(timeout=LONG)
    expect(editor(page)).to_have_value("# not finished")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window(mistaken: BrowserContext, server: str, width: int):
    page = mistaken.new_page()
    page.set_viewport_size({"width": width, "height": 844})
    screen(page, server)
    expect(page.get_by_text("What does not hold, and why")).to_be_visible(timeout=LONG)
    assert sideways(page) <= 0
    page.goto(f"{server}/history")
    expect(page.get_by_role("button", name="Open").first).to_be_visible(timeout=LONG)
    assert sideways(page) <= 0
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_axe_finds_nothing_serious(mistaken: BrowserContext, page: Page, server: str, scheme: str, lang: str):
    seen = mistaken.new_page()
    for one, path, ready in (
        (page, f"submit?lang={lang}", ".submit-steps"),
        (page, f"history?lang={lang}", ".st-key-card_empty"),
        (seen, f"submit?lang={lang}", ".kvr-fail"),
        (seen, f"history?lang={lang}", ".past-row"),
    ):
        one.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        one.goto(f"{server}/{path}")
        expect(one.locator(ready).first).to_be_visible(timeout=LONG)
        assert serious(one) == [], path
    seen.close()
