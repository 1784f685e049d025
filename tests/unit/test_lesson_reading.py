"""A lesson is read into parts; claims are held against every reading; methods come out of a file and go back."""

from __future__ import annotations

import pytest

import grader.exercises
from grader.exercise import discover
from grader.exercises.p06.stories import STORIES
from grader.lesson.assembly import methods_text, with_methods
from grader.lesson.claims import Reference, Unclear, calculated, in_the_hotel, named, says
from grader.lesson.data import AfterPass, Code, Figure, Prose, Words
from grader.lesson.load import load
from grader.lesson.page import read
from grader.lesson.text import links, numbers, replace
from grader.replay.op import p06_story
from grader.replay.trace import run
from tests.unit.lessons import EN, laid, said

L22 = discover()["l22"]


def test_a_page_is_read_into_prose_code_and_figures(tmp_path):
    parts, wrong = read(EN, tmp_path / "idea.en.md")
    assert wrong == []
    kinds = [type(part) for part in parts]
    assert kinds == [Prose, Figure, Figure, Figure, Figure, Code, AfterPass]
    assert parts[1] == Figure("question", "blocks-of-ten", {}, 8)
    assert parts[4].args == {"story": "mine", "op": "1"}
    assert (parts[5].source, parts[5].output, parts[5].line) == ("print(1 + 1)  # two", "2", 13)
    assert [type(part) for part in parts[6].parts] == [Prose, Figure]
    assert parts[6].parts[0] == Prose("Well done.", 22)


def test_a_figure_inside_a_fence_is_text(tmp_path):
    parts, wrong = read("```\n{hints}\n```\n", tmp_path / "a.en.md")
    assert (len(parts), wrong) == (1, [])


def test_the_loaded_lesson_has_words_questions_and_stories(tmp_path):
    lesson, wrong = load(laid(tmp_path))
    assert wrong == []
    assert lesson.pages[0].title == Words("The idea", "思路")
    assert lesson.places == {"blocks-of-ten": "idea", "found-again": "idea", "why": "idea"}
    assert lesson.own == {"mine": Words("a story of its own", "自己的故事")}
    assert {story.id for story in STORIES} < set(lesson.stories)
    assert lesson.questions["found-again"].figure == Figure("player", "", {"story": "worked-4", "op": "10"}, 0)


def test_links_numbers_and_their_lines():
    text = "A [3](ref:a/1/b) and 4.\n`x[5]` h0 [op 2](story:a/2)\n\n1. six\n```\n7\n```\n[x](https://a.b/8)"
    assert [(link.shown, link.kind, link.to, link.line) for link in links(text)] == [
        ("3", "ref", "a/1/b", 0), ("op 2", "story", "a/2", 1), ("x", "https", "//a.b/8", 7),
    ]  # fmt: skip
    assert [(one.text, one.line, one.place) for one in numbers(text)] == [
        ("4", 0, "prose"), ("x[5]", 1, "code"), ("7", 5, "fence"),
    ]  # fmt: skip
    assert replace("[3](ref:a) [b](page:c)", {"ref:a": "", "page:c": "d"}) == "3 [b](d)"


CLAIMS = [
    ("worked-1/5/table/x", [0, 1]), ("worked-1/6/table/x/2", 2), ("worked-1/7/slot/x/8", 8),
    ("worked-1/9/free_list", [3, 4, 5, 2, 1, 0]), ("worked-1/0/free", 6), ("worked-1/2/result", 4),
    ("worked-2/3/ref/1", 2), ("worked-2/8/evictable", [1, 0]), ("worked-2/8/on_cart", 2),
    ("worked-2/8/on_free_list", 6),
    ("worked-2/10/cached/c", 2), ("worked-2/10/blocks/c", 2), ("worked-2/10/length/c", 4), ("worked-2/3/fits/8", True),
    ("worked-2/8/hashed/1", True), ("worked-2/8/hashed/2", False), ("worked-3/3/result", "OutOfBlocks"),
    ("worked-3/3/needed", 2), ("worked-3/3/available", 1), ("worked-4/2/result", 3), ("worked-4/10/result", 0),
    ("worked-4/9/result/0", None), ("busy-evening/200/num_blocks", 32), ("worked-2/1/block_size", 2),
]  # fmt: skip


@pytest.mark.parametrize(("target", "value"), CLAIMS, ids=lambda one: one if isinstance(one, str) else None)
def test_a_claim_is_read_from_the_contracts_own_trace(target, value):
    reference = Reference("p06", named("p06"))
    found = reference.value(target)
    assert value is None or (found == value and type(found) is type(value))


L22_CLAIMS = [
    ("prefill/2/table/r", [0, 1]), ("prefill/2/free", 8), ("decode/2/seq_len/r", 7), ("oom/1/result", "OOM"),
    ("oom/1/free_blocks", [0]), ("gather/3/result", [9, 64]), ("gather/3/rows/r", [4, 4, 1]),
    ("gather/3/joined/r", [12, 64]), ("gather/3/shape/r/0", 9), ("order/2/table/r", [7, 2, 9]),
    ("prefill/2/blocks/r", 2), ("prefill/2/num_blocks", 10), ("prefill/2/block_size", 4), ("prefill/2/head_dim", 64),
]  # fmt: skip


@pytest.mark.parametrize(("target", "value"), L22_CLAIMS, ids=lambda one: one if isinstance(one, str) else None)
def test_a_claim_of_l22_is_read_from_its_model(target, value):
    assert Reference("l22", named("l22")).value(target) == value


