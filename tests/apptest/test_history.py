"""History: one's own submissions and nobody else's; opened, compared, taken up again, deleted."""

from __future__ import annotations

import pytest

from tests.apptest.conftest import PERSON
from tests.apptest.judging import ByHand, failed, passed, report

TEXT = "submit_text_p06"


@pytest.fixture
def handed(desk, tmp_path):
    """Hand in as this visitor and end it with these checks; the id."""
    judges = ByHand(tmp_path / "data")

    def hand(text, *checks, exercise="p06", name="mine.py", person=PERSON):
        made = desk.submit(person, exercise, text.encode(), name)
        if checks:
            claim = judges.claims.claim("by hand", lambda exercise: "suite")
            if claim is not None:  # else it was answered from the stored report of the same file
                assert claim.submission == made.id
                assert judges.claims.finish(claim, report(*checks, exercise=exercise), "suite")
        return made.id

    yield hand
    judges.store.close()


def rows(seen):
    """The ids in the list, in their order."""
    return [button.key.removeprefix("past_open_") for button in seen.app.button if "past_open_" in str(button.key)]


def test_nothing_yet_says_what_to_do(visitor):
    seen = visitor("history")
    assert "Nothing here yet" in seen.html and rows(seen) == []


def test_the_newest_stands_first_with_its_counts(visitor, handed):
    old, new = handed("a = 1", failed("one"), passed("two")), handed("a = 2", passed("one"), passed("two"))
    seen = visitor("history")
    assert rows(seen) == [new, old]
    assert "<b>Failed</b><span>1 of 2 checks</span>" in seen.html and "2 of 2 checks" in seen.html


def test_what_waits_is_there_and_marked(visitor, handed):
    handed("a = 1")
    assert "<b>In the queue</b>" in visitor("history").html


def test_the_filter_shows_one_exercise(visitor, handed):
    p06, l22 = handed("a = 1", passed("one")), handed("a = 2", passed("one"), exercise="l22")
    seen = visitor("history")
    assert rows(seen) == [l22, p06]
    seen.app.segmented_control("past_filter").set_value("l22")
    assert rows(seen.run()) == [l22]
    assert rows(seen.go("explore").go("history")) == [l22]


def test_a_long_list_has_pages(visitor, handed):
    made = [handed(f"a = {n}", passed("one")) for n in range(20)]
    seen = visitor("history")
    assert rows(seen) == made[:4:-1] and "1–15 of 20" in seen.html
    assert rows(seen.press("past_older")) == made[4::-1] and "16–20 of 20" in seen.html
    assert rows(seen.press("past_newer")) == made[:4:-1]


def test_one_is_opened_with_its_report_and_closed_again(visitor, handed):
    one = handed("a = 1", failed("slot-mapping"))
    seen = visitor("history").press(f"past_open_{one}")
    assert "<h2>Failed</h2>" in seen.html and "what slot-mapping asks" in seen.html and rows(seen) == []
    assert "<h2>Failed</h2>" in visitor("history", open=one).html
    assert rows(seen.press("past_back")) == [one]


def test_somebody_elses_is_as_if_it_were_not_there(visitor, handed):
    theirs = handed("a = 1", failed("slot-mapping"), person="somebody else")
    one, other = visitor("history", open=theirs), visitor("history", open="no-such-thing")
    assert "There is no such submission here." in one.sentences[0]
    assert one.html == other.html and "slot-mapping" not in one.html
    assert rows(visitor("history")) == []


def test_two_are_compared(visitor, handed):
    old = handed("a = 1\nb = 2\n", passed("one"), failed("two"), passed("three"))
    new = handed("a = 1\nb = 3 < 4\n", failed("one"), passed("two"), passed("three"))
    seen = visitor("history")
    seen.app.checkbox(f"past_pick_{new}").check()
    assert "Choose a second one" in seen.run().sentences[0]
    seen.app.checkbox(f"past_pick_{old}").check()
    said = seen.run().html
    gained, lost = said.index("Checks gained"), said.index("Checks lost")
    assert gained < said.index("what two asks") < lost < said.index("what one asks")
    assert "what three asks" not in said
    assert ">-b = 2\n<" in said and ">+b = 3 &lt; 4\n<" in said


