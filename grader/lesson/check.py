"""The checker of lessons: everything it refuses, with file, line, and what to do about it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from grader.exercise import Exercise
from grader.lesson.claims import Reference, Unclear, calculated, says, written
from grader.lesson.data import Code, Figure, Lesson, Page, Problem, Prose, Question, Words, walk
from grader.lesson.halves import facts, parted, told
from grader.lesson.load import folder, has_lesson, line_of, load
from grader.lesson.text import inside, links, numbers
from grader.words import LANGUAGES, Say, translator

ROOT = Path(__file__).resolve().parents[2]
SCREENS = ("home", "learn", "explore", "paged-attention", "submit", "history", "mistakes")
CODE_SECONDS = 60


class Known:
    """What a lesson may link to."""

    def __init__(self, lesson: Lesson, exercise: Exercise) -> None:
        self.lesson, self.exercise = lesson, exercise
        self.pages = [page.id for page in lesson.pages]
        self.mistakes = mistakes(exercise.id)
        self.reference = Reference(exercise.id, lesson.stories)


def mistakes(exercise: str) -> frozenset[str] | None:
    """The ids of the classic mistakes; None where the solutions are not there to ask."""
    if find_spec("solutions") is None:
        return None
    return frozenset(one.id for one in import_module("solutions.mistakes").MISTAKES if one.exercise == exercise)


def problems(exercise: Exercise) -> list[Problem]:
    """All that is wrong with an exercise's lesson (none: no lesson) and its hints."""
    found = list(hint_problems(exercise))
    if not has_lesson(exercise):
        return found
    lesson, read = load(exercise)
    known = Known(lesson, exercise)
    found += read
    for page in lesson.pages:
        found += _page(page, known)
    toml = folder(exercise) / "lesson.toml"
    text = toml.read_text("utf-8")
    for question in lesson.questions.values():
        found += [Problem(toml, line_of(text, question.id), say) for say in _question(question, known)]
    found += _lying_about(exercise, lesson)
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


def _page(page: Page, known: Known) -> Iterator[Problem]:
    for lang in LANGUAGES:
        file = folder(known.exercise) / f"{page.id}.{lang}.md"
        for part in walk(page.parts[lang]):
            if isinstance(part, Prose):
                for line, say in _passage(part.text, page.given, known):
                    yield Problem(file, part.line + line, say)
            elif isinstance(part, Code):
                yield from (Problem(file, part.line, say) for say in _code(part))
            elif isinstance(part, Figure):
                yield from (Problem(file, part.line, say) for say in _figure(part, known))
    if all(page.parts.values()):
        differs = parted(page.parts["en"], page.parts["zh"])
        if differs is not None:
            line = next((piece.line for piece in reversed(differs) if piece is not None), 0)
            say = Say("The halves part here: the English one has {en}, the Chinese one {zh}. Make them the same.",
                      en=told(differs[0]), zh=told(differs[1]))  # fmt: skip
            yield Problem(folder(known.exercise) / f"{page.id}.{'zh' if differs[1] else 'en'}.md", line, say)
    if page.group and page.group not in known.exercise.missions:
        yield Problem(folder(known.exercise) / "lesson.toml", 0, Say("There is no mission {name}.", name=page.group))


def _passage(text: str, given: Collection[str], known: Known) -> Iterator[tuple[int, Say]]:
    """What is wrong with links, claims and numbers of a passage; lines from 0."""
    for link in links(text):
        for say in _link(link.shown, link.kind, link.to, known):
            yield link.line, say
    for number in numbers(text):
        if number.text in given:
            continue
        if not number.code:
            yield number.line, Say("The number {n} comes from nowhere: make it a claim, {example}, or put it into "
                                   "given if it is an input.", n=number.text, example="[4](ref:…)")  # fmt: skip
        elif not _holds(number.text) and not all(one in given for one in inside(number.text)):
            yield number.line, Say("The code {code} has numbers in it that come from nowhere: put it, or them, into "
                                   "given.", code=number.text)  # fmt: skip


def _holds(code: str) -> bool:
    """A comparison that is true needs no one's word."""
    try:
        return calculated(code) is True
    except Unclear:
        return False


