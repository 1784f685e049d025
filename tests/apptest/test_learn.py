"""Learn, as text and buttons: pages, questions right and wrong, hints, missions, and what is kept of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from app.learn import figures
from app.learn.lessons import exercises, lesson_of
from grader.lesson.data import Question
from grader.report import CheckResult, Report
from grader.words import LANGUAGES
from tests.apptest.conftest import PERSON, Visitor
from tests.sampling import third

LESSONS = {name: lesson_of(exercise) for name, exercise in exercises().items()}
PAGES = [(name, page.id) for name, lesson in LESSONS.items() for page in lesson.pages]
QUESTIONS = [(name, question.id) for name, lesson in LESSONS.items() for question in lesson.questions.values()]


def visit(exercise: str, page: str, lang: str = "en") -> Visitor:
    return Visitor("learn", exercise=exercise, page=page, lang=lang)


def asked(exercise: str, question: str) -> tuple[Visitor, Question]:
    lesson = LESSONS[exercise]
    seen = visit(exercise, lesson.places[question])
    press_if_there(seen, "after_")
    return seen, lesson.questions[question]


def press_if_there(seen: Visitor, start: str) -> None:
    for button in list(seen.app.button):
        if (button.key or "").startswith(start):
            seen.press(button.key)
            return


def telling(text: str) -> str:
    """A piece of ``text`` without links, long enough to be its own."""
    return max(re.split(r"[\[\]()\n]", text), key=len)[:60]


def players(seen: Visitor) -> int:
    """How many components the page has: each player is one."""
    return len(seen.app.get("bidi_component"))


def has(seen: Visitor, key: str) -> bool:
    return any(button.key == key for button in seen.app.button)


def markdown(seen: Visitor) -> str:
    return "\n".join(part.value for part in seen.app.markdown)


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("place", third(PAGES), ids="-".join)
def test_a_page_is_shown_with_its_title_and_its_place(place, lang):
    exercise, page = place
    seen = visit(exercise, page, lang)
    lesson = LESSONS[exercise]
    title = next(one.title for one in lesson.pages if one.id == page).of(lang)
    assert f'<h1 class="lesson-title">{title}</h1>' in seen.html
    assert "ref:" not in markdown(seen)


def test_the_first_visit_begins_at_the_first_page_and_the_next_where_one_left():
    seen = Visitor("learn")
    assert "Page 1 of" in seen.html
    seen.press("lesson_on")
    assert "Page 2 of" in seen.html
    assert "Page 2 of" in Visitor("learn").html
    assert seen.app.button("to_idea").label.startswith("◐")


def test_each_exercise_is_resumed_where_its_own_lesson_was_left():
    seen = visit("p06", "names")
    seen.app.segmented_control("lesson_exercise").set_value("l22")
    seen.run()
    assert "Page 1 of" in seen.html
    seen.app.segmented_control("lesson_exercise").set_value("p06")
    seen.run()
    assert "Page 3 of" in seen.html


def test_an_entry_with_its_mark_of_before_is_no_choice_of_a_page():
    seen = visit("p06", "names")
    for entry in ("○ Names and hits", "◐ Names and hits", "✓ Names and hits"):  # as a browser sends it that lags behind
        box = seen.app.selectbox("lesson_select")
        box.options.append(entry)
        box.set_value(entry)
        seen.run()
        assert "Page 3 of" in seen.html and seen.app.query_params["page"] in ("names", ["names"])
    assert "Page 3 of" in Visitor("learn").html
    assert "Page 1 of" in seen.choose("lesson_select", "idea").html


@pytest.mark.parametrize(("exercise", "page"), [("p06", "no-such-page"), ("p99", "idea"), ("p06", "<script>")])
def test_an_address_that_names_nothing_opens_the_first_page(exercise, page):
    assert "Page 1 of" in visit(exercise, page).html


CHOSEN = [(name, id) for name, id in QUESTIONS if LESSONS[name].questions[id].choices]


@pytest.mark.slow
@pytest.mark.parametrize("place", third(CHOSEN), ids="-".join)
def test_a_wrong_guess_is_explained_and_the_answer_opens_with_the_right_one(place):
    exercise, question = place
    seen, found = asked(exercise, question)
    key, drawn = f"choice_{exercise}_{question}", players(seen)
    assert 'class="lesson-mark" role="status"' not in seen.html
    for choice in sorted(found.choices, key=lambda one: one.right):
        seen.app.radio(key).set_value(choice.id)
        seen.run()
        word = "Right" if choice.right else "Not quite"
        assert f"</span> {word}</p>" in seen.html
        if choice.why.en:
            assert telling(choice.why.en) in markdown(seen)
        assert (telling(found.answer.en) in markdown(seen)) == choice.right
        assert players(seen) - drawn == (choice.right and found.figure is not None)
        assert has(seen, f"show_{question}") == (not choice.right)
        assert ("Choose another answer" in seen.html) == (not choice.right)
    assert not any(button.disabled for button in seen.app.button)


def test_whoever_was_right_may_look_at_the_other_choices_with_the_answer_open():
    seen, found = asked("p06", "next-slot")
    for choice in sorted(found.choices, key=lambda one: not one.right):
        seen.app.radio("choice_p06_next-slot").set_value(choice.id)
        seen.run()
        assert telling(found.answer.en) in markdown(seen)
    seen.press("hide_next-slot")
    assert telling(found.answer.en) not in markdown(seen)


@pytest.mark.slow
@pytest.mark.parametrize("place", third(CHOSEN), ids="-".join)
def test_nobody_has_to_guess_to_be_shown(place):
    exercise, question = place
    seen, found = asked(exercise, question)
    drawn = players(seen)
    assert seen.app.button(f"show_{question}").label == "Show me"
    seen.press(f"show_{question}")
    assert telling(found.answer.en) in markdown(seen)
    assert players(seen) - drawn == (found.figure is not None)
    seen.press(f"hide_{question}")
    assert telling(found.answer.en) not in markdown(seen)
    assert players(seen) == drawn


OPEN = [(name, id) for name, id in QUESTIONS if LESSONS[name].questions[id].kind == "open"]


@pytest.mark.slow
@pytest.mark.parametrize("place", third(OPEN), ids="-".join)
def test_an_open_question_hides_its_answer_until_it_is_asked_for(place):
    exercise, question = place
    seen, found = asked(exercise, question)
    begins = telling(found.answer.en)
    assert begins not in markdown(seen)
    assert seen.app.button(f"show_{question}").label == "Show the answer without one of my own"
    seen.app.text_area(f"text_{exercise}_{question}").set_value("# mine <b>bold</b> [x](y)")
    seen.run()
    assert seen.app.button(f"show_{question}").label == "Compare with the answer"
    seen.press(f"show_{question}")
    assert begins in markdown(seen)
    assert "<b>bold</b>" not in seen.html + markdown(seen)
    seen.press(f"hide_{question}")
    assert begins not in markdown(seen)


def test_what_was_answered_is_found_again_and_counted():
    seen, found = asked("p06", "next-slot")
    assert "0 of 18 questions answered" in seen.html
    seen.app.radio("choice_p06_next-slot").set_value(found.choices[0].id)
    seen.run()
    assert "1 of 18 questions answered" in seen.html
    again, _ = asked("p06", "next-slot")
    assert again.app.radio("choice_p06_next-slot").value == found.choices[0].id
    assert "1 of 18 questions answered" in again.html


def test_somebody_else_finds_nothing_of_it(desk):
    desk.note(PERSON, "lesson", "p06/q/next-slot", {"choice": "right"})
    assert "1 of 18 questions answered" in visit("p06", "idea").html
    other = Visitor("learn")
    other.app.session_state["person"] = "somebody-else".ljust(43, "-")
    assert "0 of 18 questions answered" in other.run().html


@pytest.mark.parametrize("value", [None, 5, "text", [], {"choice": "gone"}, {"choice": 5}, {"text": {"a": 1}}])
def test_a_note_of_another_shape_breaks_nothing(desk, value):
    for name in ("p06/q/next-slot", "p06/at", "p06/seen", "p06/after-pass", "p06/q/the-helper"):
        desk.note(PERSON, "lesson", name, value)
    for page in ("idea", "write", "after"):
        visit("p06", page)


def test_the_hints_of_a_check_open_one_after_the_other():
    seen = visit("p06", "write")
    assert "Hint 1 of 3" not in seen.html
    for level in (1, 2, 3):
        press_if_there(seen, "write_")
        assert [f"Hint {n} of 3" in seen.html for n in (1, 2, 3)] == [n <= level for n in (1, 2, 3)]
    assert "Hint 3 of 3" in visit("p06", "write").html


def test_what_is_for_after_a_pass_is_shown_to_whoever_wants_it_anyway():
    seen = visit("p06", "after")
    asked_for = "Three questions from practice"
    assert asked_for not in markdown(seen)
    press_if_there(seen, "after_")
    assert asked_for in markdown(seen)
    assert asked_for in markdown(visit("p06", "after"))


def test_a_broken_desk_breaks_no_lesson(desk, monkeypatch):
    def broken(*_: Any, **__: Any) -> Any:
        from app.desk import Refused
        from grader.words import Say

        raise Refused(Say("the disk is full"))

    monkeypatch.setattr(desk, "_sure", broken)
    seen, found = asked("p06", "next-slot")
    seen.app.radio("choice_p06_next-slot").set_value(found.choices[0].id)
    seen.run()
    assert "1 of 18 questions answered" in seen.html
    visit("l22", "prefill")
    visit("p06", "write")


MISSIONS = [("prefill", "allocate_for_prefill"), ("decode", "allocate_for_decode"), ("gather", "get_physical_cache")]


@pytest.mark.parametrize(("mission", "method"), MISSIONS)
def test_a_missions_method_is_written_in_place_and_kept_in_the_draft(desk, mission, method):
    key = f"task_l22_{mission}"
    seen = visit("l22", mission)
    text = seen.app.text_area(key).value
    assert text.startswith(f"    def {method}(self, req")
    seen.app.text_area(key).set_value(text.replace("raise NotImplementedError", "return self.mine or ("))
    seen.run()
    assert "return self.mine" not in str(desk.notes(PERSON, "draft").get("l22"))  # it is no Python yet
    assert "return self.mine" in visit("l22", mission).app.text_area(key).value
    seen.app.text_area(key).set_value(f"    def {method}(self, req):\n        return 'mine'\n")
    seen.run()
    draft = desk.notes(PERSON, "draft")["l22"]
    compile(draft, "draft", "exec")
    assert "return 'mine'" in draft and "class Request" in draft
    assert [f"def {name}(" in draft for _, name in MISSIONS] == [True] * 3
    seen.press(f"anew_{key}")
    assert seen.app.text_area(key).value == text
    assert "return 'mine'" not in desk.notes(PERSON, "draft")["l22"]


def test_a_run_hands_in_the_whole_file_for_this_mission_alone(desk):
    seen = visit("l22", "prefill")
    seen.press("run_task_l22_prefill")
    [made] = desk.submissions(PERSON, "l22", trials=True)
    assert made.only == ("prefill",)
    assert b"class KVCacheManager" in (desk.source(PERSON, made.id) or b"")
    assert desk.submissions(PERSON, "l22") == []


@pytest.mark.slow
def test_a_run_that_is_refused_says_why(desk):
    seen = visit("l22", "prefill")
    for _ in range(21):
        text = seen.app.text_area("task_l22_prefill").value
        seen.app.text_area("task_l22_prefill").set_value(text + "        # again\n")
        seen.press("run_task_l22_prefill")
    assert any("are waiting already" in sentence for sentence in seen.sentences)


def test_the_last_submission_is_told_check_by_check(desk):
    report = Report(
        "p06", "failed", "bubblewrap", "cpu", 0.5, None,
        [CheckResult("fresh-pool", "acceptance", "a new manager has every block free and says what fits", "passed"),
         CheckResult("slot-mapping", "acceptance", "slot finds the place of every token", "failed")],
    )  # fmt: skip
    made = desk.submit(PERSON, "p06", b"x = 1\n", "mine.py")
    done = replace(made, state="done", verdict="failed", passed=1, total=2, stars=0, stars_total=0)
    desk.submissions = lambda *_, **__: [done]
    desk.report = lambda *_: report
    seen = visit("p06", "write")
    assert "1 of 2 acceptance checks pass in your last submission" in seen.html
    assert "In your last submission 1 of 2 acceptance checks pass" in seen.html
    assert [id in seen.html for id in ("fresh-pool", "slot-mapping")] == [True, True]
    assert seen.app.selectbox[1].value == "slot-mapping"  # its hints are offered first


def test_where_the_solutions_are_not_the_reference_plays_and_it_is_said(monkeypatch):
    monkeypatch.setattr("app.learn.figures.mistakes", dict)
    figures._payload.cache_clear()
    visit("p06", "accounts")
    known = figures._Known(LESSONS["p06"].stories["revived-stays"])
    played = figures._payload(known, "revived-stays", 3, "en")
    figures._payload.cache_clear()
    assert "solutions/" in played["notice"] and len(played["traces"]) == 1
