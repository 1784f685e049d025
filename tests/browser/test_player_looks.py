"""What the player looks like and how it is handled: moving cards, two hotels, guesses, narrow screens, no network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from app.player.payload import payload
from grader.exercises.p06.evening import busy_evening
from grader.replay.op import p06_story
from grader.replay.record import from_json
from grader.replay.trace import run
from grader.replay.watch import from_replies
from tests.bench.traffic import traffic
from tests.browser.hotel_page import BACK, BY_ID, NEXT, NEXT_OP, Hotel
from tests.sampling import third
from tests.unit.replaying import P06, mistaken, play, story_of, watched


@pytest.fixture
def hotel(page: Any, tmp_path: Path) -> Hotel:
    return Hotel(page, tmp_path)


@pytest.fixture
def fresh(chromium: Browser, tmp_path: Path) -> Iterator[Any]:
    """Opens hotels in browsers with other settings: fresh(color_scheme="dark")."""
    contexts = []

    def make(**settings: Any) -> Hotel:
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **settings})
        contexts.append(context)
        return Hotel(context.new_page(), tmp_path)

    yield make
    for context in contexts:
        context.close()


def mistake(id: str) -> dict[str, Any]:
    """A mistake's hotel beside the contract's."""
    found = next(one for one in P06 if one.id == id)
    story = story_of(found)
    return payload(watched(mistaken(id), story), lang="en", who=found.what, reference=run(story))


# Moving cards.

#: Plays the next event and holds the guests in flight the moment they set out, however slow the machine is.
_MIDWAY = """async () => {
    const ghost = await new Promise((seen) => {
        new MutationObserver((_, watch) => {
            const guests = document.querySelector('.ghost.guests');
            if (!guests) return;
            watch.disconnect();
            for (const flight of guests.getAnimations()) flight.pause();
            seen(guests);
        }).observe(document.querySelector('.ghosts'), {childList: true, subtree: true});
        document.querySelector('[data-do=event]').click();
    });
    const [flight] = ghost.getAnimations();
    const places = [0, 0.5, 0.999].map((part) => {
        flight.currentTime = part * flight.effect.getTiming().duration;
        const {x, y, width, height} = ghost.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    });
    const middle = (node) => { const {x, y, width, height} = node.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
    const group = document.querySelectorAll('.group .badge')[1];
    const room = document.querySelector('.room[data-room="0"] .badge:last-of-type');
    return {places, from: middle(group), to: middle(room), text: ghost.innerText};
}"""  # noqa: E501


def test_a_group_that_moves_in_is_seen_midway_between_its_places(hotel: Hotel) -> None:
    hotel.open("worked-2").press(NEXT_OP, 2).press(NEXT, 4)
    seen = hotel.page.evaluate(_MIDWAY)
    (start, half, end), source, target = seen["places"], seen["from"], seen["to"]
    assert seen["text"] == "b"
    assert start == pytest.approx(source, abs=3) and end == pytest.approx(target, abs=3)
    for axis in (0, 1):
        low, high = sorted((source[axis], target[axis]))
        assert low + 5 < half[axis] < high - 5


def test_books_and_cards_move_too_and_are_gone_afterwards(hotel: Hotel) -> None:
    hotel.open("worked-4")
    kinds = set()
    total = int(hotel.read()["step"].split()[-1])
    for _ in range(total):
        hotel.press(NEXT)
        kinds |= set(hotel.page.evaluate("[...document.querySelectorAll('.ghost')].map((one) => one.classList[1])"))
    assert kinds == {"key", "book", "guests", "label", "torn"}
    hotel.page.wait_for_function("document.querySelectorAll('.ghost').length === 0")


def test_nothing_ever_moves_under_reduced_motion(fresh: Any) -> None:
    hotel = fresh(reduced_motion="reduce").open("worked-4")
    hotel.page.evaluate(
        """() => { window.moved = 0; new MutationObserver((seen) => { for (const one of seen) window.moved += one.addedNodes.length; })
        .observe(document.querySelector('.ghosts'), {childList: true}); }"""  # noqa: E501
    )
    total = int(hotel.read()["step"].split()[-1])
    for _ in range(total):
        hotel.press(NEXT)
    assert hotel.page.evaluate("window.moved") == 0
    assert hotel.page.evaluate("document.getAnimations().length") == 0


# Two hotels, and one that is seen from outside.


def test_two_hotels_are_scrubbed_together_and_the_first_difference_is_marked(hotel: Hotel) -> None:
    hotel.show(mistake("shared-returned"))
    assert hotel.page.locator(".hotel").count() == 2
    assert "First difference, operation" in hotel.page.locator(".difference").inner_text()
    hotel.page.get_by_role("button", name="difference", exact=True).click()
    mine, reference = hotel.painted().read(0), hotel.read(1)
    assert mine["rooms"] != reference["rooms"]
    assert hotel.page.locator(".room.differs").count() >= 2
    assert any("≠" in result for result in mine["results"])
    assert "By the contract it returns nothing." in hotel.page.locator(".problems").inner_text()
    hotel.press("Home")
    assert hotel.read(0)["rooms"] == hotel.read(1)["rooms"]
    assert hotel.page.locator(".room.differs").count() == 0


def test_a_broken_invariant_says_which_room(hotel: Hotel) -> None:
    hotel.show(mistake("evict-keeps-entry")).press("End")
    laws = {law[:2]: law for law in hotel.read()["laws"]}
    assert re.fullmatch(r"I3 ✗ room [\d ]+", laws["I3"]) and laws["I1"] == "I1 ✓"
    hotel.page.locator(".law", has_text="I3").click()
    assert "Every card leads to a room that carries its hash." in hotel.page.locator(".meaning").inner_text()
    assert "wrong pages" in " ".join(hotel.read()["cards"])


def test_a_manager_that_hides_its_inside_is_seen_from_outside_and_says_so(hotel: Hotel) -> None:
    story = BY_ID["worked-2"]
    results, views = play(mistaken("shared-returned"), story)
    for view in views:
        view["inside"] = None
    hotel.open(from_replies(story, results, views)).press(NEXT_OP, 3)
    assert "cannot be read" in hotel.page.locator(".outside").inner_text()
    seen = hotel.read()
    assert [room["groups"] for room in seen["rooms"]] == ["a b", "a b", "a", "b", "", "", "", ""]
    assert [room["beds"] for room in seen["rooms"]][:4] == ["1 2", "3 4", "5 ·", "6 ·"]
    assert seen["laws"][1:3] == ["I2 –", "I3 –"]
    assert not hotel.page.locator(".queues").is_visible()
    assert hotel.page.locator(".says").inner_text() == "num_free_blocks says 4"


# Guess first, and following.


def guess(hotel: Hotel, rooms: tuple[int, ...], cached: str, fate: str) -> str:
    for block in rooms:
        hotel.room(block).locator(".door").click(position={"x": 10, "y": 8})
    hotel.page.get_by_label(cached, exact=True).check()
    hotel.page.get_by_label(fate).check()
    hotel.page.get_by_role("button", name="Check").click()
    return str(hotel.page.locator(".verdict").inner_text())


def test_a_right_guess_counts_and_a_wrong_one_is_explained(hotel: Hotel) -> None:
    hotel.open("worked-2").page.get_by_role("switch").check()
    hotel.press(NEXT)
    assert hotel.step == 0, "the question comes before the op"
    assert "Right." in guess(hotel, (0, 1, 2), "0", "neither")
    hotel.page.get_by_role("button", name="Now watch").click()
    hotel.painted().press(NEXT_OP, 2)
    assert hotel.press(NEXT).step == 9
    verdict = guess(hotel, (0, 1, 4), "2", "neither")
    assert "Not quite." in verdict and "You said 0 · 1 · 4; it is 0 · 1 · 3." in verdict
    assert "take room 3 · free list" in verdict and "You said 2; it is 4." in verdict
    assert hotel.page.locator('[data-part="score"]').inner_text() == "1 of 2 right"
    hotel.page.reload()
    assert hotel.page.locator('[data-part="score"]').inner_text() == "1 of 2 right", "kept for the visit"


def test_a_guess_is_made_with_the_keyboard_alone(hotel: Hotel) -> None:
    hotel.open("worked-3")
    hotel.page.get_by_role("switch").focus()
    hotel.press(" ").press(NEXT)
    for block in (0, 1, 2):
        hotel.room(block).locator(".door").focus()
        hotel.press("Enter")
    assert "0 · 1 · 2" in hotel.page.locator(".picked").inner_text()
    hotel.page.get_by_label("0", exact=True).focus()
    hotel.press(" ")
    hotel.page.get_by_label("neither").focus()
    hotel.press(" ")
    hotel.page.get_by_role("button", name="Check").focus()
    hotel.press("Enter")
    assert "Right." in hotel.page.locator(".verdict").inner_text()
    hotel.press("Enter")  # the way on has the focus
    assert hotel.step == 1


def test_a_room_is_followed_through_time(hotel: Hotel) -> None:
    hotel.open("worked-4").press("End")
    hotel.room(1).locator(".door").click(position={"x": 10, "y": 8})
    life = hotel.page.locator(".life li").all_inner_texts()
    assert life[0] == "1 · take room 1 · free list" and any("evict room 1" in line for line in life)
    hotel.page.locator(".life button").first.click()
    assert hotel.painted().read()["what"] == "a gets room 1, the first of the free list."
    hotel.press("Escape")
    assert not hotel.page.locator(".detail").is_visible()


def test_a_token_tells_its_slot(hotel: Hotel) -> None:
    hotel.open("worked-1").press(NEXT_OP)
    hotel.page.locator(".group .token").nth(5).click()
    assert hotel.page.locator(".formula").inner_text() == "Token 5 of x: table[5 // 4] = 1, slot 1 × 4 + 1 = 5"
    assert hotel.room(1).locator(".bed.followed").inner_text() == "16"


def test_the_page_around_can_move_the_player_and_hears_of_it(hotel: Hotel) -> None:
    hotel.open("worked-2")
    hotel.page.evaluate("addEventListener('kvhotel:at', (event) => { window.heard = event.detail.op; })")
    hotel.page.evaluate("dispatchEvent(new CustomEvent('kvhotel:goto', {detail: {op: 2, room: 3}}))")
    assert hotel.painted().step == 16
    assert hotel.page.evaluate("window.heard") == 2
    assert hotel.page.locator(".detail h2").inner_text().lower() == "room 3 through time"


# Sizes, languages, hostile text, no network.


def big(blocks: int) -> dict[str, Any]:
    return payload(run(traffic(240, num_blocks=blocks)), lang="en")


@pytest.mark.parametrize(("blocks", "layout"), [(64, "compact"), (1024, "dense")])
def test_large_hotels_are_dense_and_still_tell_a_room(hotel: Hotel, blocks: int, layout: str) -> None:
    hotel.show(big(blocks)).press("End")
    assert hotel.page.locator(f".rooms.{layout} .room").count() == blocks
    hotel.page.get_by_label("Follow room").fill("7")
    hotel.press("Enter")
    assert hotel.page.locator(".detail h2").inner_text().lower() == "room 7 through time"
    assert re.match(
        r"(in use|shared|on the cart) · ref \d", hotel.page.locator('[data-part="detail-now"]').inner_text()
    )
    assert hotel.page.locator(".legend").inner_text().split()[0].isdigit()


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("what", third(["worked-2", "evening", "mistake", "dense"]))
def test_390_px_need_no_sideways_scroll(fresh: Any, what: str, lang: str) -> None:
    hotel = fresh(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    if what == "mistake":
        hotel.show({**mistake("shared-returned"), "lang": lang})
    elif what == "dense":
        hotel.open(traffic(120, num_blocks=1024), lang=lang)
    else:
        hotel.open(busy_evening() if what == "evening" else what, lang=lang)
    hotel.press(NEXT_OP, 4)
    assert hotel.page.evaluate("document.documentElement.scrollWidth") <= 390
    small = """() => [...document.querySelectorAll('.transport button, .tools button, .transport select')]
        .filter((one) => one.offsetParent && one.offsetHeight < 40).map((one) => one.outerHTML)"""
    assert hotel.page.evaluate(small) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("what", third(["cards", "compact", "dense", "two", "guess", "outside"]))
def test_axe_finds_nothing_serious(fresh: Any, what: str, scheme: str) -> None:
    hotel = fresh(color_scheme=scheme, reduced_motion="reduce")
    if what == "two":
        hotel.show(mistake("evict-keeps-entry")).press("End")
    elif what in ("compact", "dense"):
        hotel.show(big(64 if what == "compact" else 1024)).press("End")
    elif what == "outside":
        results, views = play(mistaken("revived-stays"), BY_ID["worked-2"])
        hotel.open(from_replies(BY_ID["worked-2"], results, [{**view, "inside": None} for view in views])).press("End")
    else:
        hotel.open("worked-4").press(NEXT_OP, 6).press(NEXT, 7)
        hotel.room(1).locator(".door").click(position={"x": 10, "y": 8})
    if what == "guess":
        hotel.page.get_by_role("switch").check()
        hotel.press(NEXT_OP).press(NEXT)
        hotel.page.get_by_role("button", name="Check").click()
    found = Axe().run(hotel.page).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in serious] == []


def test_texts_of_a_story_are_text_and_big_numbers_stay_whole(hotel: Hotel) -> None:
    nasty, wide = "<img src=x onerror=alert(1)>", 2**61 - 1
    rows = [
        ["allocate", nasty, [wide, wide - 1, 5]],
        ["allocate", "7", [1]],
        ["allocate", 7, [2]],
        ["allocate", "</script>", [1]],
    ]
    story = p06_story(8, 2, rows, title="<b>bold</b>", note="")
    hotel.open(story).press("End")
    assert hotel.page.locator("img, .title b").count() == 0
    seen = hotel.read()
    assert seen["rooms"][0]["beds"] == f"{wide} {wide - 1}"
    assert [group.split(" | ")[0] for group in seen["groups"]] == [f'"{nasty}"', '"7"', "7", "</script>"]


def test_the_exported_page_plays_with_the_network_off(fresh: Any) -> None:
    hotel = fresh()
    asked: list[str] = []
    hotel.page.on("request", lambda request: asked.append(request.url))
    hotel.page.context.set_offline(True)
    hotel.open("worked-2").press("End")
    assert hotel.step == 37
    assert [url for url in asked if not url.startswith("file:")] == []


def test_what_is_kept_is_the_trace_and_a_picture_of_this_step(hotel: Hotel) -> None:
    hotel.open("worked-2").press(NEXT_OP, 3)
    with hotel.page.expect_download() as kept:
        hotel.page.get_by_role("button", name="JSON").click()
    assert from_json(json.loads(kept.value.path().read_text("utf-8"))) == run(BY_ID["worked-2"])
    with hotel.page.expect_download() as drawn:
        hotel.page.get_by_role("button", name="Picture").click()
    svg = drawn.value.path().read_text("utf-8")
    assert svg.startswith("<svg") and "shared · ref 2" in svg and drawn.value.suggested_filename.endswith("-16.svg")


def test_chinese_has_no_english_sentence(hotel: Hotel) -> None:
    hotel.open("worked-4", lang="zh")
    total = int(hotel.page.locator('input[type="range"]').get_attribute("max") or 0)
    for _ in range(total):
        hotel.press(NEXT)
        text = hotel.page.locator(".kvh").inner_text()
        assert not re.search(r"\b(the|is|of|and|room|goes|gets)\b", text), text
    assert hotel.press(BACK).page.locator(".kvh").get_attribute("lang") == "zh"


def test_another_language_keeps_the_step(page: Any, server: str) -> None:
    page.goto(f"{server}/explore?story=worked-4")
    page.get_by_text("step 0 of 46").wait_for(timeout=30_000)
    page.locator(".kvh .rooms").click(position={"x": 2, "y": 2})
    for _ in range(5):
        page.keyboard.press(NEXT)
    page.get_by_text("step 5 of 46").wait_for()
    page.get_by_text("中文", exact=True).first.click()
    page.get_by_text("第 5 步 / 46").wait_for(timeout=30_000)
