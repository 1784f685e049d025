"""Explore: every story under every manager, one's own story, links, both languages. Nothing here needs a browser."""

from __future__ import annotations

import pytest

from app import share
from app.managers import mistakes
from app.stories import OWN, stories
from grader.replay.op import p06_story
from grader.sandbox import launcher
from solutions.mistakes import source
from tests.apptest.conftest import PERSON
from tests.sampling import third


def test_the_first_visit_shows_the_second_worked_example(visitor):
    first = visitor()
    assert first.played["title"] == stories()["worked-2"].title
    assert first.sentences == []
    assert "A story is a list of calls" in first.html


def test_every_story_plays(visitor):
    seen = visitor()
    for story_id, story in stories().items():
        seen.choose("story_pick", story_id)
        assert len(seen.played["traces"][0]["steps"]) == len(story.ops)
        assert (seen.played["title"], seen.sentences) == (story.title, [])


@pytest.mark.parametrize("mistake_id", third(mistakes()))
def test_every_mistake_differs_from_the_reference_in_its_own_story(visitor, mistake_id):
    seen = visitor(story=mistake_id, by=mistake_id)
    assert len(seen.played["traces"]) == 2
    assert seen.played["difference"] is not None
    assert seen.played["who"] == mistakes()[mistake_id].what


def test_a_mistake_offers_its_own_story(visitor):
    seen = visitor(by="free-forwards").press("own_story")
    assert seen.played["title"] == stories()["free-forwards"].title


def test_the_reference_beside_it_can_be_taken_away(visitor):
    seen = visitor(story="free-forwards", by="free-forwards")
    seen.app.checkbox("beside_pick").uncheck()
    assert len(seen.run().played["traces"]) == 1


