"""The checker of lessons refuses what is missing, wrong or unlike in the two halves, and says where."""

from __future__ import annotations

import re

import pytest

from grader.commands.lessons import findings
from grader.commands.usage import UsageError
from grader.exercise import discover
from grader.lesson import check
from grader.lesson.check import levels_missing
from tests.unit.lessons import EN, FILES, TOML, ZH, laid, said


def test_a_sound_lesson_is_not_refused(tmp_path):
    assert said(laid(tmp_path)) == []


#: what is done to a file: the text that is replaced, by what; what the checker says, and in which line of which file
PAGE = [
    ("A block has 16", "A block has 17", "idea.en.md:3: The number 17 comes from nowhere"),
    ("`(len - 1) // bs`", "`(len - 2) // bs`", "idea.en.md:3: The code (len - 2) // bs has numbers in it"),
    ("`9 % 4 == 1`", "`9 % 4 == 2`", "idea.en.md:3: The code 9 % 4 == 2 has numbers in it"),
    ("[three]", "[four]", "idea.en.md:3: The text claims four, but ref:mine/1/length/a gives 3."),
    ("[[0, 1, 3]]", "[[0, 1, 2]]", "idea.en.md:5: The text claims [0, 1, 2], but ref:worked-2/3/table/b gives [0,1"),
    ("mine/1/length", "mine/9/length", "idea.en.md:3: The claim ref:mine/9/length/a cannot be checked: mine has ops 0"),
    ("mine/1/length", "our/1/length", "there is no story our"),
    ("1/length/a", "1/size/a", "there is no field size. There are: result, free"),
    ("1/length/a", "1/length/z", "z is not live there. Live are: a"),
    ("mistake:free-forwards", "mistake:free-sideways", "idea.en.md:6: mistake:free-sideways leads nowhere. There are:"),
    ("story:worked-2/4", "story:worked-2/40", "idea.en.md:6: The story worked-2 has ops 0 to 12, not 40."),
    ("story:worked-2/4", "story:worked-9/4", "idea.en.md:6: There is no story worked-9."),
    ("[op 4]", "[op 5]", "idea.en.md:6: The number 5 comes from nowhere"),
    ("(mistake:free-forwards)", "(gallery)", "gallery: leads nowhere. A link begins with one of: ref:"),
    ("(mistake:free-forwards)", "(page:the-end)", "page:the-end leads nowhere. There are: idea"),
    ("(mistake:free-forwards)", "(https:nothing)", "https:nothing is no address."),
    ("[A mistake]", "[]", "The link to mistake:free-forwards has no text: write one."),
    ("{question why}", "{question how}", "idea.en.md:10: There is no question how. There are: blocks-of-ten"),
    ("{question why}", "{questions why}", "idea.en.md:10: {questions why} is no figure. There are: question"),
    ("{question why}", "{question}", "idea.en.md:10: {question} takes 1 word without an equals sign."),
    ("{question why}", "", "lesson.toml:35: The question why stands on 0 pages: put it on one."),
    ("story=mine op=1}", "op=1}", "idea.en.md:11: {player op=1} lacks story=…"),
    ("story=mine op=1}", "story=mine op=one}", "op= of {player story=mine op=one} must be a number"),
    ("story=mine op=1}", "story=mine op=3}", "idea.en.md:11: The story mine has ops 0 to 2, not 3."),
    ("story=mine op=1}", "story=mine size=3}", "{player story=mine size=3} does not know size="),
    ("story=mine op=1}", "story=mine by=nobody}", "There is no mistake nobody here: the reference plays."),
    ("{player story=mine op=1}", "{chart story=mine kind=pie}", "The kind of a chart is pool or map, not pie."),
    ("{player story=mine op=1}", "{task prefill}", "There is no task prefill: give it a table [[task]]"),
    ("{player story=mine op=1}", "{hints mission=prefill}", "There is no mission prefill."),
    ("print(1 + 1)", "print(1 + 2)", r"The code prints '3\n', not '2': put what it prints into the fence output."),
    ("print(1 + 1)", "print(one)", "The code does not run: NameError: name 'one' is not defined"),
    ("```python run\nprint(1 + 1)  # two\n```\n", "", "idea.en.md:13: This output follows no code"),
    ("2\n```\n", "2\n", "idea.en.md:16: This fence is not closed: put ``` on a line of its own."),
    ("{end}", "", "idea.en.md:20: {after-pass} has no {end} after it."),
    ("{after-pass}", "", "{end} is no figure"),
    ("Well done.\n", "", "The halves part here: the English one has figure hints, the Chinese one paragraph 0"),
    ("{hints}\n", "", "the English one has figure end, the Chinese one figure hints"),
    ("## The idea", "### The idea", "the English one has heading of level 3, the Chinese one heading of level 2"),
    ("- [A mistake]", "[A mistake]", "the English one has list of items 1, the Chinese one list of items 2"),
    ("# two", "", None),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), PAGE, ids=lambda text: None)
def test_a_page_that_is_not_sound_is_refused(tmp_path, old, new, words):
    assert old in EN
    found = said(laid(tmp_path, {**FILES, "idea.en.md": EN.replace(old, new, 1)}))
    if words is None:
        assert found == []
    else:
        assert any(words in line for line in found), found


