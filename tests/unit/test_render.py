"""The terminal: every fact is there, at any width, and hostile text stays text."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.cells import cell_len

from grader.render.choose import by_todo, to_tell, waits
from grader.render.page import Page
from grader.render.picture import picture
from grader.render.story import op_text, story_lines
from grader.render.terminal import Terminal
from grader.report import CheckResult, Failure, Report
from grader.words import Say, translator


def room(block, ref, groups, tokens, state):
    return {"block": block, "ref": ref, "groups": groups, "tokens": tokens, "tag": None, "state": state}


def side(rooms, free, cart, partial=False):
    idle = len(free or []) + len(cart or [])
    return {"num_blocks": 4, "block_size": 2, "rooms": rooms, "free": free, "cart": cart, "num_free": idle,
            "partial": partial}  # fmt: skip


MINE = side(
    [room(0, 1, ["b"], [1, 2], "used"), room(1, 0, [], [3, 4], "cart"), room(2, 0, [], [], "free")], [2, 3], [1]
)
REFERENCE = side(
    [room(0, 1, ["b"], [1, 2], "used"), room(1, 1, ["b"], [3, 4], "used"), room(2, 0, [], [], "free")], [2, 3], []
)
OUTSIDE = side(
    [room(0, 1, ["b"], [1, 2], "used"), room(1, 0, [], [], "free"), room(2, 0, [], [], "free")], None, None, True
)
OPS = [["allocate", "a", [1, 2, 3]], ["append_slot", "a", 4], ["free", "a"]]
STORY = {"num_blocks": 4, "block_size": 2, "ops": OPS}


def failed(id, group="acceptance", **more):
    return CheckResult(id, group, f"Title of {id}", "failed", 0.7, Say("{x} is wrong", x=id), Failure(**more))


def shown(lang, width, *results, output="", hints=None):
    file = io.StringIO()
    terminal = Terminal(Page(lang, file, width), "p06", lambda: hints or {})
    for result in results:
        terminal.check(result.to_json(lang))
    report = Report("p06", "failed", "bubblewrap", "cpu", 0.5, None, list(results), output, 9)
    terminal.finish(report.to_json(lang))
    return file.getvalue()


def finished(report, width=100):
    file = io.StringIO()
    terminal = Terminal(Page("en", file, width), "p06", frozenset)
    for result in report.checks:
        terminal.check(result.to_json("en"))
    terminal.finish(report.to_json("en"))
    return file.getvalue()


FULL = failed(
    "free-shared",
    called="free('a')",
    expected="2",
    actual="3",
    why=Say("because"),
    mistake="shared-returned",
    mistake_what="what it does",
    story=STORY,
    step=2,
    stack="File mine.py, line 3",
    mine=MINE,
    reference=REFERENCE,
)


def test_a_failure_tells_everything():
    text = shown("en", 100, FULL, hints={"free-shared": 0})
    wanted = ["Title of free-shared", "free-shared is wrong", "free('a')", "expected", "because", "shared-returned"]
    wanted += ["what it does", "allocate a [1 2 3]", "append a 4", "▶ free a", "line 3", "≠   1 [3 4]", "0.7 s"]
    wanted += ["./check.sh p06 --hint free-shared --level 1", "sandbox bubblewrap, device cpu", "0 of 1 checks"]
    assert [fact for fact in wanted if fact not in text] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_is_wider_than_the_terminal(lang, width):
    text = shown(lang, width, FULL, failed("x" * 90), output="word " * 60)
    assert [line for line in text.split("\n") if cell_len(line) > width] == []


def test_markup_links_and_emoji_codes_of_a_submission_are_printed_as_they_are():
    hostile = "[bold red]no[/] [link=http://x]y[/link] :smile:"
    text = shown("en", 100, failed("a", called=hostile, actual=hostile), output=hostile)
    assert text.count(hostile) == 3


def test_only_the_first_failures_are_told_in_full_and_the_rest_named():
    text = shown("en", 100, *(failed(f"check-{n}") for n in range(6)))
    assert text.count("✗ Title of") == 3
    assert "check-3, check-4, check-5" in text


def test_of_failures_that_look_like_one_mistake_the_check_made_for_it_is_told():
    same = [failed(id, mistake="free-forwards") for id in ("atomic", "mistake-free-forwards", "long")]
    told = [cause.first["id"] for cause in to_tell([r.to_json("en") for r in (*same, failed("other"))])]
    assert told == ["mistake-free-forwards", "other"]


def test_a_failed_stretch_check_is_a_missing_star_not_a_failure():
    star = CheckResult("big", "stretch", "Big", "passed", 0.0)
    text = shown("en", 100, FULL, failed("collisions", "stretch"), star)
    assert "☆ failed: Title of collisions" in text
    assert "0 of 1 checks · ★☆" in text
    assert "✗ Title of collisions" not in text


@pytest.mark.parametrize(("outcome", "words"), [("skipped", "skipped: Gather"), ("error", "1 check not run")])
def test_a_check_that_was_not_judged_says_why(outcome, words):
    result = CheckResult("gather", "acceptance", "Gather", outcome, 0.0, Say("torch is not here"))
    text = shown("en", 100, result)
    assert words in text
    assert "torch is not here" in text


def test_a_reason_that_many_checks_share_is_said_once_and_the_stack_is_shown():
    why = Say("the file could not be loaded")
    first = CheckResult("a", "acceptance", "A", "error", 0.0, why, Failure(stack="syn.py, line 7"))
    text = shown("en", 100, first, *(CheckResult(n, "acceptance", n, "error", 0.0, why) for n in "bc"))
    assert text.count("could not be loaded") == 1
    assert "syn.py, line 7" in text
    assert "3 checks not run" in text


def test_a_file_that_does_not_load_gives_the_cause_first_and_then_the_count():
    rows = [CheckResult(n, "acceptance", f"Title {n}", "error", 0.0, Say("not run: no file")) for n in "abc"]
    rows[0] = replace(rows[0], failure=Failure(stack="syn.py, line 7"))
    report = Report("p06", "failed", "process", "cpu", 0.5, Say("syn.py is not valid Python"), rows)
    text = finished(report)
    facts = ["syn.py is not valid Python", "syn.py, line 7", "3 checks not run", "p06: failed"]
    assert sorted(facts, key=text.index) == facts
    assert "Title" not in text


def test_colour_is_left_out_where_nobody_asked_for_it():
    assert "\x1b" not in shown("en", 100, FULL)


def test_long_output_is_cut_and_the_rest_counted():
    text = shown("en", 100, FULL, output="\n".join(f"line {n}" for n in range(50)))
    assert "line 7" in text
    assert "line 8" not in text
    assert "… 42 more lines, in --json" in text
    assert "… 9 more bytes, not kept" in text


def lines(mine, reference, width=100):
    return picture(mine, reference, width, translator("en").text)


def test_the_picture_marks_the_rooms_and_lists_that_differ():
    marked = [text.split()[1] for differs, text in lines(MINE, REFERENCE) if differs]
    assert marked == ["1", "evictable,", "num_free_blocks"]


def test_the_picture_is_side_by_side_or_one_after_the_other():
    wide, narrow = lines(MINE, REFERENCE, 100), lines(MINE, REFERENCE, 50)
    assert "yours" in wide[0][1] and "reference" in wide[0][1]
    assert "reference" not in narrow[0][1]
    assert any(text.strip() == "reference" for _, text in narrow)


def test_what_cannot_be_seen_from_outside_is_no_difference():
    reference = side([room(0, 1, ["b"], [1, 2], "used"), room(1, 0, [], [3, 4], "cart")], [2, 3], [1])
    marked = [text for differs, text in lines({**OUTSIDE, "num_free": 3}, reference) if differs]
    assert marked == []
    assert "not readable" in "".join(text for _, text in lines(OUTSIDE, reference))


def test_of_a_large_pool_the_rooms_that_differ_are_drawn():
    def pool(state):
        return [room(n, 1, ["a"], [n], "used" if n != 900 else state) for n in range(1000)]

    drawn = lines(side(pool("used"), [], []), side(pool("free"), [], []))
    assert len(drawn) < 20
    assert [text.split()[1] for differs, text in drawn if differs] == ["900"]


def test_a_long_story_shows_its_end():
    story = {"num_blocks": 4, "ops": [["free", n] for n in range(100)]}
    shown = story_lines(story, 90)
    assert shown[0] == (None, "num_blocks=4")
    assert shown[1] == (None, "… (67)")
    assert shown[-1] == (90, "free 90")


def test_an_op_reads_as_one_would_say_it():
    assert op_text(["allocate", "", list(range(40))]) == 'allocate "" [0 1 2 3 4 5 6 7 8 9 … 39](40)'
    assert op_text(["num_free_blocks"]) == "num_free_blocks"


def waiting(id, todo="TODO 2: num_free_blocks", group="acceptance"):
    return failed(id, group, called="allocate", actual=f"NotImplementedError: {todo}")


def test_what_is_not_written_yet_is_one_short_block_and_wrong_answers_come_first():
    many = [waiting(f"later-{n}", "TODO 10: free") for n in range(9)]
    text = shown("en", 100, waiting("earliest"), *many, FULL, hints={"earliest": 0, "free-shared": 0})
    assert "10 checks wait for what is not written yet" in text
    assert "next: TODO 2: num_free_blocks (1 check)" in text
    assert "TODO 10: free (9 checks)" in text
    assert [name for name in ("earliest", "later-") if name in text] == []
    assert text.index("✗ Title of free-shared") < text.index("10 checks wait")
    assert "--hint free-shared" in text


def test_a_skeleton_is_told_in_a_dozen_lines():
    text = shown("en", 80, *(waiting(f"check-{n}") for n in range(40)), hints={"check-0": 0})
    assert len(text.strip().split("\n")) <= 12
    assert "--hint check-0" in text


def test_waiting_is_told_by_the_error_and_not_by_what_a_file_says_about_it():
    assert waits(waiting("a").to_json("zh"))
    assert not waits(failed("a", actual="ValueError: NotImplementedError").to_json("en"))
    said = ("soon", "TODO 10: b", "TODO 9: a")
    rows = [{"actual": f"NotImplementedError: {text}"} for text in said]
    assert [todo for todo, _ in by_todo(rows)] == ["TODO 9: a", "TODO 10: b", "soon"]
    assert by_todo([{"actual": "NotImplementedError"}])[0][0] == ""


def test_three_failures_told_are_of_different_kinds_where_they_can_be():
    same = [failed(f"key-{n}", called=f"free({n})", actual=f"KeyError: {n}") for n in range(5)]
    other = failed("other", called="allocate(1)", actual="[0]")
    told = [cause.first["id"] for cause in to_tell([r.to_json("en") for r in (*same, other)])]
    assert told == ["key-0", "other", "key-1"]


@pytest.mark.parametrize("width", [60, 80])
def test_a_title_that_wraps_keeps_off_the_first_column(width):
    result = CheckResult("long", "acceptance", "word " * 30, "passed", 0.0)
    text = shown("en", width, result, failed("x", called="x"))
    wrapped = [line for line in text.split("\n") if "word" in line]
    assert len(wrapped) > 1
    assert [line for line in wrapped[1:] if not line.startswith("   ")] == []


def test_acceptance_after_the_stars_has_a_heading_of_its_own():
    star = CheckResult("big", "stretch", "Big", "passed", 0.0)
    one, other = (CheckResult(id, "acceptance", id, "passed") for id in "ab")
    text = shown("en", 100, one, star, other)
    assert text.count("Acceptance: these decide") == 1
    assert text.index("Acceptance, with tensors") > text.index("Stretch")


def test_that_no_mistake_could_be_looked_for_is_said():
    report = Report("p06", "failed", "process", "cpu", 0.5, None, [FULL], named=False)
    assert "No known mistake was looked for" in finished(report)
    assert "No known mistake" not in finished(replace(report, named=True))


def test_what_a_story_printed_and_gave_stands_with_it():
    told = replace(FULL, failure=replace(FULL.failure, printed="debug 1\n", answers=["[0, 1]", "3", "None"]))
    text = finished(Report("p06", "failed", "process", "cpu", 0.5, None, [told]))
    assert "allocate a [1 2 3]  → [0, 1]" in text
    assert text.index("printed in this story") < text.index("debug 1")