def test_the_editor_begins_with_the_story_shown_and_plays_what_is_written(visitor):
    seen = visitor(story="worked-3").press("edit")
    assert seen.app.text_area("ed_text").value.startswith("allocate a [1..5]")
    assert seen.app.number_input("ed_blocks").value == 3
    seen.app.number_input("ed_blocks").set_value(9)
    seen.write("allocate me [1..9]\nappend me 4\n")
    assert seen.ops == [["allocate", "me", list(range(1, 10))], ["append_slot", "me", 4]]
    assert seen.played["traces"][0]["story"]["num_blocks"] == 9
    assert seen.app.selectbox("story_pick").value == OWN


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("allocate a [1 2\n", "Line 1, column 16: the bracket is not closed: add ]"),
        ("allocate a [1]\nappend b 2", "Line 2, column 8: there is no sequence b yet: allocate it first"),
        ("hello", "Line 1, column 1: there is no op hello"),
        ("", "Line 1, column 1: there is no op yet: write allocate a [1 2 3]"),
        ("allocate <b>x</b> [1", "the bracket is not closed"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_last_good_story_stays(visitor, written, said):
    seen = visitor(story="worked-3")
    before = seen.ops
    seen.press("edit").write(written)
    assert said in seen.sentences[0]
    assert "<b>" not in seen.sentences[0]
    assert (seen.ops, seen.app.text_area("ed_text").value) == (before, written)
    assert seen.write("allocate a [1]").sentences == []


def test_many_problems_are_counted_not_listed(visitor):
    seen = visitor().press("edit").write("oops\n" * 9)
    assert len(seen.sentences) == 6
    assert "And 4 more lines." in seen.sentences[-1]


def test_a_long_story_keeps_its_first_steps_and_says_so(visitor):
    ops = [["allocate", "a", [1]], *[["num_free_blocks"]] * 700]
    seen = visitor(s=share.pack(p06_story(1024, 2, ops)), by="free-forwards")
    assert len(seen.played["traces"][0]["steps"]) < 700
    assert "Only the first" in seen.played["notice"]


def test_a_link_opens_ones_own_story_at_its_step(visitor):
    story = p06_story(5, 2, [["allocate", "guest", [1, 2, 3]], ["free", "guest"]])
    seen = visitor(s=share.pack(story), step="3")
    assert (seen.ops, seen.played["start"], seen.sentences) == ([op.to_json() for op in story.ops], 3, [])
    assert share.unpack(dict([seen.played["link"].split("&")[0].split("=", 1)])["s"]).ops == story.ops


@pytest.mark.parametrize("query", [{"s": "1garbage"}, {"story": "worked-99"}, {"story": "<script>"}, {"by": "nobody"}])
def test_a_broken_link_is_said_and_another_story_plays(visitor, query):
    seen = visitor(**query)
    assert len(seen.sentences) == 1 and "<script>" not in seen.html
    assert seen.played["title"] == stories()["worked-2"].title
    assert seen.choose("story_pick", "worked-1").sentences == []


def test_the_language_changes_and_nothing_else(visitor):
    seen = visitor().choose("story_pick", "worked-4").choose("by_pick", "free-forwards")
    seen.app.segmented_control("lang_switch").set_value("zh")
    seen.run()
    assert seen.app.selectbox("story_pick").label == "故事"
    assert seen.played["lang"] == "zh"
    assert [seen.app.selectbox(key).value for key in ("story_pick", "by_pick")] == ["worked-4", "free-forwards"]
    assert seen.go("paged_attention").app.segmented_control("lang_switch").value == "zh"


def test_a_link_brings_its_language(visitor):
    assert visitor(lang="zh").app.selectbox("story_pick").label == "故事"
    assert visitor(lang="xx").app.selectbox("story_pick").label == "Story"


def test_the_choice_survives_another_screen(visitor):
    seen = visitor().choose("story_pick", "busy-evening").choose("by_pick", "revived-stays")
    seen.press("edit").write("allocate a [1]\n").go("paged_attention").go("explore")
    assert (seen.app.selectbox("story_pick").value, seen.app.selectbox("by_pick").value) == (OWN, "revived-stays")
    assert seen.app.text_area("ed_text").value == "allocate a [1]\n"


def test_the_tips_are_closed_once(visitor):
    seen = visitor().press("tour_close")
    assert "A story is a list of calls" not in seen.html
    assert "A story is a list of calls" not in seen.go("paged_attention").go("explore").html


def test_without_the_solutions_there_are_no_mistakes_and_the_rest_plays(visitor, monkeypatch):
    monkeypatch.setattr("app.managers.mistakes", dict)
    monkeypatch.setattr("app.picker.mistakes", dict)
    seen = visitor(by="free-forwards")
    assert len(seen.app.selectbox("by_pick").options) == 3
    assert "There is no mistake free-forwards here" in seen.sentences[0]


@pytest.mark.skipif(launcher.pick("auto") == "process", reason="no sandbox here: install bubblewrap")
def test_what_was_handed_in_last_can_be_played_and_nobody_elses(visitor, desk):
    desk.submit("somebody else", "p06", b"x = 1", "theirs.py")
    assert not offered(visitor())
    desk.submit(PERSON, "p06", b"x = 1", "older.py")
    desk.submit(PERSON, "l22", b"x = 1", "other-exercise.py")
    desk.submit(PERSON, "p06", source("hit-limit-len").encode(), "latest.py")
    seen = visitor()
    assert offered(seen)
    seen.choose("by_pick", "handed")
    assert seen.played["who"] == "latest.py" and seen.played["difference"] is not None
    for one in desk.submissions(PERSON, "p06"):
        desk.cancel(PERSON, one.id)
        desk.delete(PERSON, one.id)
    seen.run()
    assert not offered(seen) and seen.app.selectbox("by_pick").value == "reference"


def offered(seen):
    return "Mine: what I handed in last" in seen.app.selectbox("by_pick").options


@pytest.mark.parametrize("key", ["story_pick", "by_pick"])
def test_an_entry_in_words_of_before_is_no_choice(visitor, key):
    seen = visitor(story="worked-4", by="free-forwards")
    box = seen.app.selectbox(key)
    box.options.append("what this entry was called before")  # as a browser sends it that lags behind
    seen.choose(key, "what this entry was called before")
    kept = seen.app.session_state["visit"]
    assert (kept["story"], kept["by"]) == ("worked-4", "free-forwards")