def test_what_to_do_with_the_boxes_is_said_only_while_there_is_something_to_do(visitor, handed):
    old = handed("a = 1", failed("one"))
    assert "Tick two" not in visitor("history").html  # there are no two
    new = handed("a = 2", passed("one"))
    seen = visitor("history")
    assert "Tick two of them" in seen.html
    for one in (old, new):
        seen.app.checkbox(f"past_pick_{one}").check()
        seen.run()
    assert "Tick two of them" not in seen.html and "are compared above" in seen.html
    seen.press("past_untick")
    assert "Tick two of them" in seen.html and "Checks gained" not in seen.html
    assert not any(box.value for box in seen.app.checkbox)


def test_the_same_handed_in_again_is_one_row_that_says_so(visitor, handed, desk):
    first, between = handed("a = 1", failed("one")), handed("a = 2", failed("one"))
    again = handed("a = 1", failed("one"))
    last = handed("a = 1", failed("one"))
    seen = visitor("history")
    assert rows(seen) == [last, between, first]  # something else came between: that is another time
    assert seen.html.count("handed in 2 times, first") == 1
    seen.press(f"past_delete_{last}")
    assert "all 2 times" in seen.sentences[0]
    seen.press("past_delete_yes")
    assert rows(seen) == [between, first] and desk.submission(PERSON, again) is None


def test_another_name_or_exercise_keeps_a_row_of_its_own(visitor, handed):
    one, named = handed("a = 1", failed("one")), handed("a = 1", failed("one"), name="other.py")
    other = handed("a = 1", failed("one"), name="other.py", exercise="l22")
    assert rows(visitor("history")) == [other, named, one]


def test_of_three_the_first_choice_is_given_up(visitor, handed):
    made = [handed(f"a = {n}", passed("one")) for n in range(3)]
    seen = visitor("history")
    for one in made:
        seen.app.checkbox(f"past_pick_{one}").check()
        seen.run()
    assert [seen.app.checkbox(f"past_pick_{one}").value for one in made] == [False, True, True]


def test_two_exercises_are_compared_by_their_texts_alone(visitor, handed):
    p06, l22 = handed("a = 1", passed("one")), handed("a = 2", passed("one"), exercise="l22")
    seen = visitor("history")
    for one in (p06, l22):
        seen.app.checkbox(f"past_pick_{one}").check()
    assert "only their texts are compared" in seen.run().html and "Checks gained" not in seen.html


def test_a_text_is_taken_up_again(visitor, handed):
    old = handed("a = 1", passed("one"))
    handed("a = 2", passed("one"))
    seen = visitor("submit")
    seen.app.text_area(TEXT).set_value("# mine")
    seen.run().go("history").press(f"past_edit_{old}")
    assert seen.app.text_area(TEXT).value == "a = 1"
    assert seen.go("submit").press("submit_back").app.text_area(TEXT).value == "# mine"


def test_deleting_asks_first(visitor, handed, desk):
    one, other = handed("a = 1", passed("one")), handed("a = 2", passed("one"))
    seen = visitor("history").press(f"past_delete_{one}")
    assert "Delete mine.py and its report?" in "".join(seen.sentences)
    assert rows(seen.press("past_delete_no")) == [other, one]
    seen.press(f"past_delete_{one}").press("past_delete_yes")
    assert rows(seen) == [other]
    assert [row.id for row in desk.submissions(PERSON)] == [other]


def test_an_open_one_is_deleted_and_the_list_comes_back(visitor, handed):
    one, other = handed("a = 1", passed("one")), handed("a = 2", passed("one"))
    seen = visitor("history", open=one).press("past_delete_this").press("past_delete_yes")
    assert rows(seen) == [other] and seen.sentences == []


def test_how_it_went_is_drawn_once_there_are_two(visitor, handed):
    handed("a = 1", failed("one"))
    assert "How it went" not in visitor("history").html
    handed("a = 2", passed("one"))
    assert "How it went" in visitor("history").html


def test_a_name_is_text(visitor, handed):
    handed("a = 1", passed("one"), name="<b>x</b>\u202e\x1b[31m.py")
    said = visitor("history").html
    assert "&lt;b&gt;x&lt;/b&gt;.py" in said and "\u202e" not in said
