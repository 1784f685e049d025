"""The lessons as they are: sound; and no number in them can be changed without the checker seeing it."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.exercise import discover
from grader.lesson import check, coded
from grader.lesson.asked import question_problems
from grader.lesson.check import page_problems, problems
from grader.lesson.data import Code, Figure, Lesson, Part, Prose, Question, Words, walk
from grader.lesson.load import folder, has_lesson, load
from grader.lesson.page import read
from grader.lesson.passages import Known
from grader.lesson.text import links
from grader.words import LANGUAGES, translator
from tests.unit.lessons import said

EXERCISES = {name: exercise for name, exercise in discover().items() if has_lesson(exercise)}
KNOWN = {name: Known(load(exercise).lesson, exercise) for name, exercise in EXERCISES.items()}
PAGES = [(name, page, lang) for name in EXERCISES for page in KNOWN[name].lesson.pages for lang in LANGUAGES]
QUESTIONS = [(name, question) for name in EXERCISES for question in KNOWN[name].lesson.questions.values()]
PRINTED = {
    part.source: part.output
    for name, page, lang in PAGES for part in walk(page.parts[lang]) if isinstance(part, Code)
}  # fmt: skip
DIGIT = re.compile(r"(?<![A-Za-z_0-9])\d")  # what is part of a name is no number


def test_both_exercises_have_a_lesson():
    assert set(EXERCISES) == set(discover())


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_lesson_is_sound(exercise):
    assert said(EXERCISES[exercise]) == []


@pytest.fixture
def without_running(monkeypatch):
    """Code prints what it is known to print (a sound lesson says so), and other code nothing."""
    monkeypatch.setattr(coded, "_run", lambda source: (PRINTED.get(source, ""), ""))


def changed(text: str) -> Iterator[tuple[int, str]]:
    """``text`` with one digit of a number changed, for each of them; and where it stands."""
    for match in DIGIT.finditer(text):
        yield match.start(), text[: match.start()] + str((int(match[0]) + 1) % 10) + text[match.end() :]


@pytest.mark.usefixtures("without_running")
@pytest.mark.parametrize(("exercise", "page", "lang"), PAGES, ids=lambda one: getattr(one, "id", one))
def test_a_digit_that_is_changed_on_a_page_is_seen(exercise, page, lang):
    known = KNOWN[exercise]
    file = folder(known.exercise) / f"{page.id}.{lang}.md"
    text = file.read_text("utf-8")
    for at, new in changed(text):
        parts, wrong = read(new, file)
        found = wrong + list(page_problems(replace(page, parts={**page.parts, lang: parts}), known))
        line = text.count("\n", 0, at) + 1
        assert found or _lists_itself(text, at), f"{file.name}:{line}: {text.splitlines()[line - 1]}"


def _lists_itself(text: str, at: int) -> bool:
    """Is the digit the number of an item in a list, or part of an address?"""
    start = text.rindex("\n", 0, at) + 1 if "\n" in text[:at] else 0
    line = text[start:].split("\n", 1)[0]
    item = re.match(r"[ >]*\d+\. ", line)
    return bool(item and at - start < item.end()) or any(
        start + match.start() <= at < start + match.end() for match in re.finditer(r"https://[^)\s]+", line)
    )


@pytest.mark.parametrize(("exercise", "question"), QUESTIONS, ids=lambda one: getattr(one, "id", one))
def test_a_digit_that_is_changed_in_a_question_is_seen(exercise, question):
    known = KNOWN[exercise]
    assert list(question_problems(question, known)) == []
    for new in _changed(question):
        assert list(question_problems(new, known)), new


def _changed(question: Question) -> Iterator[Question]:
    for field in ("ask", "answer"):
        for words in _halves(getattr(question, field)):
            yield replace(question, **{field: words})
    for place, choice in enumerate(question.choices):
        for field in ("text", "why"):
            for words in _halves(getattr(choice, field)):
                choices = list(question.choices)
                choices[place] = replace(choice, **{field: words})
                yield replace(question, choices=tuple(choices))


def _halves(words: Words) -> Iterator[Words]:
    for field in LANGUAGES:
        for _, new in changed(getattr(words, field)):
            yield words._replace(**{field: new})


@pytest.mark.parametrize(("exercise", "page", "lang"), PAGES, ids=lambda one: getattr(one, "id", one))
def test_a_half_that_is_taken_away_is_seen(exercise, page, lang, tmp_path):
    whole = EXERCISES[exercise]
    shutil.copytree(folder(whole), tmp_path / "lesson")
    for name in ("hints.py", "skeleton.py"):
        shutil.copy(whole.folder / name, tmp_path / name)
    (tmp_path / "lesson" / f"{page.id}.{lang}.md").unlink()
    found = [(problem.file.name, translator("en").text(problem.say)) for problem in problems(
        replace(whole, folder=tmp_path))]  # fmt: skip
    assert (f"{page.id}.{lang}.md", "This half of the page is missing: write it.") in found


@pytest.mark.usefixtures("without_running")
@pytest.mark.parametrize(("exercise", "page", "lang"), PAGES, ids=lambda one: getattr(one, "id", one))
def test_a_link_that_is_broken_is_seen(exercise, page, lang):
    known = KNOWN[exercise]
    file = folder(known.exercise) / f"{page.id}.{lang}.md"
    text = file.read_text("utf-8")
    for match in re.finditer(r"\]\((?!https)(\w+):([\w-]+)", text):
        new = f"{text[: match.start()]}]({match[1]}:x{match[2]}{text[match.end() :]}"
        parts, _ = read(new, file)
        assert list(page_problems(replace(page, parts={**page.parts, lang: parts}), known)), match[0]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_topic_of_the_hints_is_said_three_times_in_both_languages(exercise):
    assert list(check.hint_problems(EXERCISES[exercise])) == []


# -- nothing is told before it is asked --------------------------------------------------------------------------------

PREDICTED = [(name, question) for name, question in QUESTIONS if question.kind == "predict" and question.figure]


def told_before(exercise: str, question: Question) -> Iterator[tuple[str, int]]:
    """Every story that the lesson shows or makes claims about up to the question, and how far: a player tells it all.

    What is for after a pass may tell everything, and stands last.
    """
    lesson = KNOWN[exercise].lesson
    for page in lesson.pages:
        for part in walk(page.parts["en"]):
            if isinstance(part, Figure) and part.name == "question" and part.value == question.id:
                yield from claimed(question.ask.en)
                return
            yield from shown_by(part, lesson)


def shown_by(part: Part, lesson: Lesson) -> Iterator[tuple[str, int]]:
    if isinstance(part, Prose):
        yield from claimed(part.text)
    elif isinstance(part, Figure):
        figure = part
        if part.name == "question":
            yield from claimed(lesson.questions[part.value].answer.en)
            figure = lesson.questions[part.value].figure or part
        if "story" in figure.args:
            yield figure.args["story"], len(lesson.stories[figure.args["story"]].ops)


def claimed(text: str) -> Iterator[tuple[str, int]]:
    for link in links(text):
        story, _, rest = link.to.partition("/")
        if link.kind in ("ref", "story") and story != "calc":
            yield story, int(rest.partition("/")[0] or 0)


@pytest.mark.parametrize(("exercise", "question"), PREDICTED, ids=lambda one: getattr(one, "id", one))
def test_what_is_to_be_predicted_has_not_been_told(exercise, question):
    stories = KNOWN[exercise].lesson.stories
    asked, op = stories[question.figure.args["story"]], question.figure.number("op", 0)
    for name, known in told_before(exercise, question):
        told = stories[name]
        assert told.params != asked.params or known < op or told.ops[:op] != asked.ops[:op], name


@pytest.mark.parametrize("exercise", EXERCISES)
def test_no_worked_example_in_the_skeleton_answers_a_prediction(exercise):
    """The learner's own file lists them with their results."""
    for question in (question for name, question in PREDICTED if name == exercise):
        assert not question.figure.args["story"].startswith("worked-")


