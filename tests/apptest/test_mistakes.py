"""The gallery of classic mistakes: every one opens, differs from the reference, and says what catches it."""

from __future__ import annotations

import re

import pytest

from app import gallery, mistake_story
from app.stories import stories
from grader.exercise import discover
from grader.exercises.p06.likenesses import LIKENESSES
from grader.naming import load_driver, run_here
from tests.sampling import third

ALL = list(gallery.mistakes())
P06 = [one.id for one in gallery.of("p06")]


@pytest.mark.parametrize("mistake_id", third(ALL))
def test_every_mistake_opens(visitor, mistake_id):
    seen = visitor("mistakes", mistake=mistake_id)
    mistake = gallery.mistakes()[mistake_id]
    assert mistake.what in text(seen.html) and mistake.why in text(seen.html)
    assert gallery.caught_by(mistake_id)[0].title in text(seen.html)
    code = seen.app.code[0].value
    kinds = {line[:1] for line in code.splitlines()}
    assert kinds <= {" ", "+", "-", ""} and kinds & {"+", "-"}
    assert not seen.app.expander[0].proto.expanded


@pytest.mark.parametrize("mistake_id", P06)
def test_the_hotel_opens_where_they_part(mistake_id):
    data = mistake_story.played(mistake_id, "en")
    assert data["difference"] is not None and len(data["traces"]) == 2
    steps = [[max(1, len(step[1])) for step in trace["steps"]] for trace in data["traces"]]
    assert data["start"] == sum(max(pair) for pair in list(zip(*steps, strict=False))[: data["difference"]["step"] + 1])


@pytest.mark.parametrize("mistake_id", [one for one in ALL if one not in P06])
def test_both_sides_of_a_tensor_mistake_part(mistake_id):
    _, play = mistake_story.recorded(mistake_id)
    assert play.first_difference is not None


def test_the_gallery_has_all_of_them_by_number(visitor):
    seen = visitor("mistakes")
    labels = [button.label for button in seen.app.button if button.key.startswith("mistake_")]
    assert len(labels) == len(ALL) == 32
    assert [int(re.match(r"`(\d+)`", label)[1]) for label in labels] == [*range(1, 20), *range(1, 14)]
    assert "gives answers away" in seen.sentences[0]


def test_one_is_opened_from_the_gallery_and_left_again(visitor):
    seen = visitor("mistakes").press("mistake_free-forwards")
    assert seen.app.query_params["mistake"] == "free-forwards"
    assert "mistake 5 of 19" in text(seen.html)
    seen.press("mistake_after")
    assert "mistake 6 of 19" in text(seen.html)
    seen.press("mistake_before").press("mistake_before")
    assert "mistake 4 of 19" in text(seen.html)
    assert "mistake" not in seen.press("mistake_all").app.query_params
    assert "Each passes a first look" in text(seen.html)


def test_after_the_last_comes_the_first(visitor):
    seen = visitor("mistakes", mistake=P06[-1]).press("mistake_after")
    assert "mistake 1 of 19" in text(seen.html)


def test_an_unknown_one_is_said(visitor):
    seen = visitor("mistakes", mistake="<b>nobody</b>")
    assert "There is no mistake &lt;b&gt;nobody&lt;/b&gt; here" in seen.sentences[0]
    assert "Each passes a first look" in text(seen.html)


def test_it_speaks_chinese(visitor):
    seen = visitor("mistakes", mistake="free-forwards", lang="zh")
    assert "错误 5／19" in text(seen.html)
    assert seen.app.button("mistake_all").label == "全部错误"


def test_without_the_solutions_it_says_so(visitor, monkeypatch):
    monkeypatch.setattr("app.gallery.mistakes", dict)
    assert "there is nothing to show" in visitor("mistakes", mistake="free-forwards").sentences[0]


def test_explore_leads_to_it_and_back(visitor):
    seen = visitor(by="free-forwards")
    links = [(link.proto.label, link.proto.page) for link in seen.app.get("page_link")]
    assert ("About this mistake", "mistakes") in links


@pytest.mark.parametrize("mistake_id", LIKENESSES)
def test_a_likeness_is_of_a_mistake_that_fails_the_engines_story(mistake_id):
    like = gallery.likeness(mistake_id)
    assert like is not None and (like.story or like.report)
    assert not like.report or re.fullmatch(r"[\w.-]+/[\w.-]+#\d+", like.report)
    if like.story:
        assert answers(mistake_id, like.story) != answers(None, like.story)


def answers(mistake_id: str | None, story_id: str) -> list[object]:
    """What the mistake, or the reference, answers to a story: what anybody sees from outside."""
    from types import SimpleNamespace

    from solutions.p06_block_manager import BlockManager, OutOfBlocks

    cls = BlockManager if mistake_id is None else gallery.mistakes()[mistake_id].cls
    driver = load_driver((discover()["p06"].folder / "driver.py").read_text("utf-8"))
    return run_here(driver, SimpleNamespace(BlockManager=cls, OutOfBlocks=OutOfBlocks), stories()[story_id])


def text(html: str) -> str:
    """Without markup."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).replace("&#x27;", "'").replace("&quot;", '"')
