"""What is wrong with a question of a lesson."""

from __future__ import annotations

from collections.abc import Iterator

from grader.lesson.claims import Unclear, written
from grader.lesson.data import Question, Words
from grader.lesson.halves import facts
from grader.lesson.passages import Known, figure_problems, passage_problems
from grader.lesson.text import inside
from grader.words import Say


def question_problems(question: Question, known: Known) -> Iterator[Say]:
    right = [choice for choice in question.choices if choice.right]
    if question.kind == "open" and question.choices:
        yield Say("An open question has no choices: make it one of kind choice.")
    if question.kind in ("choice", "predict") and not question.value and (len(question.choices) < 2 or len(right) != 1):
        yield Say("It needs two choices or more, and exactly one of them right = true.")
    if len({choice.id for choice in question.choices}) != len(question.choices):
        yield Say("Two of its choices have the same id.")
    if question.value:
        yield from _asked(question, known)
    if question.figure is not None:
        yield from figure_problems(question.figure, known)
    if question.kind == "predict" and question.figure is None:
        yield Say("A prediction needs a figure that shows what happens: figure = {example}",
                  example='"{player story=worked-4 op=9}"')  # fmt: skip
    for words, free in _texts(question):
        if facts(words.en) != facts(words.zh):
            yield Say("The halves of “{text}” differ in their links or numbers. Make them the same.",
                      text=_short(words.en))  # fmt: skip
        for text in words:
            for _, say in passage_problems(text, (*question.given, *(inside(text) if free else ())), known):
                yield Say("In “{text}”: {problem}", text=_short(text), problem=say)


def _asked(question: Question, known: Known) -> Iterator[Say]:
    """A number that is asked for must be one."""
    try:
        value = known.reference.value(question.value)
    except Unclear as unclear:
        yield Say("The claim {target} cannot be checked: {problem}", target=question.value, problem=unclear.say)
        return
    if type(value) is not int:
        yield Say("{target} gives {value}, and only a whole number can be asked for.", target=question.value,
                  value=written(value))  # fmt: skip


def _texts(question: Question) -> Iterator[tuple[Words, bool]]:
    """Every text of a question; True: its numbers need no source, they are wrong on purpose."""
    yield question.ask, False
    yield question.answer, False
    for choice in question.choices:
        yield choice.text, not choice.right
        yield choice.why, False


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
