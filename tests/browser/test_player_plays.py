"""The worked examples, played to their ends in a browser and read off the screen."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import pytest

from app.player.payload import payload
from grader.exercises.p06.evening import busy_evening
from grader.replay.trace import run
from tests.browser.hotel_page import BACK, BACK_OP, BY_ID, NEXT, NEXT_OP, Hotel
from tests.browser.stories_in_words import BEDS, EXAMPLES, RESULTS, Moment


@pytest.fixture
def hotel(page: Any, tmp_path: Any) -> Hotel:
    return Hotel(page, tmp_path)


def told(seen: dict[str, Any]) -> Moment:
    """What is on the screen, in the form in which the examples are typed."""
    refs = [re.search(r"ref (\d+→)?(\d+)", room["state"]) for room in seen["rooms"]]
    tables, cached = {}, {}
    for group in seen["groups"]:
        name, rooms, *_, note = group.split(" | ")
        tables[name] = rooms.removeprefix("rooms").replace(" · ", " ").strip()
        if found := re.match(r"(\d+) tokens? from the cache", note):
            cached[name] = int(found[1])
    return Moment(
        " ".join(match[2] if match else "0" for match in refs),
        queue(seen["queues"]["free"], "next", "last"),
        queue(seen["queues"]["cart"], "evicted next", "newest"),
        " ".join(card.split("room ")[1] for card in seen["cards"]),
        {name: rooms for name, rooms in tables.items() if "door" not in rooms and "turned" not in rooms},
        cached,
    )


def queue(lines: list[str], first: str, last: str) -> str:
    """The rooms of a queue, whose two ends must be named."""
    assert lines[1] == first and lines[-1] == last, lines
    return " ".join(line for line in lines[2:-1] if line != "empty")


def states(moment: Moment) -> list[str]:
    """The word on each room, by the refs and queues alone."""
    cart = moment.cart.split()
    words = []
    for block, ref in enumerate(map(int, moment.refs.split())):
        idle = "on the cart" if str(block) in cart else "free"
        words.append(idle if ref == 0 else "in use" if ref == 1 else "shared")
    return words


def differences(hotel: Hotel, id: str) -> list[str]:
    """Plays an example op by op; every place at which the screen is not what is typed."""
    found = []
    for number, moment in enumerate(EXAMPLES[id]):
        if number:
            hotel.press(NEXT_OP)
        seen = hotel.read()
        if told(seen) != moment:
            found.append(f"{number}: {told(seen)} is not {moment}")
        words = [room["state"].partition(" · ")[0] for room in seen["rooms"]]
        if words != states(moment):
            found.append(f"{number}: {words}")
        for block, beds in BEDS[id].get(number, {}).items():
            if seen["rooms"][block]["beds"] != beds:
                found.append(f"{number}: room {block} has {seen['rooms'][block]['beds']}, not {beds}")
    gave = [result.removeprefix("→ ") for result in hotel.read()["results"]]
    return found if gave == RESULTS[id] else [*found, f"results: {gave}"]


@pytest.mark.parametrize("id", EXAMPLES)
def test_every_op_of_a_worked_example_looks_as_the_exercise_tells_it(hotel: Hotel, id: str) -> None:
    assert differences(hotel.open(id), id) == []


@pytest.mark.parametrize("id", EXAMPLES)
def test_event_by_event_comes_to_the_same_as_op_by_op(hotel: Hotel, id: str) -> None:
    hotel.open(id)
    total = int(hotel.read()["step"].split()[-1])
    for _ in range(total):
        hotel.press(NEXT)
    assert told(hotel.read()) == EXAMPLES[id][-1]


@pytest.mark.parametrize(
    "kind", ["take", "share", "revive", "unshare", "to_cart", "to_free", "fill register", "leave", "evict", "append"]
)
def test_a_player_that_drops_one_event_is_found_out(hotel: Hotel, kind: str) -> None:
    """So the tests above would see it."""
    id = "worked-4" if kind in ("evict", "append") else "worked-2"
    data = copy.deepcopy(payload(run(BY_ID[id]), lang="en"))
    record = data["traces"][0]
    number = record["kinds"].index(kind)
    rows = next(step[1] for step in record["steps"] if any(row[0] == number for row in step[1]))
    rows.remove(next(row for row in rows if row[0] == number))
    assert differences(hotel.show(data), id) != []


def test_going_back_and_scrubbing_show_the_same_as_going_forward(hotel: Hotel) -> None:
    hotel.open("worked-4")
    total = int(hotel.read()["step"].split()[-1])
    forward = [hotel.read()] + [hotel.press(NEXT).read() for _ in range(total)]
    for at in range(total - 1, -1, -1):
        assert hotel.press(BACK).read() == forward[at]
    order = list(range(total + 1))
    random.Random(4).shuffle(order)
    for at in order:
        hotel.page.locator('input[type="range"]').fill(str(at))
        assert hotel.painted().read() == forward[at]


def test_keyframes_lead_back_to_the_same_as_the_way_there(hotel: Hotel) -> None:
    hotel.open(busy_evening())
    total = int(hotel.read()["step"].split()[-1])
    scrub = hotel.page.locator('input[type="range"]')
    text = "document.querySelector('.panes').innerText + document.querySelector('.right').innerText"
    places = [total // 7 * part for part in range(8)]
    seen = {}
    for at in places:
        scrub.fill(str(at))
        hotel.painted()
        seen[at] = hotel.page.evaluate(text)
    for at in reversed(places):
        scrub.fill(str(at))
        hotel.painted()
        assert hotel.page.evaluate(text) == seen[at]
    assert len(set(seen.values())) == len(places)


def test_twenty_fast_clicks_lose_no_step(hotel: Hotel) -> None:
    hotel.open("worked-2")
    hotel.page.evaluate(
        "() => { const next = document.querySelector('[data-do=event]'); for (let i = 0; i < 20; i++) next.click(); }"
    )
    assert hotel.painted().step == 20
    for _ in range(20):
        hotel.page.mouse.click(*centre(hotel, '[data-do="back"]'))
    assert hotel.painted().step == 0


def centre(hotel: Hotel, selector: str) -> tuple[float, float]:
    box = hotel.page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_keys_do_all_that_the_buttons_do(hotel: Hotel) -> None:
    hotel.open("worked-2")
    assert hotel.press(NEXT, 3).step == 3
    assert hotel.press(BACK).step == 2
    assert hotel.press(NEXT_OP).step == 8
    assert hotel.press(NEXT_OP).step == 9
    assert hotel.press(BACK_OP).step == 8
    assert hotel.press(BACK_OP).step == 0
    assert told(hotel.press("End").read()) == EXAMPLES["worked-2"][-1]
    assert hotel.press("Home").step == 0
    hotel.press(" ")
    hotel.page.wait_for_function("document.querySelector('.step').innerText.startsWith('step 2 ')")
    stopped = hotel.press(" ").step
    hotel.page.wait_for_timeout(1100)
    assert hotel.step == stopped


def test_playing_comes_to_the_end_and_stops(hotel: Hotel) -> None:
    hotel.open("worked-3")
    hotel.page.locator("select").select_option("16")
    hotel.page.get_by_role("button", name="Play").click()
    hotel.page.wait_for_function("document.querySelector('[data-do=play]').title === 'Pause'")
    hotel.page.wait_for_function("document.querySelector('[data-do=play]').title === 'Play'")
    assert told(hotel.read()) == EXAMPLES["worked-3"][-1]


def test_the_jumps_find_hits_evictions_and_refusals(hotel: Hotel) -> None:
    hotel.open("worked-4")
    jump = {name: hotel.page.get_by_role("button", name=name, exact=True) for name in ("hit", "eviction", "refusal")}
    jump["hit"].click()
    assert "b takes it straight off the cart" in hotel.painted().read()["what"]
    jump["eviction"].click()
    assert hotel.painted().read()["what"].startswith("Room 1 was on the cart longest: z gets it")
    jump["refusal"].click()
    assert "There is none in this story." in hotel.page.locator(".said").inner_text()
    hotel.open("worked-3")
    hotel.page.get_by_role("button", name="refusal", exact=True).click()
    assert hotel.painted().read()["what"] == "b is refused: OutOfBlocks."


def test_each_event_says_what_happened_and_why(hotel: Hotel) -> None:
    """The moment of the design's picture: b moves into a shared room."""
    hotel.open("worked-2").press(NEXT_OP, 2).press(NEXT, 6)
    seen = hotel.read()
    assert seen["what"] == "Room 1 holds “3 4 after 1 2”: b moves in."
    assert seen["rooms"][1] == {"number": "1", "state": "shared · ref 1→2", "beds": "3 4", "groups": "a b"} | {
        "tag": seen["rooms"][1]["tag"]
    }
    assert seen["groups"][1] == "b | rooms 0 · 1 · ? | 1 | 2 | 3 | 4 | 6 | 4 tokens from the cache so far"
    assert [card.split(" ", 1)[1] for card in seen["cards"]] == ["1 2 → room 0", "… 3 4 → room 1"]
    assert hotel.page.locator(".why").inner_text().startswith("Why: ")
    assert hotel.page.locator(".events [aria-current]").inner_text() == "share room 1 · ref 1→2"
