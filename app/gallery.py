"""The classic mistakes of every exercise, as the gallery shows them: code, checks, likenesses. Found, never listed."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from textwrap import dedent
from typing import Any, NamedTuple

from grader.checklist import checklist
from grader.checks import CheckInfo
from grader.exercise import Exercise, discover
from grader.words import Say


class Likeness(NamedTuple):
    """Something like it in a real engine. ``story`` is an engine's story, or empty; ``report`` is OWNER/NAME#NUMBER."""

    what: str
    story: str
    report: str

    @property
    def url(self) -> str:
        name, _, number = self.report.partition("#")
        return f"https://github.com/{name}/issues/{number}"


class Difference(NamedTuple):
    """What differs from the reference: in which method, and all of its lines as a unified diff without a head."""

    method: str
    lines: str


@cache
def mistakes() -> Mapping[str, Any]:
    """Every classic mistake by id, in the order of the exercises; empty where the solutions are not there."""
    try:
        from solutions.mistakes import MISTAKES
    except ImportError:
        return {}
    return {one.id: one for exercise in discover() for one in MISTAKES if one.exercise == exercise}


@cache
def exercises() -> Mapping[str, Exercise]:
    """The exercises that have classic mistakes."""
    known = {one.exercise for one in mistakes().values()}
    return {name: exercise for name, exercise in discover().items() if name in known}


def of(exercise: str) -> list[Any]:
    """The mistakes of one exercise, by number."""
    return [one for one in mistakes().values() if one.exercise == exercise]


def named(mistake_id: str) -> Say:
    mistake = mistakes()[mistake_id]
    return Say("Mistake {number}: {what}", number=mistake.number, what=Say(mistake.what))


@cache
def difference(mistake_id: str) -> Difference:
    """The mistake in the reference's own text."""
    from solutions.mistakes import edited, reference_source

    right, wrong = reference_source(mistakes()[mistake_id].exercise), edited(mistake_id)
    changed = next(at for at, (one, other) in enumerate(zip(right.splitlines(), wrong.splitlines(), strict=False), 1)
                   if one != other)  # fmt: skip
    name = _methods(right)[changed].name
    rows = difflib.unified_diff(_text(right, name), _text(wrong, name), n=1_000, lineterm="")
    return Difference(name, "\n".join(list(rows)[3:]))


def _methods(source: str) -> dict[int, ast.FunctionDef]:
    """The method that each line stands in, lines counted from 1."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return {line: node for node in found for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def _text(source: str, method: str) -> list[str]:
    lines = _methods(source)
    rows = [row for at, row in enumerate(source.splitlines(), 1) if at in lines and lines[at].name == method]
    return dedent("\n".join(rows)).splitlines()


def caught_by(mistake_id: str) -> list[CheckInfo]:
    """The checks that fail for it: first the one that was made for it, then the others as they run."""
    from solutions.mistakes import caught

    ids = set(caught(mistake_id))
    rows = [info for info in checklist(discover()[mistakes()[mistake_id].exercise]) if info.id in ids]
    return sorted(rows, key=lambda info: not info.id.endswith(mistake_id))


def likeness(mistake_id: str) -> Likeness | None:
    """What it resembles in a real engine, or None."""
    module = f"grader.exercises.{mistakes()[mistake_id].exercise}.likenesses"
    if find_spec(module) is None:
        return None
    found = import_module(module).LIKENESSES.get(mistake_id)
    return None if found is None else Likeness(*found)


def beside(mistake_id: str) -> Iterator[str]:
    """The mistakes before and after it in its exercise, at the ends the ones at the other end."""
    row = [one.id for one in of(mistakes()[mistake_id].exercise)]
    at = row.index(mistake_id)
    yield row[at - 1]
    yield row[(at + 1) % len(row)]