DATA = [
    ('zh = "思路"', 'zh = ""', "title lacks its text in zh: write it."),
    ('zh = "为什么？"', 'zh = " "', "lesson.toml:35: ask lacks its text in zh: write it."),
    ('answer = {en = "Because.", zh = "因为。"}', "", "answer lacks its text in en: write it."),
    (', why = {en = "The rest has no place.", zh = "剩下的没有地方放。"}', "", "why lacks its text in en: write it."),
    ('kind = "open"', 'kind = "shut"', "The kind of a question is one of choice, open, predict."),
    ('kind = "choice"', 'kind = "open"', "An open question has no choices"),
    ("right = true, ", "", "exactly one of them right = true"),
    ('{id = "down", en', '{id = "down", right = true, en', "exactly one of them right = true"),
    ('{id = "down", en', '{id = "up", en', "Two of its choices have the same id."),
    ('number = "worked-4/10/result"', "", "It needs two choices or more"),
    ('number = "worked-4/10/result"', 'number = "worked-4/9/result"', "only a whole number can be asked for"),
    ('number = "worked-4/10/result"', 'number = "worked-9/9/result"', "there is no story worked-9"),
    ('figure = "{player story=worked-4 op=10}"', "", "A prediction needs a figure that shows what happens"),
    ('figure = "{player story=worked-4 op=10}"', 'figure = "{player}"', "{player} lacks story=…"),
    ("[3](ref:calc/-(-10//4))", "[4](ref:calc/-(-10//4))", "The text claims 4, but ref:calc/-(-10//4) gives 3."),
    ("calc/-(-10//4)", "calc/ten", "ten is not whole-number arithmetic"),
    ("How many blocks do 10", "How many blocks do 11", "The number 11 comes from nowhere"),
    ('en = "2"', 'en = "1"', "The halves of “1” differ in their links or numbers."),
    ('ask = {en = "Why?"', 'asks = {en = "Why?"', "There is no field asks. There are: id, kind, ask"),
    ('id = "why"', 'id = "found-again"', "Each question needs an id of its own, and found-again is none."),
    ('["append_slot", "a", 4]', '[["append_slot"]]', "A story needs num_blocks, block_size, enable_prefix_cache"),
    ("enable_prefix_cache = true", "", "A story needs num_blocks, block_size, enable_prefix_cache"),
    (', zh = "自己的故事"}', "}", "title lacks its text in zh"),
    ("[[page]]", "[page", "This is not TOML"),
    ("[[page]]", '[[task]]\nid = "x"\nmethods = ["fly"]\n\n[[page]]', "The skeleton has no methods fly."),
    ('id = "idea"', 'id = "idea"\ngroup = "prefill"', "There is no mission prefill."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "words"), DATA, ids=lambda text: None)
def test_data_that_is_not_sound_is_refused(tmp_path, old, new, words):
    assert old in TOML
    found = said(laid(tmp_path, {**FILES, "lesson.toml": TOML.replace(old, new, 1)}))
    assert any(words in line for line in found), found


def test_a_missing_half_is_refused(tmp_path):
    exercise = laid(tmp_path, {name: text for name, text in FILES.items() if name != "idea.zh.md"})
    assert "idea.zh.md:0: This half of the page is missing: write it." in said(exercise)


def test_a_file_that_no_page_names_is_refused(tmp_path):
    found = said(laid(tmp_path, {**FILES, "more.en.md": "More.\n"}))
    assert found == ["more.en.md:0: No page of lesson.toml names this file."]


def test_what_the_contract_leaves_open_may_not_be_claimed(tmp_path):
    """After b's first block is freed, it waits on the cart under some readings and is free under others."""
    toml = TOML + (
        '\n[[story]]\nid = "open"\ntitle = {en = "open", zh = "开放"}\nnum_blocks = 4\nblock_size = 2\n'
        'enable_prefix_cache = true\nops = [["allocate", "a", [1, 2]], ["allocate", "b", [1, 2]], ["free", "b"]]\n'
    )
    claim = "[[]](ref:open/3/evictable)"
    files = {**FILES, "lesson.toml": toml, "idea.en.md": f"{EN}\n{claim}\n", "idea.zh.md": f"{ZH}\n{claim}\n"}
    found = said(laid(tmp_path, files))
    assert any("the contract leaves it open: [1], [] are all right" in line for line in found), found


def test_claims_may_stand_in_another_order_in_the_same_paragraph(tmp_path):
    en = EN + "\n[3](ref:mine/1/length/a), then [4](ref:mine/2/length/a).\n"
    zh = ZH + "\n先 [4](ref:mine/2/length/a)，再 [3](ref:mine/1/length/a)。\n"
    assert said(laid(tmp_path, {**FILES, "idea.en.md": en, "idea.zh.md": zh})) == []


@pytest.mark.parametrize("levels", [("", "b", "c"), ("a", "b"), ("a", " ", "c"), ("never said before", "b", "c")])
def test_a_hint_that_is_empty_missing_or_not_translated_is_refused(tmp_path, levels):
    known = check.import_module("grader.exercises.p06.hints").HINTS["slot"]
    levels = tuple(level if level in ("", " ", "never said before") else known[0] for level in levels)
    assert list(levels_missing(tmp_path / "hints.py", "slot", known)) == []
    assert list(levels_missing(tmp_path / "hints.py", "slot", levels)) != []


def test_an_exercise_without_hints_is_refused(tmp_path):
    exercise = laid(tmp_path)
    (tmp_path / "hints.py").unlink()
    assert said(exercise) == ["hints.py:0: The exercise has no hints: write HINTS, three levels a topic."]


def test_the_command_names_file_and_line_and_gives_1(tmp_path, monkeypatch):
    files = {**FILES, "idea.en.md": EN.replace("A block has 16", "A block has 17")}
    exercise = laid(tmp_path, files)
    monkeypatch.setattr("grader.commands.lessons.ROOT", tmp_path)
    lines, code = findings({"p06": exercise}, [])
    assert code == 1
    assert re.fullmatch(r"lesson/idea\.en\.md:3", lines[0].args["place"])
    assert findings({"p06": exercise, "l22": discover()["l22"]}, ["l22"])[1] == 0
    with pytest.raises(UsageError):
        findings({"p06": exercise}, ["p07"])