@pytest.mark.parametrize("target", [
    "", "worked-1", "worked-1/1", "worked-1/1/table", "worked-1/1/table/x/9", "worked-1/1/ref/9", "worked-1/2/needed",
    "worked-1/x/free", "worked-1/-1/free", "calc/", "calc/1/0", "calc/__import__", "calc/2.5+1", "worked-1/1/slot/x/99",
])  # fmt: skip
def test_a_claim_that_says_nothing_is_unclear(target):
    with pytest.raises(Unclear):
        Reference("p06", named("p06")).value(target)


def test_a_length_that_may_be_one_of_two_is_open():
    """A refused decode may or may not have grown the length."""
    story = p06_story(1, 4, [["prefill", "r", 4], ["decode", "r"]], id="refused")
    story = type(story)({"num_blocks": 1, "block_size": 4, "head_dim": 8}, story.ops, id="refused")
    reference = Reference("l22", {"refused": story})
    assert reference.value("refused/1/seq_len/r") == 4
    with pytest.raises(Unclear):
        reference.value("refused/2/seq_len/r")


@pytest.mark.parametrize(("text", "value"), [("-(-10//4)", 3), ("9%4==1", True), ("3+4*2", 11), ("1<2<=2", True)])
def test_arithmetic(text, value):
    assert calculated(text) == value


@pytest.mark.parametrize(("shown", "value"), [
    ("3", 3), ("three", 3), ("**3**", 3), ("`[0, 1]`", [0, 1]), ("两", 2), ("no", 0), ("True", True), ("None", None),
])  # fmt: skip
def test_what_a_claim_may_look_like(shown, value):
    assert says(shown, value)


@pytest.mark.parametrize(("shown", "value"), [("3", 4), ("1", True), ("one", True), ("[0,1]", [1, 0]), ("13", 3)])
def test_what_no_claim_of_it_is(shown, value):
    assert not says(shown, value)


SOURCE = L22.skeleton.read_text("utf-8")


def test_a_method_comes_out_of_a_file_and_goes_back():
    text = methods_text(SOURCE, "KVCacheManager", ["allocate_for_decode"])
    assert text.startswith("    def allocate_for_decode(self, req: Request) -> None:\n")
    assert with_methods(SOURCE, "KVCacheManager", ["allocate_for_decode"], text) == SOURCE
    new = with_methods(SOURCE, "KVCacheManager", ["allocate_for_decode"], "    def allocate_for_decode(me, r): 0\n")
    assert methods_text(new, "KVCacheManager", ["allocate_for_decode"]).endswith("0\n")
    assert methods_text(new, "KVCacheManager", ["allocate_for_prefill"]) == methods_text(
        SOURCE, "KVCacheManager", ["allocate_for_prefill"]
    )


def test_several_methods_go_back_together_with_their_decorators():
    source = "class C:\n    @one\n    def a(self):\n        pass\n\n    x = 1\n\n    def b(self):\n        pass\n"
    text = methods_text(source, "C", ["b", "a"])
    assert text == "    def b(self):\n        pass\n\n    @one\n    def a(self):\n        pass\n"
    assert with_methods(source, "C", ["a", "b"], "    a = b = 2") == "class C:\n    a = b = 2\n\n    x = 1\n\n"


@pytest.mark.parametrize("source", ["", "class C:", "class C: pass", "def a(self): pass", "x = \0", "(" * 10_000])
def test_a_file_without_the_methods_gives_none(source):
    assert methods_text(source, "C", ["a"]) is None
    assert with_methods(source, "C", ["a"], "") is None


THIRD = {
    "exercise.toml": (L22.folder / "exercise.toml").read_text("utf-8"),
    "hints.py": "HINTS = {}\n",
    "skeleton.py": SOURCE,
    "claims.py": (
        "PARAMS = ('size',)\n\n\ndef values(story, op, field, args):\n    return [story.params['size'] + op]\n"
    ),
    "lesson/lesson.toml": (
        '[[page]]\nid = "a"\ntitle = {en = "A", zh = "甲"}\n\n[[story]]\nid = "s"\ntitle = {en = "S", zh = "乙"}\n'
        'size = 40\nops = [["go"], ["go"]]\n'
    ),
    "lesson/a.en.md": "It is [42](ref:s/2/sum).\n",
    "lesson/a.zh.md": "它是 [42](ref:s/2/sum)。\n",
}


def test_a_third_exercise_with_a_lesson_needs_no_list(tmp_path, monkeypatch):
    for name, text in THIRD.items():
        path = tmp_path / "third" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(grader.exercises, "__path__", [*grader.exercises.__path__, str(tmp_path)])
    exercise = discover(tmp_path)["third"]
    assert said(exercise) == []
    (exercise.folder / "lesson" / "a.zh.md").write_text("它是 [43](ref:s/2/sum)。\n", "utf-8")
    assert any("The text claims 43, but ref:s/2/sum gives 42." in line for line in said(exercise))


def test_a_story_of_l22_is_played_by_a_block_manager_without_a_cache():
    story = named("l22")["turns"]
    for op in range(len(story.ops) + 1):
        played, over = in_the_hotel("l22", story, op) or pytest.fail("not played")
        state = run(played).at(over - 1)
        tables = {name: Reference("l22", named("l22")).value(f"turns/{op}/table/{name}") for name in state.tables}
        assert dict(state.tables) == tables
    assert in_the_hotel("l22", named("l22")["order"], 1) is None
    worked = named("p06")["worked-1"]
    assert in_the_hotel("p06", worked, 3) == (worked, 3)
