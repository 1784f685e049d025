"""The checker of lessons: everything it refuses, with file, line, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from grader.exercise import Exercise
from grader.lesson.asked import question_problems
from grader.lesson.assembly import methods_text
from grader.lesson.coded import code_problems
from grader.lesson.data import Code, Figure, Lesson, Page, Problem, Prose, walk
from grader.lesson.halves import parted, told
from grader.lesson.load import folder, has_lesson, line_of, load
from grader.lesson.passages import Known, figure_problems, passage_problems
from grader.words import LANGUAGES, Say, translator

ROOT = Path(__file__).resolve().parents[2]


def problems(exercise: Exercise) -> list[Problem]:
    """All that is wrong with an exercise's lesson (none: no lesson) and its hints."""
    found = list(hint_problems(exercise))
    if not has_lesson(exercise):
        return found
    lesson, read = load(exercise)
    known = Known(lesson, exercise)
    found += read
    for page in lesson.pages:
        found += page_problems(page, known)
    toml = folder(exercise) / "lesson.toml"
    text = toml.read_text("utf-8")
    for question in lesson.questions.values():
        found += [Problem(toml, line_of(text, question.id), say) for say in question_problems(question, known)]
    found += _lying_about(exercise, lesson)
    found += _tasks(exercise, lesson)
    return list(dict.fromkeys(found))


def hint_problems(exercise: Exercise) -> Iterator[Problem]:
    """A topic needs three levels, each of them said in every language."""
    file = exercise.folder / "hints.py"
    if not file.is_file():
        yield Problem(file, 0, Say("The exercise has no hints: write HINTS, three levels a topic."))
        return
    for topic, levels in import_module(f"grader.exercises.{exercise.id}.hints").HINTS.items():
        yield from levels_missing(file, topic, levels)


def levels_missing(file: Path, topic: str, levels: tuple[str, ...]) -> Iterator[Problem]:
    if len(levels) != 3:
        yield Problem(file, 0, Say("The hints of {topic} need three levels, not {n}.", topic=topic, n=len(levels)))
    for number, level in enumerate(levels, start=1):
        if not level.strip():
            yield Problem(file, 0, Say("Level {level} of the hints of {topic} is empty: write it.", level=number,
                                       topic=topic))  # fmt: skip
        elif any(translator(lang).text(level) == level for lang in LANGUAGES if lang != "en"):
            say = Say("Level {level} of the hints of {topic} is not translated: run {command} and fill it in.",
                      level=number, topic=topic, command="./check.sh words")  # fmt: skip
            yield Problem(file, 0, say)


def page_problems(page: Page, known: Known) -> Iterator[Problem]:
    for lang in LANGUAGES:
        file = folder(known.exercise) / f"{page.id}.{lang}.md"
        for part in walk(page.parts[lang]):
            if isinstance(part, Prose):
                for line, say in passage_problems(part.text, page.given, known):
                    yield Problem(file, part.line + line, say)
            elif isinstance(part, Code):
                yield from (Problem(file, part.line, say) for say in code_problems(part))
            elif isinstance(part, Figure):
                yield from (Problem(file, part.line, say) for say in figure_problems(part, known))
    if all(page.parts.values()):
        differs = parted(page.parts["en"], page.parts["zh"])
        if differs is not None:
            line = next((piece.line for piece in reversed(differs) if piece is not None), 0)
            say = Say("The halves part here: the English one has {en}, the Chinese one {zh}. Make them the same.",
                      en=told(differs[0]), zh=told(differs[1]))  # fmt: skip
            yield Problem(folder(known.exercise) / f"{page.id}.{'zh' if differs[1] else 'en'}.md", line, say)
    if page.group and page.group not in known.exercise.missions:
        yield Problem(folder(known.exercise) / "lesson.toml", 0, Say("There is no mission {name}.", name=page.group))


def _lying_about(exercise: Exercise, lesson: Lesson) -> Iterator[Problem]:
    """Files that no page names, questions that stand on no page or on several."""
    names = {f"{page.id}.{lang}.md" for page in lesson.pages for lang in LANGUAGES}
    for file in sorted(folder(exercise).glob("*.md")):
        if file.name not in names:
            yield Problem(file, 0, Say("No page of {file} names this file.", file="lesson.toml"))
    toml = folder(exercise) / "lesson.toml"
    text = toml.read_text("utf-8")
    stands = [one.value for page in lesson.pages for one in page.figures() if one.name == "question"]
    for name in lesson.questions:
        if stands.count(name) != 1:
            yield Problem(toml, line_of(text, name), Say("The question {id} stands on {n} pages: put it on one.",
                                                         id=name, n=stands.count(name)))  # fmt: skip


def _tasks(exercise: Exercise, lesson: Lesson) -> Iterator[Problem]:
    """The methods of a task are written in the skeleton."""
    toml = folder(exercise) / "lesson.toml"
    text = toml.read_text("utf-8")
    skeleton = exercise.skeleton.read_text("utf-8")
    for name, methods in lesson.tasks.items():
        if methods_text(skeleton, exercise.class_name, methods) is None:
            say = Say("The skeleton has no methods {names}.", names=", ".join(methods) or "-")
            yield Problem(toml, line_of(text, name), say)
