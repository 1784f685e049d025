"""A lesson as data: pages in both languages, questions, stories. No file, no screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from grader.replay.op import Story
from grader.words import Say


class Words(NamedTuple):
    """A text in both languages, side by side."""

    en: str
    zh: str

    def of(self, lang: str) -> str:
        return self.zh if lang == "zh" else self.en


class Problem(NamedTuple):
    """What the checker refuses: where, and what to do about it. ``line`` 0: the file as a whole."""

    file: Path
    line: int
    say: Say


@dataclass(frozen=True)
class Prose:
    """Markdown, shown as it is; its claims are ``ref:`` links."""

    text: str
    line: int


@dataclass(frozen=True)
class Code:
    """Python that is run by the checker; ``output`` is what it prints."""

    source: str
    output: str
    line: int


@dataclass(frozen=True)
class Figure:
    """A line ``{name value key=value}``: a question, the hotel, a chart, … ``value`` is "" where none is written."""

    name: str
    value: str
    args: Mapping[str, str]
    line: int

    def number(self, key: str, otherwise: int) -> int:
        return int(self.args.get(key, otherwise))


@dataclass(frozen=True)
class AfterPass:
    """Parts that are shown once the exercise is passed."""

    parts: tuple[Part, ...]
    line: int


Part = Prose | Code | Figure | AfterPass


@dataclass(frozen=True)
class Choice:
    """``why`` explains it, at once, to whoever chose it."""

    id: str
    right: bool
    text: Words
    why: Words


@dataclass(frozen=True)
class Question:
    """``kind`` is "choice", "open" or "predict".

    ``value``, for predict without choices: the ``ref:`` target whose number is asked for. ``figure`` opens once it was
    predicted. ``given``: numbers that stand bare in its texts.
    """

    id: str
    kind: str
    ask: Words
    choices: tuple[Choice, ...]
    answer: Words
    value: str
    figure: Figure | None
    given: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """One page of a lesson; ``parts`` by language. ``group``: the mission it belongs to, or ""."""

    id: str
    title: Words
    group: str
    given: tuple[str, ...]
    parts: Mapping[str, tuple[Part, ...]]

    def figures(self, lang: str = "en") -> list[Figure]:
        """Every figure, in order, those for after a pass included."""
        return _figures(self.parts[lang])


@dataclass(frozen=True)
class Lesson:
    """``stories``: the lesson's own and the exercise's named ones, by id; ``own``: the titles of its own.

    ``tasks``: the methods that are written in a mission, by mission.
    """

    exercise: str
    pages: tuple[Page, ...]
    questions: Mapping[str, Question]
    stories: Mapping[str, Story]
    own: Mapping[str, Words]
    tasks: Mapping[str, tuple[str, ...]]

    @property
    def places(self) -> dict[str, str]:
        """Question id → id of the page it stands on."""
        return {one.value: page.id for page in self.pages for one in page.figures() if one.name == "question"}


def walk(parts: tuple[Part, ...]) -> list[Part]:
    """All parts, what is for after a pass included."""
    found: list[Part] = []
    for part in parts:
        found += [part, *(walk(part.parts) if isinstance(part, AfterPass) else [])]
    return found


def _figures(parts: tuple[Part, ...]) -> list[Figure]:
    return [part for part in walk(parts) if isinstance(part, Figure)]
