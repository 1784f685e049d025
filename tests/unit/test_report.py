"""The report: exactly the documented JSON, harmless text, and a stored form that can be read in another language."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.plain import plain
from grader.render.junit import junit
from grader.report import CheckResult, Failure, Report
from grader.words import Say

STORY = {"num_blocks": 3, "block_size": 2, "enable_prefix_cache": True, "ops": [["slot", "a", 2**61 - 1]]}
FAILED = CheckResult(
    "free-returns-everything",
    "acceptance",
    "Free returns everything",
    "failed",
    0.0123456,
    Say("{n} block is missing", plural="{n} blocks are missing", n=2),
    Failure(
        called="free('a')",
        expected="3",
        actual=Say("{x}", x="\x1b[31m1\x1b[0m \u202eevil"),
        mistake="free-forwards",
        story=STORY,
    ),
)
REPORT = Report("p06", "failed", "bubblewrap", "cpu", 0.8004, None, [FAILED], "out\x00put\x1b]0;title\x07", 7)
HOSTILE = "\x1b[2J\x1b]8;;http://x\x07\x9b31m\x00\x08\r\u202e\u2066\u200b\ud800\ufffe\U000e0041[red]ok[/red]"


def test_the_json_has_the_documented_keys():
    payload = REPORT.to_json("en")
    assert set(payload) >= {"schema", "exercise", "verdict", "sandbox", "device", "seconds", "message", "checks"}
    wanted = {"id", "group", "title", "outcome", "seconds", "message", "expected", "actual", "mistake", "trace"}
    assert set(payload["checks"][0]) >= wanted
    assert (payload["schema"], payload["verdict"], payload["message"]) == (1, "failed", None)
    check = payload["checks"][0]
    assert (check["message"], check["expected"], check["actual"]) == ("2 blocks are missing", "3", "1 evil")
    assert payload["output"] == "output"


def test_numbers_that_javascript_would_round_travel_as_strings():
    assert REPORT.to_json("en")["checks"][0]["trace"]["ops"] == [["slot", "a", "2305843009213693951"]]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_stored_report_can_be_read_in_either_language(lang):
    stored = json.loads(json.dumps(REPORT.dump()))
    assert Report.load(stored).to_json(lang) == REPORT.to_json(lang)


def test_a_stored_report_of_another_schema_is_refused():
    with pytest.raises(ValueError, match="schema"):
        Report.load({**REPORT.dump(), "schema": 2})


@pytest.mark.parametrize(("verdict", "code"), [("passed", 0), ("failed", 1), ("error", 3)])
def test_the_exit_code_follows_the_verdict(verdict, code):
    assert Report("p06", verdict, "none", "cpu", 0.0).exit_code == code


def test_hostile_text_becomes_plain():
    assert plain(HOSTILE, 100).strip() == "[red]ok[/red]"


def test_long_text_says_that_it_was_cut():
    assert plain("x" * 50, 10) == "x" * 9 + "…"


def test_one_line_shows_where_lines_ended():
    assert plain("a\r\nb\u2028c\n", 10, one_line=True) == "a⏎b⏎c"


@given(st.text(st.characters(exclude_categories=[])))
def test_no_text_keeps_a_control_character_or_outgrows_its_limit(text):
    done = plain(text, 30)
    assert len(done) <= 30
    assert all(char == "\n" or char.isprintable() or char.isspace() or ord(char) > 0xFF for char in done)
    done.encode()


def test_junit_counts_and_parses_whatever_the_submission_printed():
    stretch = CheckResult("big", "stretch", "Big", "failed", 0.1, Say("slow"))
    error = CheckResult("gather", "acceptance", "Gather", "error", 0.0, Say("not run"))
    hostile = Report("p06", "failed", "none", "cpu", 0.0, None, [FAILED, stretch, error], HOSTILE)
    suite = ElementTree.fromstring(junit(hostile.to_json("en")))[0]
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["3", "1", "1", "1"]
    assert [case.get("name") for case in suite.iter("testcase")] == ["free-returns-everything", "big", "gather"]


@pytest.mark.parametrize(("verdict", "tag"), [("failed", "failure"), ("error", "error")])
def test_junit_of_a_report_without_checks_is_not_a_pass(verdict, tag):
    suite = ElementTree.fromstring(junit(Report("p06", verdict, "none", "cpu", 0.0, Say("why")).to_json("en")))[0]
    assert [child.tag for child in suite.iter() if child.get("message")] == [tag]


