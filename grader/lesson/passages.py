"""What is wrong with a passage of a lesson: its links, claims and numbers; and with the figures it asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec

from grader.exercise import Exercise
from grader.lesson.claims import Reference, Unclear, calculated, says, written
from grader.lesson.data import Figure, Lesson
from grader.lesson.text import inside, links, numbers
from grader.words import Say

SCREENS = ("home", "learn", "explore", "paged-attention", "submit", "history", "mistakes")


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


def passage_problems(text: str, given: Collection[str], known: Known) -> Iterator[tuple[int, Say]]:
    """What is wrong with links, claims and numbers of a passage; lines from 0."""
    for link in links(text):
        for say in _link(link.shown, link.kind, link.to, known):
            yield link.line, say
    for number in numbers(text):
        if number.text in given:
            continue
        if number.place == "prose":
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


def figure_problems(figure: Figure, known: Known) -> Iterator[Say]:
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
    if figure.name == "task" and not known.lesson.tasks.get(figure.value):
        yield Say("There is no task {id}: give it a table [[task]] with its id and its methods.", id=figure.value)
    mission = figure.value if figure.name == "task" else figure.args.get("mission")
    if mission is not None and mission not in known.exercise.missions:
        yield Say("There is no mission {name}.", name=mission)
