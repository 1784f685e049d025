"""The exported page in a browser, and what a person can read on it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from app.player.page import page as exported
from app.player.payload import payload
from grader.exercises.p06.stories import STORIES
from grader.replay.op import Story
from grader.replay.trace import Trace, run

BY_ID = {story.id: story for story in STORIES}
NEXT, BACK, NEXT_OP, BACK_OP = "ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowLeft"

#: Reads the visible text alone (innerText leaves out what is hidden); ``nth`` chooses the hotel where there are two.
_READ = """(nth) => {
    const hotel = document.querySelectorAll('.kvh .hotel')[nth];
    const side = document.querySelectorAll('.kvh .side')[nth];
    const lines = (node) => node.innerText.split('\\n').map((line) => line.trim()).filter(Boolean);
    return {
        rooms: [...hotel.querySelectorAll('.room')].map((room) => ({
            number: room.querySelector('b').innerText,
            state: room.querySelector('.state').innerText.replace(/\\s+/g, ' ').trim(),
            beds: [...room.querySelectorAll('.bed')].map((bed) => bed.innerText).join(' '),
            tag: room.querySelector('.tag')?.innerText ?? '',
            groups: [...room.querySelectorAll('.badge')].map((badge) => badge.innerText).join(' '),
        })),
        queues: Object.fromEntries([...hotel.querySelectorAll('.queue')].map((queue) => [queue.dataset.queue, lines(queue)])),
        groups: [...side.querySelectorAll('.group')].map((group) => lines(group).join(' | ')),
        cards: [...side.querySelectorAll('.card')].map((card) => lines(card).join(' ')),
        what: document.querySelector('.tells .what').innerText,
        laws: [...document.querySelectorAll('.law')].map((law) => law.innerText),
        results: [...document.querySelectorAll('.ops > li')].map((row) => row.querySelector('.gave')?.innerText ?? ''),
        step: document.querySelector('.step').innerText,
    };
}"""  # noqa: E501

_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class Hotel:
    """A page that plays one payload from a file."""

    page: Page
    folder: Path

    def open(self, story: Story | Trace | str, **more: Any) -> Hotel:
        chosen = BY_ID[story] if isinstance(story, str) else story
        trace = chosen if isinstance(chosen, Trace) else run(chosen)
        return self.show(payload(trace, **{"lang": "en", **more}))

    def show(self, data: dict[str, Any]) -> Hotel:
        file = self.folder / "page.html"
        file.write_text(exported(data), "utf-8")
        self.page.goto(file.as_uri())
        self.page.wait_for_selector(".kvh .room")
        return self

    def press(self, key: str, times: int = 1) -> Hotel:
        for _ in range(times):
            self.page.keyboard.press(key)
        return self.painted()

    def painted(self) -> Hotel:
        self.page.evaluate(_PAINTED)
        return self

    def read(self, nth: int = 0) -> dict[str, Any]:
        seen: dict[str, Any] = self.page.evaluate(_READ, nth)
        return seen

    @property
    def step(self) -> int:
        return int(self.read()["step"].split()[1])

    def room(self, block: int) -> Any:
        return self.page.locator(f'.kvh .hotel >> nth=0 >> .room[data-room="{block}"]')
