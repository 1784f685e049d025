"""Learn in a real browser: each question right and wrong, each hint, figures at their step, what a reload leaves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from app.learn.lessons import exercises, lesson_of
from app.learn.links import plain, start
from grader.lesson.data import Figure, Lesson, Question
from grader.lesson.data import Page as LessonPage
from tests.browser.axe import LONG, serious, sideways

LESSONS = {name: lesson_of(exercise) for name, exercise in exercises().items()}
SAID = {
    "en": {"wrong": "Not quite", "right": "Right", "show": "Show me", "compare": "Compare with the answer",
           "blank": "Show the answer without one of my own", "anyway": "Show it anyway", "step": "step {n} of",
           "hints": ["A hint", "A second hint", "The answer in words"], "hint": "Hint {n} of 3"},
    "zh": {"wrong": "不太对", "right": "对了", "show": "直接看答案", "compare": "对照答案",
           "blank": "不写了，直接看答案", "anyway": "现在就看", "step": "第 {n} 步",
           "hints": ["给个提示", "再给一个提示", "直接说答案"], "hint": "第 {n} 条提示，共 3 条"},
}  # fmt: skip


def open_at(page: Page, address: str, exercise: str, name: str, lang: str = "en") -> None:
    page.set_default_timeout(LONG)
    page.goto(f"{address}/learn?exercise={exercise}&page={name}&lang={lang}")
    title = next(one.title for one in LESSONS[exercise].pages if one.id == name).of(lang)
    expect(page.locator("h1.lesson-title")).to_have_text(title, timeout=LONG)
    settled(page)


def settled(page: Page) -> None:
    """Wait until nothing runs any more."""
    page.wait_for_timeout(300)
    app = page.locator('[data-testid="stApp"]')
    expect(app).to_have_attribute("data-test-script-state", "notRunning", timeout=LONG)


def figure_at(place: Locator, figure: Figure, lesson: Lesson, lang: str) -> None:
    """The player stands where the lesson says."""
    op = figure.number("op", 0)
    if "by" in figure.args:  # a mistake's op may have more events
        expect(place.locator("[data-part=ops] > li").nth(op - 1)).to_have_class(re.compile("now"), timeout=LONG)
        return
    step = start(lesson.stories[figure.args["story"]], op)
    shown = SAID[lang]["step"].format(n=step)
    expect(place.locator("[data-part=step]")).to_contain_text(shown, timeout=LONG)


def guess(page: Page, question: Question, lesson: Lesson, lang: str) -> None:
    """Every choice once, the wrong ones first: each explained at once, and the rest not before the right one."""
    said, place = SAID[lang], page.locator(f".st-key-question_{question.id}")
    place.scroll_into_view_if_needed()
    expect(place.locator(".lesson-mark")).to_have_count(0, timeout=LONG)
    for choice in sorted(question.choices, key=lambda one: one.right):
        index = question.choices.index(choice)
        place.locator("[role=radiogroup] label").nth(index).click()
        mark = place.locator(".lesson-mark[role=status]")
        expect(mark).to_contain_text(said["right" if choice.right else "wrong"], timeout=LONG)
        if choice.why.en:
            verdict = place.locator(f'[class*="st-key-verdict_{"right" if choice.right else "wrong"}"]')
            expect(verdict).to_contain_text(words_of(choice.why.of(lang)), timeout=LONG)
        opened = 1 if choice.right else 0
        expect(place.locator('[class*="st-key-answer_"]')).to_have_count(opened, timeout=LONG)
        if not choice.right:
            expect(place.get_by_role("button", name=said["show"])).to_be_visible(timeout=LONG)
            expect(place.locator('[class*="st-key-player_"]')).to_have_count(0, timeout=LONG)
    if question.figure is not None and question.figure.name == "player":
        figure_at(place.locator('[class*="st-key-player_"]'), question.figure, lesson, lang)
    shown = words_of(question.answer.of(lang))
    expect(place.locator(f".st-key-answer_{question.id}")).to_contain_text(shown, timeout=LONG)


def write(page: Page, question: Question, lang: str) -> None:
    """An own answer, then the one to compare."""
    said, place = SAID[lang], page.locator(f".st-key-question_{question.id}")
    place.scroll_into_view_if_needed()
    expect(place.get_by_role("button", name=said["blank"])).to_be_visible(timeout=LONG)
    place.locator("textarea").fill("<b>mine</b> **and** [no](link)")
    place.get_by_role("button", name=said["compare"]).click(timeout=LONG)
    shown = words_of(question.answer.of(lang))
    expect(place.locator(f".st-key-answer_{question.id}")).to_contain_text(shown, timeout=LONG)
    assert place.locator("b").count() == 0


def words_of(text: str) -> str:
    """The longest run of plain words in a Markdown text."""
    return max(re.split(r"[()\n`*_]|\s{2,}", plain(text)), key=len).strip()


WALKS = [
    ("p06", "en"), ("l22", "zh"),
    pytest.param("p06", "zh", marks=pytest.mark.full), pytest.param("l22", "en", marks=pytest.mark.full),
]  # fmt: skip


@pytest.mark.parametrize(("exercise", "lang"), WALKS)
def test_a_lesson_from_its_first_page_to_its_last(page: Page, server: str, exercise: str, lang: str):
    lesson = LESSONS[exercise]
    open_at(page, server, exercise, lesson.pages[0].id, lang)
    for place, one in enumerate(lesson.pages):
        expect(page.locator("h1.lesson-title")).to_have_text(one.title.of(lang), timeout=LONG)
        walk(page, one, lesson, lang)
        if place + 1 < len(lesson.pages):
            page.locator(".st-key-lesson_on button").click()
    shown = page.locator(".lesson-progress").inner_text()
    assert re.findall(r"\d+", shown)[:2] == [str(len(lesson.questions))] * 2
    assert all(text.startswith("✓") for text in page.locator(".st-key-lesson_pages button").all_inner_texts())


def walk(page: Page, one: LessonPage, lesson: Lesson, lang: str) -> None:
    settled(page)
    anyway = page.get_by_role("button", name=SAID[lang]["anyway"])
    if anyway.count():
        anyway.click()
        settled(page)
    figures = one.figures(lang)
    players = [figure for figure in figures if figure.name == "player"]
    shown = page.locator('[class*="st-key-player_"]')
    expect(shown).to_have_count(len(players), timeout=LONG)
    for place, figure in enumerate(players):
        figure_at(shown.nth(place), figure, lesson, lang)
    expect(page.locator('[class*="st-key-chart_"] .js-plotly-plot')).to_have_count(
        sum(figure.name == "chart" for figure in figures), timeout=LONG
    )
    for figure in figures:
        if figure.name == "question":
            question = lesson.questions[figure.value]
            if question.kind == "open":
                write(page, question, lang)
            else:
                guess(page, question, lesson, lang)


def test_what_was_answered_is_there_after_a_reload(page: Page, server: str):
    open_at(page, server, "p06", "idea")
    page.locator(".st-key-question_next-slot label", has_text="12").click()
    expect(page.locator(".lesson-progress")).to_contain_text("1 of 18 questions answered", timeout=LONG)
    open_at(page, server, "p06", "write")
    page.locator(".st-key-question_the-helper textarea").press_sequentially("takes a block, or raises")
    # a pause in typing is enough
    expect(page.locator(".lesson-progress")).to_contain_text("2 of 18 questions answered", timeout=LONG)
    page.get_by_role("button", name="Compare with the answer").click()
    expect(page.locator(".st-key-answer_the-helper")).to_be_visible(timeout=LONG)
    page.reload()
    expect(page.locator(".st-key-answer_the-helper")).to_be_visible(timeout=LONG)
    expect(page.locator(".st-key-question_the-helper textarea")).to_have_value("takes a block, or raises", timeout=LONG)
    page.goto(f"{server}/learn")
    expect(page.locator("h1.lesson-title")).to_have_text("Now write it", timeout=LONG)
    page.locator(".st-key-to_idea button").click()
    expect(page.locator(".st-key-question_next-slot label", has_text="12").locator("input")).to_be_checked(timeout=LONG)
    expect(page.locator('[class*="st-key-verdict_wrong"]')).to_contain_text("Not quite", timeout=LONG)


@pytest.mark.parametrize("keys", ["Control+Enter", "Meta+Enter"])
def test_ctrl_and_enter_in_an_answer_press_the_button_below_it(page: Page, server: str, keys: str):
    open_at(page, server, "p06", "names")
    area, answer = page.locator(".st-key-question_all-cached textarea"), page.locator(".st-key-answer_all-cached")
    area.press(keys)  # nothing is written: nothing to compare
    page.wait_for_timeout(800)
    expect(answer).to_have_count(0)
    area.press_sequentially("one, or nothing is left to run")
    area.press(keys)
    expect(answer).to_be_visible(timeout=LONG)
    page.reload()  # at once, while the page still runs: the address must name it all the time
    expect(page.locator("h1.lesson-title")).to_have_text("Names and hits", timeout=LONG)
    expect(answer).to_be_visible(timeout=LONG)
    expect(area).to_have_value("one, or nothing is left to run", timeout=LONG)
    expect(page.locator(".st-key-answer_blocks-of-ten")).to_have_count(0)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_level_of_a_hint_opens_when_asked_for_and_stays(page: Page, server: str, lang: str):
    said = SAID[lang]
    open_at(page, server, "p06", "write", lang)
    for level, name in enumerate(said["hints"], start=1):
        for later in range(level, 4):
            expect(page.get_by_text(said["hint"].format(n=later))).to_have_count(0, timeout=LONG)
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_text(said["hint"].format(n=level))).to_be_visible(timeout=LONG)
    page.reload()
    for level in (1, 2, 3):
        expect(page.get_by_text(said["hint"].format(n=level))).to_be_visible(timeout=LONG)


def test_a_claim_moves_the_player_on_its_page_or_opens_the_hotel(context: BrowserContext, page: Page, server: str):
    open_at(page, server, "p06", "idea")
    step = page.locator("[data-part=step]").first
    expect(step).to_contain_text("step 16 of", timeout=LONG)
    page.locator("[data-do=first]").first.click()
    expect(step).to_contain_text("step 0 of", timeout=LONG)
    page.locator('.st-key-lesson_page a[href$="#lesson-two-chats/6"]').first.click()
    expect(step).to_contain_text("step 16 of", timeout=LONG)
    assert len(context.pages) == 1
    open_at(page, server, "p06", "examples")
    for figure in page.locator('[class*="st-key-player_worked-1"]').all():
        figure.evaluate("node => node.remove()")  # then there is no player of that story on the page
    with context.expect_page() as opened:
        page.locator('.st-key-lesson_page a[href$="#worked-1/9"]').first.click()
    there = opened.value
    there.set_default_timeout(LONG)
    assert "/explore?story=worked-1" in there.url
    at = start(LESSONS["p06"].stories["worked-1"], 9)
    expect(there.locator("[data-part=step]")).to_contain_text(f"step {at} of", timeout=LONG)


def test_links_within_the_app_stay_in_the_tab(context: BrowserContext, page: Page, server: str):
    open_at(page, server, "p06", "write")
    page.locator(".st-key-lesson_page a", has_text="how many of them may be hits").click()
    expect(page.locator("h1.lesson-title")).to_have_text("Names and hits", timeout=LONG)
    expect(page.locator(".st-key-question_all-cached")).to_be_in_viewport(timeout=LONG)
    page.go_back()
    expect(page.locator("h1.lesson-title")).to_have_text("Now write it", timeout=LONG)
    page.locator(".st-key-lesson_page a", has_text="Submit").first.click()
    expect(page).to_have_url(re.compile("/submit"), timeout=LONG)
    assert len(context.pages) == 1


def test_a_key_pressed_on_the_page_scrolls_it_and_moves_no_player(page: Page, server: str):
    open_at(page, server, "p06", "idea")
    step = page.locator("[data-part=step]").first
    expect(step).to_contain_text("step 16 of", timeout=LONG)
    page.locator("h1.lesson-title").click()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    page.wait_for_timeout(1200)
    expect(step).to_contain_text("step 16 of", timeout=LONG)
    page.locator("[data-do=event]").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(step).to_contain_text("step 15 of", timeout=LONG)


WRONG = """    def allocate_for_prefill(self, req):
        needed = req.seq_len // self.block_size
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))
"""
RIGHT = WRONG.replace("req.seq_len //", "-(-req.seq_len //").replace("self.block_size\n", "self.block_size)\n", 1)


def test_a_mission_is_run_alone_fails_is_mended_and_goes_on_to_submit(page: Page, server: str):
    open_at(page, server, "l22", "prefill")
    editor = page.locator(".st-key-task_l22_prefill textarea")
    for code, verdict in ((WRONG, "Failed"), (RIGHT, "Passed")):
        editor.fill(code)
        page.wait_for_timeout(1500)
        settled(page)
        page.get_by_role("button", name="Run this mission").click()
        result = page.locator(".st-key-result_task_l22_prefill")
        expect(result).to_contain_text(verdict, timeout=4 * LONG)
        expect(result).to_contain_text("prefill-rounds-up", timeout=LONG)
    expect(result).not_to_contain_text("decode-", timeout=LONG)
    page.locator(".st-key-card_task_l22_prefill").get_by_role("link").click()
    expect(page).to_have_url(re.compile("/submit"), timeout=LONG)
    kept = re.compile(re.escape("-(-req.seq_len // self.block_size)"))
    expect(page.locator("textarea").first).to_have_value(kept, timeout=LONG)


@pytest.mark.parametrize(("exercise", "name"), [("p06", "accounts"), ("p06", "examples"), ("l22", "gather")])
def test_a_phone_shows_all_without_sideways_scroll(chromium: Browser, server: str, exercise: str, name: str):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    open_at(page, server, exercise, name)
    expect(page.locator(".st-key-lesson_narrow")).to_be_visible(timeout=LONG)
    expect(page.locator(".st-key-lesson_pages")).to_be_hidden(timeout=LONG)
    assert sideways(page) <= 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("exercise", "name"), [("p06", "idea"), ("p06", "write"), ("l22", "prefill")])
def test_axe_finds_nothing_serious(context: BrowserContext, server: str, scheme: str, exercise: str, name: str):
    page = context.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_at(page, server, exercise, name)
    for label in page.locator(".st-key-lesson_page [role=radiogroup]").all():
        label.locator("label").first.click()
        settled(page)
    assert serious(page) == []
