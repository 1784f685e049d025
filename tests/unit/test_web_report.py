"""A report as HTML: all of it is there, in both languages, and nothing that a submission wrote is more than text."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from grader.render.failure import tell
from grader.render.html import page
from grader.render.page import Page
from grader.render.web import counts, groups
from grader.render.web_failure import failure
from grader.report import CheckResult, Failure, Report
from grader.words import Say, translator

EN = translator("en").text
HOSTILE = "</style><script>window.owned=1</script><img src=x onerror=1>\"'>&\x1b[31m\u202e"
ROOM = {"block": 0, "ref": 1, "groups": ["b"], "tokens": [5], "tag": None, "state": "used"}
HOTEL = {"num_blocks": 2, "block_size": 2, "free": [1], "cart": [], "num_free": 1, "partial": False, "rooms": [ROOM]}


def check(id="one", outcome="passed", **more) -> CheckResult:
    return CheckResult(id, more.pop("group", "acceptance"), f"what {id} asks", outcome, **more)


def failing(**more) -> CheckResult:
    made = Failure(
        called='allocate("b", [5])', expected="[1]", actual="[0]", why=Say("it leaks"), mistake="free-forwards",
        mistake_what="what it does", mistake_why="why it matters so", step=1, answers=["[0]", "[0]"], mine=HOTEL,
        reference={**HOTEL, "rooms": [{**ROOM, "state": "cart", "ref": 0, "groups": []}]},
        story={"num_blocks": 2, "block_size": 2, "ops": [["allocate", "a", [1]], ["allocate", "b", [5]]]},
    )  # fmt: skip
    return check("bad", "failed", message=Say("it went wrong"), failure=replace(made, **more))


def report(*checks: CheckResult, **more) -> Report:
    return Report("p06", more.pop("verdict", "failed"), "bubblewrap", "cpu", 1.2, checks=list(checks), **more)


class Tags(HTMLParser):
    """Which elements and attributes there really are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_is_whole_and_needs_nothing(lang):
    rows = [check("ok"), failing(), check("skip", "skipped", message=Say("no torch")), check("star", group="stretch")]
    made = page(report(*rows, output="seen").to_json(lang), lang, "the title", "mine.py")
    tags = Tags(made)
    assert tags.open == [] and not tags.names & {"script", "link", "img", "iframe", "form", "a"}
    assert not [name for name in tags.attributes if name.startswith("on") or name in ("src", "href")]
    for said in ("what ok asks", "what bad asks", "it went wrong", "no torch", "seen", "mine.py", "the title"):
        assert said in made
    assert f'<html lang="{"zh-CN" if lang == "zh" else "en"}">' in made
    assert ("未通过" in made) == (lang == "zh")


def test_nothing_that_was_written_is_markup():
    written = dict.fromkeys(("called", "expected", "actual", "stack", "printed"), HOSTILE)
    row = failing(**written, answers=[HOSTILE] * 2)
    row = replace(row, message=Say("{text}", text=HOSTILE))
    made = page(report(row, output=HOSTILE, message=Say("{t}", t=HOSTILE)).to_json("en"), "en", "title", HOSTILE)
    assert Tags(made).names.isdisjoint({"script", "img"})
    body = made.partition("</header>")[2]  # the head is for a name that the app has made plain
    assert "\x1b" not in body and "\u202e" not in body


def test_a_story_with_hostile_names_is_text():
    story = {"num_blocks": 2, "block_size": 2, "ops": [["allocate", HOSTILE, [1]], ["free", HOSTILE]]}
    row = failing(story=story, mine={**HOTEL, "rooms": [{**ROOM, "groups": [HOSTILE]}]}, reference=HOTEL)
    made = failure(row.to_json("en"), EN)
    assert Tags(made).names.isdisjoint({"script", "img"})


def test_a_failure_says_all_that_the_terminal_says():
    said = re.sub(r"<[^>]+>", " ", failure(failing().to_json("en"), EN))
    for part in ("it went wrong", "allocate(&quot;b&quot;, [5])", "[1]", "[0]", "it leaks", "free-forwards",
                 "what it does why it matters so", "num_blocks=2", "allocate a [1]", "▶ allocate b [5]", "yours", "≠",
                 "evictable"):  # fmt: skip
        assert part in said, part


def test_counts_tell_what_waits_from_what_failed():
    waits = check("todo", "failed", failure=Failure(actual="NotImplementedError: TODO 1"))
    rows = [row.to_json("en") for row in (check(), failing(), waits, check("star", "failed", group="stretch"))]
    said = re.sub(r"<[^>]+>", " ", counts(rows, None, EN))
    assert "1 of 3 checks" in said and "1 failed" in said and "1 not written yet" in said and "0 of 1 stars" in said
    assert "flex-grow:5" in counts(rows, 8, EN)  # five are still to come


def test_checks_stand_under_their_missions_and_what_passed_is_folded():
    rows = [check("a", mission="prefill"), check("b", "failed", mission="gather"), check("c", group="stretch")]
    made = groups([row.to_json("en") for row in rows], EN)
    assert made.index("Mission 1") < made.index("Mission 3") < made.index("Stretch")
    assert made.count("<details>") == 2 and "what b asks" in made.partition("Mission 3")[2].partition("<details>")[0]
    assert "<details>" not in groups([row.to_json("en") for row in rows], EN, fold=False)


@pytest.mark.parametrize(("lang", "said"), [("en", "returns nothing (None)"), ("zh", "没有返回值（None）")])
def test_that_a_call_is_to_return_nothing_is_said_in_words(lang, said):
    row = failing(called='free("a")', expected="None", actual="KeyError: 3").to_json(lang)
    assert f"<dd tabindex=\"0\">{said}</dd>" in failure(row, translator(lang).text)
    file = io.StringIO()
    tell(Page(lang, file, 100), row)
    assert said in file.getvalue()
