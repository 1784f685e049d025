"""A running app and a real Chromium for the tests in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.running import FLAGS, chromium_path, serving

HERE = Path(__file__).parent
JOURNEYS = {
    "test_the_first_picture_is_there_without_a_click", "test_a_copied_link_opens_the_same_story_at_the_same_step",
    "test_the_language_is_switched_and_kept", "test_an_exercises_lesson_is_opened_from_its_card",
    "test_what_was_answered_is_there_after_a_reload", "test_each_level_of_a_hint_opens_when_asked_for_and_stays",
    "test_a_mission_is_run_alone_fails_is_mended_and_goes_on_to_submit",
    "test_one_is_chosen_and_opens_where_the_two_part", "test_the_skeleton_fails_kindly_and_the_solution_passes",
    "test_a_mistake_is_named_hinted_at_and_replayed_at_the_first_difference",
    "test_what_a_submission_writes_does_nothing", "test_a_reload_in_the_middle_finds_the_run",
    "test_two_people_see_only_their_own",
}  # fmt: skip
"""What a person does first, on every screen: in every run but ``--fast``. The player's own tests are quick enough."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("slow")
            name = getattr(item, "originalname", item.name)
            if name not in JOURNEYS and not item.path.name.startswith("test_player"):
                item.add_marker("full")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app, started for these tests."""
    log = tmp_path_factory.mktemp("app") / "log.txt"
    with serving(log) as address:
        yield address
    said = log.read_text("utf-8", "replace")
    assert "Traceback" not in said, said[-4000:]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A Chromium of this machine, without a window."""
    path = chromium_path()
    if path is None:
        pytest.skip("no Chromium here: apt install chromium, or name it in KVH_CHROMIUM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that has never been here, 1280 wide."""
    fresh = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    fresh.grant_permissions(["clipboard-read", "clipboard-write"])
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """An empty page; an error in its scripts fails the test."""
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    assert errors == []
