"""The app without a browser: what a person sees as text, and what they can press."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import desk as desks
from app.desk import Tolerant

MAIN = Path(__file__).resolve().parents[2] / "app" / "main.py"
#: There is no browser that could keep a secret: every visitor here is this one.
PERSON = "apptest".ljust(43, "-")


class Visitor:
    """One visit. ``app`` is Streamlit's own; the rest are short names for what these tests ask."""

    def __init__(self, screen: str = "explore", /, **query: str) -> None:
        self.app = AppTest.from_file(str(MAIN), default_timeout=60)
        self.app.session_state["person"] = PERSON
        for name, value in query.items():
            self.app.query_params[name] = value
        self.go(screen)

    def run(self) -> Visitor:
        self.app.run()
        assert [error.message for error in self.app.exception] == []
        return self

    def choose(self, key: str, value: Any) -> Visitor:
        self.app.selectbox(key).set_value(value)
        return self.run()

    def press(self, key: str) -> Visitor:
        self.app.button(key).click()
        return self.run()

    def write(self, text: str, key: str = "ed_text") -> Visitor:
        """Into the editor, and play it."""
        self.app.text_area(key).set_value(text)
        return self.press("ed_play")

    def go(self, screen: str) -> Visitor:
        self.app.switch_page(str(MAIN.parent / "screens" / f"{screen}.py"))
        return self.run()

    @property
    def html(self) -> str:
        return "\n".join(part.body for part in self.app.html if not part.body.startswith("<style>"))

    @property
    def sentences(self) -> list[str]:
        """What stands in errors and notices."""
        return [part.body for part in self.app.html if part.body.startswith('<div class="kv-notice')]

    @property
    def played(self) -> dict[str, Any]:
        """What the player was given last."""
        payload: dict[str, Any] = self.app.session_state["good"]["payload"]
        return payload

    @property
    def ops(self) -> list[list[Any]]:
        ops: list[list[Any]] = self.played["traces"][0]["story"]["ops"]
        return ops


@pytest.fixture(autouse=True)
def desk(tmp_path: Path) -> Iterator[Tolerant]:
    """An empty desk of this test's own, where nobody grades."""
    own = Tolerant(tmp_path / "data")
    desks.use(own)
    yield own
    desks.use(None)
    own.close()


@pytest.fixture
def visitor() -> type[Visitor]:
    return Visitor


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A screen takes a second or more: `--fast` leaves them out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("slow")