def _link(shown: str, kind: str, to: str, known: Known) -> Iterator[Say]:
    if kind == "ref":
        try:
            value = known.reference.value(to)
        except Unclear as unclear:
            yield Say("The claim {target} cannot be checked: {problem}", target=f"ref:{to}", problem=unclear.say)
            return
        if not says(shown, value):
            yield Say("The text claims {shown}, but {target} gives {value}.", shown=shown, target=f"ref:{to}",
                      value=written(value))  # fmt: skip
    elif not shown.strip():
        yield Say("The link to {target} has no text: write one.", target=f"{kind}:{to}")
    elif kind == "story":
        name, _, op = to.partition("/")
        yield from _story(name, op or "0", known)
    elif kind == "https":
        if not to.startswith("//") or "." not in to:
            yield Say("{target} is no address.", target=f"{kind}:{to}")
    else:
        targets: Mapping[str, Collection[str] | None] = {
            "page": known.pages, "screen": SCREENS, "mistake": known.mistakes, "question": known.lesson.questions,
        }  # fmt: skip
        if kind not in targets:
            yield Say("{target} leads nowhere. A link begins with one of: {names}", target=f"{kind}:{to}",
                      names=", ".join(f"{name}:" for name in ("ref", "story", *targets, "https")))  # fmt: skip
        elif (there := targets[kind]) is not None and to not in there:
            yield Say("{target} leads nowhere. There are: {names}", target=f"{kind}:{to}", names=", ".join(there))


def _story(name: str, op: str, known: Known) -> Iterator[Say]:
    story = known.lesson.stories.get(name)
    if story is None:
        yield Say("There is no story {id}. There are: {names}", id=name, names=", ".join(known.lesson.stories))
    elif not op.isdecimal() or int(op) > len(story.ops):
        yield Say("The story {id} has ops 0 to {n}, not {op}.", id=name, n=len(story.ops), op=op)


def _figure(figure: Figure, known: Known) -> Iterator[Say]:
    if "story" in figure.args:
        yield from _story(figure.args["story"], figure.args.get("op", "0"), known)
        story = known.lesson.stories.get(figure.args["story"])
        if story is not None and "enable_prefix_cache" not in story.params:
            yield Say("The hotel plays stories of a block manager, and {id} is none: give one of your own with "
                      "enable_prefix_cache = false.", id=story.id)  # fmt: skip
    if figure.name == "question" and figure.value not in known.lesson.questions:
        yield Say("There is no question {id}. There are: {names}", id=figure.value,
                  names=", ".join(known.lesson.questions))  # fmt: skip
    by = figure.args.get("by")
    if by is not None and known.mistakes is not None and by not in known.mistakes:
        yield Say("There is no mistake {id} here: the reference plays.", id=by)
    if figure.args.get("kind", "pool") not in ("pool", "map"):
        yield Say("The kind of a chart is pool or map, not {name}.", name=figure.args["kind"])
    mission = figure.value if figure.name == "task" else figure.args.get("mission")
    if mission is not None and mission not in known.exercise.missions:
        yield Say("There is no mission {name}.", name=mission)


def _question(question: Question, known: Known) -> Iterator[Say]:
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
        yield from _figure(question.figure, known)
    if question.kind == "predict" and question.figure is None:
        yield Say("A prediction needs a figure that shows what happens: figure = {example}",
                  example='"{player story=worked-4 op=9}"')  # fmt: skip
    for words, free in _texts(question):
        if facts(words.en) != facts(words.zh):
            yield Say("The halves of “{text}” differ in their links or numbers. Make them the same.",
                      text=_short(words.en))  # fmt: skip
        for text in words:
            for _, say in _passage(text, (*question.given, *(inside(text) if free else ())), known):
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


def _code(code: Code) -> Iterator[Say]:
    printed, error = _run(code.source)
    if error:
        yield Say("The code does not run: {problem}", problem=error)
    elif printed.strip("\n") != code.output.strip("\n"):
        yield Say("The code prints {printed}, not {output}: put what it prints into the fence output.",
                  printed=repr(printed), output=repr(code.output))  # fmt: skip


@cache
def _run(source: str) -> tuple[str, str]:
    """What the code prints, and the last line of its error."""
    with tempfile.TemporaryDirectory() as place:
        try:
            done = subprocess.run([sys.executable, "-c", source], cwd=place, capture_output=True, text=True,
                                  timeout=CODE_SECONDS, env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
                                  stdin=subprocess.DEVNULL)  # fmt: skip
        except subprocess.TimeoutExpired:
            return "", f"{CODE_SECONDS} s"
    return done.stdout, (done.stderr.strip().splitlines() or [str(done.returncode)])[-1] if done.returncode else ""


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


