"""A lesson read from its folder, ``grader/exercises/ID/lesson``: ``lesson.toml`` and two files a page.

What cannot be understood is collected as problems, not raised: the checker shows them all at once, the screen shows
what there is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from grader.exercise import Exercise
from grader.lesson.claims import named, readable
from grader.lesson.data import Choice, Figure, Lesson, Page, Part, Problem, Question, Words
from grader.lesson.page import figure, read
from grader.replay.op import Story
from grader.words import LANGUAGES, Say

KINDS = ("choice", "open", "predict")
_NOT_SAID = Words("", "")


class Loaded(NamedTuple):
    lesson: Lesson
    problems: list[Problem]


def folder(exercise: Exercise) -> Path:
    return exercise.folder / "lesson"


def has_lesson(exercise: Exercise) -> bool:
    return (folder(exercise) / "lesson.toml").is_file()


def load(exercise: Exercise) -> Loaded:
    """The lesson of an exercise that has one, and what is wrong with its files."""
    return _Loader(folder(exercise), exercise.id).load(exercise)


class _Loader:
    def __init__(self, folder: Path, exercise: str) -> None:
        self.folder, self.toml, self.exercise = folder, folder / "lesson.toml", exercise
        self.text = self.toml.read_text("utf-8")
        self.problems: list[Problem] = []

    def load(self, exercise: Exercise) -> Loaded:
        try:
            data = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            self._wrong("", Say("This is not TOML: {problem}", problem=str(error)))
            data = {}
        self._keys("", data, ("page", "story", "question", "task"))
        own = dict(self._stories(data.get("story", [])))
        pages = tuple(self._page(row) for row in self._rows("page", data.get("page", [])))
        questions = {one.id: one for one in map(self._question, self._rows("question", data.get("question", [])))}
        titles = {row["id"]: self._words(row, "title") for row in data.get("story", []) if row.get("id") in own}
        tasks = {row["id"]: tuple(row.get("methods", [])) for row in self._rows("task", data.get("task", []))}
        lesson = Lesson(exercise.id, pages, questions, {**named(exercise.id), **own}, titles, tasks)
        return Loaded(lesson, self.problems)

    def _rows(self, what: str, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Those with an id of their own."""
        seen = set[str]()
        for row in rows:
            name = row.get("id")
            if not isinstance(name, str) or not name or name in seen:
                self._wrong(str(name or ""), Say("Each {what} needs an id of its own, and {id} is none.", what=what,
                                                 id=str(name or "-")))  # fmt: skip
                continue
            seen.add(name)
            yield row

    def _page(self, row: Mapping[str, Any]) -> Page:
        name = row["id"]
        self._keys(name, row, ("id", "title", "group", "given"))
        parts: dict[str, tuple[Part, ...]] = {}
        for lang in LANGUAGES:
            file = self.folder / f"{name}.{lang}.md"
            parts[lang] = ()
            if not file.is_file():
                self.problems.append(Problem(file, 0, Say("This half of the page is missing: write it.")))
                continue
            parts[lang], problems = read(file.read_text("utf-8"), file)
            self.problems += problems
        return Page(name, self._words(row, "title"), row.get("group", ""), self._given(row), parts)

    def _question(self, row: Mapping[str, Any]) -> Question:
        name = row["id"]
        self._keys(name, row, ("id", "kind", "ask", "choices", "answer", "number", "figure", "given"))
        if row.get("kind") not in KINDS:
            self._wrong(name, Say("The kind of a question is one of {names}.", names=", ".join(KINDS)))
        opens = figure(row["figure"], 0) if "figure" in row else None
        if isinstance(opens, Say):
            self._wrong(name, opens)
        return Question(
            name,
            row.get("kind", ""),
            self._words(row, "ask"),
            tuple(self._choice(name, choice) for choice in row.get("choices", [])),
            self._words(row, "answer"),
            row.get("number", ""),
            opens if isinstance(opens, Figure) else None,
            self._given(row),
        )

    def _choice(self, question: str, row: Mapping[str, Any]) -> Choice:
        self._keys(question, row, ("id", "right", "en", "zh", "why"))
        right = row.get("right", False) is True
        why = self._words(row, "why", question) if "why" in row or not right else _NOT_SAID
        return Choice(str(row.get("id", "")), right, self._both(row, question, "choices"), why)

    def _stories(self, rows: list[dict[str, Any]]) -> Iterator[tuple[str, Story]]:
        for row in self._rows("story", rows):
            name = row["id"]
            params = {key: value for key, value in row.items() if key not in ("id", "title")}
            try:
                story = Story.from_json(params, id=name, title=str(row["title"]["en"]))
                if not readable(self.exercise, story):
                    raise ValueError
                if not all(op.name and isinstance(op.name, str) for op in story.ops):
                    raise ValueError
            except (KeyError, IndexError, TypeError, ValueError):
                self._wrong(name, Say("A story needs num_blocks, block_size, enable_prefix_cache (or what claims.py of "
                                      "the exercise reads) and ops such as {example}.",
                                      example='["free", "a"]'))  # fmt: skip
                continue
            yield name, story

    # -- fields ----------------------------------------------------------------------------------------------------

    def _given(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(number) for number in row.get("given", []))

    def _words(self, row: Mapping[str, Any], field: str, place: str = "") -> Words:
        return self._both(row.get(field, {}), place or row["id"], field)

    def _both(self, found: Any, place: str, field: str) -> Words:
        halves = found if isinstance(found, dict) else {}
        for lang in LANGUAGES:
            if not isinstance(halves.get(lang), str) or not halves[lang].strip():
                self._wrong(place, Say("{field} lacks its text in {lang}: write it.", field=field, lang=lang))
        return Words(*(str(halves.get(lang, "")).strip() for lang in LANGUAGES))

    def _keys(self, place: str, row: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in row:
            if key not in known:
                self._wrong(place, Say("There is no field {name}. There are: {names}", name=key,
                                       names=", ".join(known)))  # fmt: skip

    def _wrong(self, place: str, say: Say) -> None:
        self.problems.append(Problem(self.toml, line_of(self.text, place), say))


def line_of(toml: str, name: str) -> int:
    """The line of ``lesson.toml`` in which the table with this id begins; 0 if it has none."""
    for number, line in enumerate(toml.splitlines(), start=1):
        if name and line.replace(" ", "") == f'id="{name}"':
            return number
    return 0
