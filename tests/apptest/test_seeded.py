"""What a screen puts into its widgets it sends in every run, until the browser has answered.

The first run of a visit may be overtaken by the next one before anything of it has reached the browser: a value that
was put into the session in it alone would never be seen there.
"""

from __future__ import annotations

import pytest

from tests.apptest.conftest import PERSON

SEEDED = {
    "explore": ("story_pick", "by_pick"),
    "submit": ("submit_exercise", "submit_text_p06"),
    "history": ("past_filter",),
    "paged_attention": ("l22_mission", "l22_block_size", "l22_mixed"),
}


def sent(seen):
    """The widgets whose value this run sends, by key."""
    app = seen.app
    widgets = [*app.selectbox, *app.text_area, *app.number_input, *app.checkbox, *app.segmented_control]
    return {widget.key for widget in widgets if widget.proto.set_value}


@pytest.mark.parametrize("screen", SEEDED)
def test_what_was_seeded_is_sent_again_in_the_run_that_overtakes_the_first(visitor, desk, screen):
    desk.submit(PERSON, "p06", b"a = 1", "mine.py")
    seen = visitor().go(screen)
    assert set(SEEDED[screen]) <= sent(seen)
    assert set(SEEDED[screen]) <= sent(seen.run())


def test_what_is_being_typed_is_not_written_over_once_the_browser_has_answered(visitor):
    seen = visitor("submit")
    seen.app.text_area("submit_text_p06").set_value("mine = 1")
    assert "submit_text_p06" not in sent(seen.run().run())
    assert seen.app.text_area("submit_text_p06").value == "mine = 1"
