"""The classic mistakes as a table: id, number, what is wrong and why it matters, a story that shows it.

The classes stand in `mistakes_p06.py` and `mistakes_l22.py` and are loaded on demand: L22's need torch, the
words do not.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from solutions.mistake_edits import EDITS
from solutions.mistake_words import L22, P06
from solutions.readings import Reading, mixins
from solutions.stories import STORIES, Story


@dataclass(frozen=True)
class Mistake:
    id: str
    exercise: str
    number: int
    what: str  # one sentence: what the code does
    why: str  # one sentence: what goes wrong because of it

    @property
    def cls(self) -> type[Any]:
        """The subclass of the reference that makes this mistake: half-full-hashed is HalfFullHashed."""
        name = "".join(word.capitalize() for word in self.id.split("-"))
        cls: type[Any] = getattr(import_module(f"solutions.mistakes_{self.exercise}"), name)
        return cls

    @property
    def story(self) -> Story:
        """A short story on which this mistake answers unlike every reading of the reference."""
        return STORIES[self.id]


MISTAKES = tuple(
    Mistake(id, exercise, number, what, why)
    for exercise, rows in (("p06", P06), ("l22", L22))
    for number, (id, what, why) in enumerate(rows, start=1)
)
BY_ID = {mistake.id: mistake for mistake in MISTAKES}

#: Which deciding checks fail for each mistake, by id. Written by `tests/grading/caught.py`, held true by the tests.
CAUGHT_FILE = Path(__file__).with_name("caught.json")
#: What those of l22 do in their stories, op by op. Written by `tests/grading/played.py`, held true by the tests.
PLAYED_FILE = Path(__file__).with_name("played_l22.json")

_REFERENCE = {
    "p06": ("p06_block_manager.py", "BlockManager"),
    "l22": ("l22_paged_attention.py", "KVCacheManager"),
}


def caught(mistake_id: str) -> list[str]:
    """The ids of the deciding checks that fail for it, in the order in which they run. KeyError for an unknown one."""
    table: dict[str, list[str]] = json.loads(CAUGHT_FILE.read_text("utf-8"))
    return table[mistake_id]


def reference_source(exercise: str) -> str:
    """The text of the reference answer."""
    return Path(__file__).with_name(_REFERENCE[exercise][0]).read_text(encoding="utf-8")


def edited(mistake_id: str) -> str:
    """The reference with the mistake written into it: what `source` makes by a subclass, as a person would have done.

    KeyError for an unknown id, ValueError where the reference's text is another one than the edit takes it for.
    """
    text = reference_source(BY_ID[mistake_id].exercise)
    for old, new in EDITS[mistake_id]:
        if text.count(old) != 1:
            raise ValueError(f"{mistake_id}: {text.count(old)} passages of the reference are to be changed, not one")
        text = text.replace(old, new)
    return text


def source(mistake_id: str, reading: tuple[bool, bool, bool] | None = None) -> str:
    """One self-contained module text that makes the mistake, to be graded like a learner's file.

    `reading` puts a P06 mistake on another of the eight bases (`readings.py`). KeyError for an unknown id.
    """
    mistake = BY_ID[mistake_id]
    return _assembled(mistake.exercise, (*_mixins(reading), mistake.cls))


def reading_source(reading: tuple[bool, bool, bool]) -> str:
    """The right P06 answer under one of the eight readings, as one self-contained module text."""
    return _assembled("p06", _mixins(reading)) if _mixins(reading) else reference_source("p06")


def _mixins(reading: tuple[bool, bool, bool] | None) -> tuple[type[Any], ...]:
    return () if reading is None else mixins(Reading(*reading))


def _assembled(exercise: str, bases: tuple[type[Any], ...]) -> str:
    """The reference, then every class on top of it, then the class that puts `bases` together."""
    name = _REFERENCE[exercise][1]
    given = bases[0].__mro__[-2:]  # the reference itself and object
    parts = [part for base in bases for part in base.__mro__ if part not in given]
    texts = [inspect.getsource(part) for part in dict.fromkeys(reversed(parts))]
    final = f'{name} = type("{name}", ({", ".join(base.__name__ for base in bases)},), {{}})\n'
    return "\n\n".join([reference_source(exercise), *texts, final])
