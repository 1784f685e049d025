"""Submit: every state that a submission can be in, as a person reads it; nothing that was typed is lost."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from app import desk as desks
from app.desk import Tolerant
from grader.checklist import checklist
from grader.exercise import discover
from grader.sandbox import launcher
from grader.words import Say
from tests.apptest.conftest import PERSON
from tests.apptest.judging import HOSTILE, ByHand, failed, passed, report, waiting

CHECKS = len(checklist(discover()["p06"]))
SKELETON = discover()["p06"].skeleton.read_text("utf-8")
TEXT = "submit_text_p06"


@pytest.fixture
def judges(desk, tmp_path):
    made = ByHand(tmp_path / "data")
    yield made
    made.store.close()


@pytest.fixture
def submit(visitor):
    """Open the screen; with a text, hand it in."""

    def opened(text=None, **query):
        seen = visitor("submit", **query)
        if text is not None:
            seen.app.text_area(TEXT).set_value(text)
            seen.press("submit_grade")
        return seen

    return opened


def done(submit, judges, *checks, **more):
    """The screen with a report of these checks."""
    seen = submit("class BlockManager: ...")
    judges.end(report(*checks, **more))
    return seen.run()


def test_at_first_there_is_the_skeleton_and_what_will_happen(submit):
    seen = submit()
    assert seen.app.text_area(TEXT).value == SKELETON
    assert "Press Grade, and this is what happens" in seen.html
    assert [button.key for button in seen.app.button if "last" in str(button.key)] == []


def test_the_exercise_stands_in_the_address_and_is_opened_from_it(submit):
    seen = submit(exercise="l22")
    assert "class KVCacheManager" in seen.app.text_area("submit_text_l22").value
    seen.app.segmented_control("submit_exercise").set_value("p06")
    assert seen.run().app.query_params["exercise"] in ("p06", ["p06"])
    assert submit(exercise="nonsense").app.text_area(TEXT).value == SKELETON


@pytest.mark.parametrize(("text", "said"), [("  \n", "is empty"), ("x" * 300_000, "is larger than 256 KiB"),
                                            ("a\0b", "null byte")])  # fmt: skip
def test_what_is_refused_is_said_and_stays_in_the_editor(submit, desk, text, said):
    seen = submit(text)
    assert said in "".join(seen.sentences)
    assert seen.app.text_area(TEXT).value == text
    assert desk.submissions(PERSON) == []


def test_the_place_in_the_queue_is_told(submit, desk):
    for other in ("somebody", "else"):
        desk.submit(other, "p06", b"x = 1", "x.py")
    seen = submit("x = 2")
    assert "In the queue" in seen.html and "2 before yours" in seen.html
    seen.press("run_p06_cancel")
    assert "was not graded" in seen.sentences[0] and "you cancelled it" in seen.sentences[0]


def test_results_are_shown_as_they_come(submit, judges):
    seen = submit("x = 2")
    claim = judges.take()
    assert "The sandbox starts" in seen.run().html
    judges.tell(claim, passed("one"), failed("two"), passed("star", group="stretch"))
    said = seen.run().html
    assert f"3 of {CHECKS} checks are done" in said and "1 passed" in said and "1 failed" in said
    assert "Acceptance: these decide" in said and "what two asks" in said and "1 of 1 stars" in said


def test_another_visit_finds_the_run_that_goes_on(submit, judges):
    submit("x = 2")
    claim = judges.take()
    judges.tell(claim, passed("one"))
    assert f"1 of {CHECKS} checks are done" in submit().html


def test_a_judge_that_was_lost_is_told(submit, judges):
    seen = submit("x = 2")
    judges.claims.lease_s = -1.0
    judges.take()
    judges.take()
    assert "attempt 2" in seen.run().html


def test_the_same_text_is_not_handed_in_twice_while_it_waits(submit, desk):
    submit("x = 2").press("submit_grade")
    assert len(desk.submissions(PERSON)) == 1


def test_a_pass_says_so_and_where_to_go_on(submit, judges):
    seen = done(submit, judges, passed("one"), passed("star", group="stretch"))
    assert "<h2>Passed</h2>" in seen.html and "1 of 1 checks" in seen.html and "1 of 1 stars" in seen.html
    assert "What does not hold" not in seen.html


def test_a_failure_is_told_in_full(submit, judges):
    seen = done(submit, judges, passed("one"), failed("slot-mapping"))
    for said in ("<h2>Failed</h2>", "1 of 2 checks", "What does not hold, and why", "what slot-mapping asks",
                 "allocate(&quot;b&quot;, [5]) returned [0]", "it is leaked", "free-forwards", "allocate a [1 2 3 4]",
                 "→ [0, 1]", "printed in this story"):  # fmt: skip
        assert said in seen.html, said


def test_hints_are_opened_one_by_one_and_stay_open(submit, judges):
    seen = done(submit, judges, failed("slot-mapping"))
    assert "Hint 1 of 3" not in seen.html
    for level in (1, 2, 3):
        seen.press("run_p06_hint_slot-mapping")
        assert f"Hint {level} of 3" in seen.html and f"Hint {level + 1} of 3" not in seen.html
    assert not [button for button in seen.app.button if button.key == "run_p06_hint_slot-mapping"]
    assert "Hint 3 of 3" in submit().html
    assert desks.desk().notes(PERSON, "hint") == {"p06/slot-mapping": 3}


def test_of_failures_with_one_cause_one_is_told_and_the_others_open_on_request(submit, judges):
    seen = done(submit, judges, *(failed(f"check-{n}") for n in range(6)))
    assert seen.html.count('class="kvr kvr-fail"') == 1  # all look like one mistake
    assert "These 6 checks fail just as one classic mistake makes them fail" in seen.html
    assert "Failed too" not in seen.html
    assert [fold.label for fold in seen.app.expander] == ["✗ 5 checks failed with it"]
    seen.app.session_state["run_p06_with_check-0"] = True
    labels = [fold.label for fold in seen.run().app.expander]
    assert labels[1:] == [f"✗ what check\\-{n} asks" for n in range(1, 6)]


def test_failures_that_nothing_connects_are_told_apart_and_nothing_is_claimed(submit, judges):
    def alone(n):
        result = failed(f"check-{n}")
        return replace(result, failure=replace(result.failure, mistake=None, story=None, called=f"call_{n}()"))

    seen = done(submit, judges, *(alone(n) for n in range(5)))
    assert seen.html.count('class="kvr kvr-fail"') == 3 and "Failed too" in seen.html
    assert "Whether these have causes of their own cannot be told from here" in seen.html
    assert "These 5 checks" not in seen.html and [fold.label for fold in seen.app.expander] == [
        f"✗ what check\\-{n} asks" for n in (3, 4)
    ]


def test_what_is_not_written_yet_is_one_card_with_the_next_step(submit, judges):
    rows = [waiting("slot-mapping", "TODO 4: slot"), waiting("fresh-pool", "TODO 2: num_free_blocks")]
    seen = done(submit, judges, passed("one"), *rows)
    assert "2 not written yet" in seen.html and "next: TODO 2: num_free_blocks" in seen.html
    assert "What does not hold" not in seen.html
    assert "Hint 1 of 3" in seen.press("run_p06_hint_fresh-pool").html


def test_a_star_that_is_not_earned_is_no_failure(submit, judges):
    seen = done(submit, judges, passed("one"), failed("star", group="stretch"))
    assert "<h2>Passed</h2>" in seen.html and "star not earned:" in seen.html
    assert "Stars not earned: they fail nobody" in seen.html


def test_no_verdict_says_why(submit, judges):
    seen = done(submit, judges, verdict="error", message=Say("the grader had trouble"))
    assert "<h2>No verdict</h2>" in seen.html and "the grader had trouble" in seen.html


def test_a_file_that_cannot_be_loaded_shows_its_stack(submit, judges):
    from dataclasses import replace

    from grader.report import CheckResult, Failure

    row = CheckResult("one", "acceptance", "what one asks", "error", message=Say("not run"))
    row = replace(row, failure=Failure(stack='  File "mine.py", line 3'))
    seen = done(submit, judges, row, verdict="failed", message=Say("mine.py is not valid Python"))
    assert "mine.py is not valid Python" in seen.html and "line 3" in seen.html and "1 not run" in seen.html


def test_the_same_file_again_is_answered_from_the_stored_report(submit, judges, monkeypatch):
    monkeypatch.setattr("grader.desk.desk.fingerprint", lambda exercise: "suite")
    seen = done(submit, judges, passed("one"))
    assert seen.sentences == []
    seen.press("submit_grade")
    assert "this is its stored report" in seen.sentences[0] and "<h2>Passed</h2>" in seen.html


def test_after_three_attempts_the_reason_is_told(submit, judges):
    seen = submit("x = 2")
    judges.claims.lease_s = -1.0
    for _ in range(3):
        judges.take()
    assert judges.claims.claim("by hand", lambda exercise: "suite") is None
    assert "lost 3 times" in seen.run().sentences[0]


def test_without_a_sandbox_it_says_what_to_install_and_the_editor_stays(submit, desk):
    desk.judges = SimpleNamespace(problem=Say("Install bubblewrap"), close=lambda: None)
    seen = submit()
    assert "Nothing can be graded here." in seen.sentences[0] and "Install bubblewrap" in seen.sentences[0]
    assert seen.app.button("submit_grade").disabled
    assert seen.app.text_area(TEXT).value == SKELETON


@pytest.fixture
def broken(tmp_path):
    """A data folder that is a file."""
    (tmp_path / "file").write_text("not a folder")
    desks.use(Tolerant(tmp_path / "file"))


def test_a_broken_data_folder_is_said_and_the_other_screens_work(broken, submit, visitor):
    seen = submit()
    assert "Nothing can be handed in here now." in seen.sentences[0]
    assert seen.app.button("submit_grade").disabled
    assert "Your submissions cannot be looked up now." in visitor("history").sentences[0]
    for screen in ("home", "explore", "paged_attention"):
        visitor(screen)


def test_what_is_typed_is_kept_even_then(broken, submit):
    seen = submit()
    seen.app.text_area(TEXT).set_value("# mine")
    seen.run().go("explore").go("submit")
    assert seen.app.text_area(TEXT).value == "# mine"
    assert submit().app.text_area(TEXT).value == "# mine"


def test_a_draft_survives_another_screen_another_language_and_another_visit(submit):
    seen = submit()
    seen.app.text_area(TEXT).set_value("# mine")
    seen.run().go("explore").go("submit")
    assert seen.app.text_area(TEXT).value == "# mine"
    seen.app.segmented_control("lang_switch").set_value("zh")
    assert seen.run().app.text_area(TEXT).value == "# mine"
    assert submit().app.text_area(TEXT).value == "# mine"


def test_a_text_that_took_the_place_of_another_can_be_taken_back(submit, judges):
    seen = done(submit, judges, passed("one"))
    seen.app.text_area(TEXT).set_value("# mine")
    seen.run().press("submit_skeleton")
    assert seen.app.text_area(TEXT).value == SKELETON
    assert seen.press("submit_back").app.text_area(TEXT).value == "# mine"
    assert seen.press("submit_last").app.text_area(TEXT).value == "class BlockManager: ..."
    assert seen.press("submit_back").app.text_area(TEXT).value == "# mine"


def test_what_another_tab_wrote_can_be_brought_back(submit):
    one, other = submit(), submit()
    one.app.text_area(TEXT).set_value("# one")
    one.run()
    other.app.text_area(TEXT).set_value("# other")
    other.run()
    assert one.run().app.text_area(TEXT).value == "# one"
    assert other.press("submit_back").app.text_area(TEXT).value == "# one"


@pytest.mark.parametrize(("name", "size", "said"), [("mine.txt", 9, "must end in .py"), ("mine.py", 270_000, "larger")])
def test_an_upload_is_looked_at_before_it_is_handed_in(submit, desk, name, size, said):
    seen = submit()
    seen.app.file_uploader("submit_file").set_value((name, b"#" * size, "text/x-python"))
    seen.run()
    assert said in "".join(seen.sentences)
    assert seen.app.button("upload_grade").disabled


def test_an_upload_is_graded_or_put_into_the_editor(submit, desk):
    seen = submit()
    seen.app.file_uploader("submit_file").set_value(("<b>m</b>.py", b"\xef\xbb\xbfx = 1\r\n", "text/x-python"))
    seen.run()
    assert "&lt;b&gt;m&lt;/b&gt;.py" in seen.html and "<b>m</b>.py" not in seen.html
    assert seen.press("upload_edit").app.text_area(TEXT).value == "x = 1\n"
    seen.press("upload_grade")
    assert [one.name for one in desk.submissions(PERSON)] == ["<b>m</b>.py"]
    assert "In the queue" in seen.html


def test_an_upload_that_the_desk_refuses_is_said(submit):
    seen = submit()
    seen.app.file_uploader("submit_file").set_value(("mine.py", b"\x89PNG\xff", "text/x-python"))
    seen.run().press("upload_grade")
    assert "is not UTF-8 text" in "".join(seen.sentences)


def test_whatever_a_submission_wrote_is_text(submit, judges):
    from dataclasses import replace

    row = failed("slot-mapping")
    assert row.failure is not None
    failure = replace(row.failure, actual=HOSTILE, stack=HOSTILE, printed=HOSTILE, answers=[HOSTILE] * 3)
    rows = [replace(row, failure=failure, message=Say("{value}", value=HOSTILE))]
    seen = done(submit, judges, *rows, output=HOSTILE + "x" * 60_000, message=Say("{text}", text=HOSTILE))
    assert "<script" not in seen.html and "<img" not in seen.html and "onerror=&quot;" in seen.html
    assert "\x1b" not in seen.html and "\u202e" not in seen.html
    others = [*seen.app.markdown, *seen.app.error, *seen.app.button, *seen.app.expander]
    assert not [one for one in others if "bold" in str(getattr(one, "label", "")) + str(getattr(one, "value", ""))]


def test_a_replay_needs_a_sandbox(submit, judges, monkeypatch):
    monkeypatch.setattr(launcher, "pick", lambda name: "process")
    seen = done(submit, judges, failed("slot-mapping")).press("run_p06_play_slot-mapping")
    assert "only run inside bubblewrap or Docker" in "".join(seen.sentences)
    assert "only run inside" not in "".join(seen.press("run_p06_play_slot-mapping").sentences)