def shapes(source: str) -> set[str]:
    """The expressions of some size in it, whatever their names and numbers are."""
    found = set[str]()
    for node in ast.walk(Nameless().visit(ast.parse(source))):
        if isinstance(node, ast.expr) and _size(node) >= 5:
            found.add(ast.dump(node))
    return found


def _size(node: ast.expr) -> int:
    return sum(not isinstance(one, ast.expr_context) for one in ast.walk(node))


class Nameless(ast.NodeTransformer):
    """A name, a chain of attributes and a number are one thing; what is called keeps its name."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = ast.unparse(node.func).rpartition(".")[2]
        inner = [self.visit(one) for one in (*node.args, *(word.value for word in node.keywords))]
        return ast.Call(ast.Name(called), inner, [])

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("_")

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Name("_")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name("_")


def test_renaming_makes_the_warm_up_of_no_mission_an_answer():
    right = [*Path("tests/answers/right/l22").glob("*.py"), Path("solutions/l22_paged_attention.py")]
    answers = {shape for file in right for shape in shapes(file.read_text("utf-8"))}
    answers -= shapes(EXERCISES["l22"].skeleton.read_text("utf-8"))  # what is given is no answer
    pages = [page for page in KNOWN["l22"].lesson.pages if page.group]
    assert len(pages) == 3
    for page in pages:
        for part in walk(page.parts["en"]):
            if isinstance(part, Code):
                assert not shapes(part.source) & answers, page.id
