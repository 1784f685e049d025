"""Home: the picture tells a real trace, the exercises tell one's own state, and nothing needs a desk."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import desk as desks
from app.desk import Tolerant
from app.front import scene
from grader.checklist import checklist
from grader.desk.submission import Submission
from grader.exercise import discover
from grader.replay.trace import run
from grader.words import LANGUAGES, translator
from tests.apptest.conftest import PERSON

NOW = datetime(2026, 1, 1, tzinfo=UTC)
GRADED = Submission(
    "x", "p06", "a.py", "0", 1, (), "done", 1, "failed", 30, 42, 1, 4, NOW, NOW, NOW, 1.0, 0, False, None
)


def said(seen) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", seen.html))


def test_it_says_what_this_is_and_where_to_begin(visitor):
    seen = visitor("home")
    assert "How a language model server remembers" in said(seen)
    links = [link.proto.page for link in seen.app.get("page_link")]
    assert links[:3] == ["explore", "learn", "submit"]


def test_every_exercise_is_there_and_not_started(visitor):
    seen = visitor("home")
    for exercise in discover().values():
        assert exercise.title in said(seen) and exercise.file in said(seen)
        stars = sum(check.group == "stretch" for check in checklist(exercise))
        assert f"{len(checklist(exercise)) - stars} checks decide, {stars} stars" in said(seen)
    assert said(seen).count("Not started") == len(discover())


def with_submissions(desk, monkeypatch, *rows: Submission) -> None:
    monkeypatch.setattr(desk, "submissions", lambda person, exercise=None, trials=False: [
        one for one in rows if exercise in (None, one.exercise)
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([GRADED], "Not passed yet 30 of 42 checks ★☆☆☆ 1 of 4 stars"),
        ([replace(GRADED, verdict="passed", passed=42, stars=4)], "Passed 42 of 42 checks ★★★★ 4 of 4 stars"),
        ([GRADED, replace(GRADED, verdict="passed", passed=42)], "Passed 42 of 42 checks"),
        ([replace(GRADED, state="queued", verdict=None), GRADED], "Being graded 30 of 42 checks"),
        ([replace(GRADED, state="abandoned", verdict=None)], "Not started"),
        ([replace(GRADED, verdict="error")], "Not started"),
    ],
)
def test_ones_own_state_is_told(visitor, desk, monkeypatch, rows, told):
    with_submissions(desk, monkeypatch, *rows)
    assert told in said(visitor("home"))


def test_a_draft_and_a_lesson_that_was_begun_are_told(visitor, desk):
    desk.note(PERSON, "draft", "p06", "class BlockManager: ...")
    desk.note(PERSON, "lesson", "l22/at", {"page": "decode"})
    seen = visitor("home")
    assert said(seen).count("A draft is waiting") == 1
    labels = [link.proto.label for link in seen.app.get("page_link")]
    assert (labels.count("Start the lesson"), labels.count("Go on with the lesson")) == (1, 1)


def test_without_a_desk_it_says_nothing_wrong(visitor, tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("no folder")
    desks.use(Tolerant(in_the_way / "data"))
    seen = visitor("home")
    assert said(seen).count("Not started") == len(discover()) and seen.sentences == []


def test_a_browser_that_is_not_known_yet_sees_it_whole(visitor):
    seen = visitor("home")
    del seen.app.session_state["person"]
    assert said(seen.run()).count("Not started") == len(discover())


def test_an_old_link_leads_on_to_explore(visitor):
    seen = visitor("home", story="worked-4", by="free-forwards", step="8", lang="zh")
    assert seen.app.selectbox("story_pick").value == "worked-4"
    assert seen.app.selectbox("by_pick").value == "free-forwards"
    assert (seen.played["start"], seen.played["lang"]) == (8, "zh")


def test_a_link_within_the_app_opens_its_story_each_time(visitor):
    seen = visitor("explore", story="worked-4").choose("story_pick", "worked-1")
    seen.go("mistakes").app.query_params.update(story="worked-4")
    seen.go("explore")
    assert seen.app.selectbox("story_pick").value == "worked-4"


def test_the_screen_speaks_chinese(visitor):
    seen = visitor("home", lang="zh")
    assert said(seen).count("尚未开始") == len(discover())
    assert not re.search(r"\b(the|checks|stars|lesson)\b", said(seen))


# -- the picture -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_word_is_a_token(lang):
    words = translator(lang)
    for text in scene.SPOKEN:
        assert len(words.text(text).split()) == len(text.split())


def test_the_picture_is_the_trace():
    frames, trace = scene.frames("en"), run(scene.story())
    last = list(trace.states())[-1]
    assert last is not None
    assert [bool(room["groups"]) for room in frames[-1]["rooms"]] == [ref > 0 for ref in last.ref]
    assert frames[2]["cached"] == 8 and "8 of 13 tokens" in frames[2]["say"]
    assert [room["state"] for room in frames[2]["rooms"]][:4] == ["shared", "shared", "used", "used"]
    assert frames[0]["who"] == "" and {room["state"] for room in frames[0]["rooms"]} == {"free"}


def test_every_moment_has_a_sentence_of_its_own():
    for lang in LANGUAGES:
        sentences = [frame["say"] for frame in scene.frames(lang)]
        assert all(sentences) and len(set(sentences)) == len(sentences)


def test_the_colours_are_those_of_the_guests():
    css = Path(scene.__file__).with_name("stage.css").read_text("utf-8")
    guests = {seq for frame in scene.frames("en") for room in frame["rooms"] for seq in room["groups"]}
    assert all(f"--{guest.lower()}:" in css for guest in guests)
