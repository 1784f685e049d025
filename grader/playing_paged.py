"""A KVCacheManager looked at while it plays one story in a sandbox, beside what the contract does. Never a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from grader.exercise import discover
from grader.exercises.l22.model import Model
from grader.exercises.l22.oracle import Oracle, readable
from grader.judge import decoded
from grader.playing import alone
from grader.replay.op import Op, Story
from grader.replay.result import Result, same, shown
from grader.sandbox import launcher
from grader.sandbox.limits import Limits
from grader.sandbox.remote import NoMoreStrikes, OutOfTime, Played, Submission
from grader.wording import line, mismatch, unbuilt, unloadable
from grader.words import Say

Request = tuple[Any, int, list[int]]  # name, seq_len, block table


@dataclass(frozen=True)
class Side:
    """One manager after an op. ``free`` and ``requests`` are None where its lists cannot be read.

    ``shape``: of a tensor that the op gave; ``origins``: where in the cache each of its rows stands, -1 for nowhere,
    None where that cannot be told.
    """

    answer: str
    free: list[int] | None
    requests: list[Request] | None
    shape: list[int] | None = None
    origins: list[int] | None = None


@dataclass(frozen=True)
class Look:
    """An op and both sides after it; ``answered`` and ``kept``: are the answers, and what is kept, the contract's?"""

    op: Op
    mine: Side
    reference: Side
    answered: bool
    kept: bool


@dataclass(frozen=True)
class PagedPlay:
    """What came of it; ``problem`` says why there is less than the story has ops."""

    looks: tuple[Look, ...] = ()
    problem: Say | None = None
    stack: str = ""

    @property
    def first_difference(self) -> int | None:
        """The first op after which the sides are not the same, or None."""
        return next((at for at, look in enumerate(self.looks) if not (look.answered and look.kept)), None)


def play_paged(source: bytes, name: str, story: Story, sandbox: str, limits: Limits | None = None) -> PagedPlay:
    """Play ``story`` on the file's manager in a fresh worker of ``sandbox`` (a backend's name).

    Whatever the file does, a play comes back. SandboxError if the sandbox itself cannot be used.
    """
    exercise = discover()["l22"]
    limits = limits or replace(Limits(), grading_s=40.0, memory_mib=exercise.memory_mib)
    text, problem = decoded(source, name, limits)
    if text is None:
        return PagedPlay(problem=problem)
    with alone(Submission(text, name, _driver()), launcher.pick(sandbox), limits, torch=True) as remote:
        wrong = remote.load()
        if wrong is not None:
            say = unloadable(wrong, name, limits, limits.memory_mib)
            return PagedPlay(problem=say, stack=str(wrong.get("stack") or ""))
        try:
            played = remote.play(story, "inside", blob=Oracle().blob(story))
        except (NoMoreStrikes, OutOfTime):
            played = Played(results=[{"trouble": "overtime"}])
    return _seen(story, played, limits)


def _seen(story: Story, played: Played, limits: Limits) -> PagedPlay:
    if played.created is not None:
        say = unbuilt(played.created, Oracle().construction(story), limits, limits.memory_mib)
        return PagedPlay(problem=say, stack=str(played.created.get("stack") or ""))
    model, looks = Model(story), list[Look]()
    for at, (op, actual) in enumerate(zip(story.ops, played.results, strict=False)):
        if type(actual) is dict and "trouble" in actual:
            return PagedPlay(tuple(looks), mismatch(op, (), actual, limits, limits.memory_mib))
        view = played.views[at + 1] if at + 1 < len(played.views) else None
        looks.append(_look(model, op, actual, view))
    return PagedPlay(tuple(looks))


def _look(model: Model, op: Op, actual: Result, view: Any) -> Look:
    expected = model.step(op, actual)
    answered = any(same(result, actual) for result in expected)
    contract = actual if answered else expected[0]
    mine = _side(model, actual, *((view["free_blocks"], view["requests"]) if readable(view) else (None, None)))
    seen = {name: length for name, length, _ in mine.requests or []}
    requests = [
        (name, seen[name] if seen.get(name) in one.lengths else one.lengths[0], list(one.table))
        for name, one in model.requests.items()
    ]
    reference = _side(model, contract, list(model.free), requests)
    kept = mine.free is None or (mine.free, mine.requests) == (reference.free, reference.requests)
    return Look(op, mine, reference, answered, kept)


def _side(model: Model, result: Result, free: list[int] | None, requests: list[Any] | None) -> Side:
    shape = result["tensor"]["shape"] if type(result) is dict and "tensor" in result else None
    rows = None if requests is None else [(name, length, list(table)) for name, length, table in requests]
    return Side(line(shown(model.told(result)), 400), free, rows, shape, model.origins(result))


@cache
def _driver() -> str:
    return (discover()["l22"].folder / "driver.py").read_text("utf-8")
