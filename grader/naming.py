"""Which classic mistake does a failure look like? Found by simulation, never by guessing from the message.

Each known mistake is run, in the judge, on the stories that failed. One is named only when it gives every result that
the submission gave: on the failing stories, and on those that passed. Where the solutions are not there, nothing is
named.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from grader.replay.op import Story
from grader.replay.result import Result, raised, refused


class MistakeLike(Protocol):
    id: str
    exercise: str
    what: str
    why: str
    cls: type


class _Refusal(Exception):
    """What a driver raises for an op that cannot be asked."""


@dataclass(frozen=True)
class Evidence:
    """A story and what the submission answered to it, up to where it stopped. ``check`` is the id of the check."""

    check: str
    story: Story
    results: tuple[Result, ...]
    failed: bool
    blob: bytes = b""


def load_driver(source: str) -> types.ModuleType:
    """An exercise's driver as a module of this process, for code of our own."""
    module = types.ModuleType("driver")
    module.__dict__.update(Refusal=_Refusal, Attachment=_tensor, Odd=_odd)
    exec(compile(source, "driver.py", "exec"), module.__dict__)
    return module


def _tensor(dtype: str, shape: list[int], data: bytes) -> Result:
    return {"tensor": {"dtype": dtype, "shape": shape, "data": data}}


def _odd(name: str, text: str) -> Result:
    return {"odd": name, "text": text}


def run_here(
    driver: types.ModuleType, module: Any, story: Story, until: Sequence[Result] | None = None, blob: bytes = b""
) -> list[Result]:
    """The results of ``story`` on our own ``module`` in this process: the same forms as a worker reports.

    With ``until`` it stops early at the first result that differs from it (the list returned is then shorter or parts).
    """
    results: list[Result] = []
    session = driver.Session(module, story.params)
    session.blob = blob
    for i, op in enumerate(story.ops):
        try:
            value = session.calls[op.name](*_fresh(op.args))
            result = list(value) if type(value) is list else value
        except _Refusal:
            result = {"skip": True}
        except Exception as error:
            names = [kind.__name__ for kind in type(error).__mro__]
            result = {"raise": names, "text": str(error), "refused": bool(session.refused(error)), "stack": ""}
        results.append(result)
        if raised(result) and not refused(result):
            break
        if until is not None and (i >= len(until) or not alike(until[i], result)):
            break
    return results


def _fresh(args: Iterable[Any]) -> list[Any]:
    return [arg.copy() if type(arg) is list else arg for arg in args]


def alike(seen: Result, told: Result) -> bool:
    """Two results of managers: equal in type and value; of exceptions only the class counts, not the text."""
    if type(seen) is not type(told):
        return False
    if raised(seen):
        return (
            raised(told) and refused(seen) == refused(told) and (refused(seen) or seen["raise"][0] == told["raise"][0])
        )
    return bool(seen == told)


class Namer:
    """The known mistakes of one exercise, each in every reading of the contract that its base can have."""

    def __init__(self, exercise: str, driver_source: str, modules: Callable[[MistakeLike], Iterable[Any]]) -> None:
        self.driver = load_driver(driver_source)
        self.modules = modules
        self.mistakes: list[MistakeLike] = []
        self.known = False
        try:
            table = importlib.import_module("solutions.mistakes")
        except ImportError:
            return
        self.known = True
        self.mistakes = [mistake for mistake in table.MISTAKES if mistake.exercise == exercise]

    def name(self, evidence: Sequence[Evidence]) -> dict[str, MistakeLike]:
        """The mistake that each failed check looks like, by check id; a check that none reproduces is left out.

        First a mistake that explains the whole grading is looked for. A file with two of them has none such: then each
        check is looked at alone, beside all that passed.
        """
        # A manager that could not even be constructed has answered nothing: that looks like no mistake.
        failed = sorted((row for row in evidence if row.failed and row.results), key=lambda row: len(row.story.ops))
        passed = sorted((row for row in evidence if not row.failed), key=lambda row: len(row.story.ops))
        if not failed:
            return {}
        checks = list(dict.fromkeys(row.check for row in failed))
        candidates = [(mistake, module) for mistake in self.mistakes for module in self.modules(mistake)]
        whole = self._explaining(candidates, [*failed, *passed]) or self._explaining(candidates, failed)
        if whole is not None:
            return dict.fromkeys(checks, whole)
        named = {}
        for check in checks:
            mistake = self._explaining(candidates, [*(row for row in failed if row.check == check), *passed])
            if mistake is not None:
                named[check] = mistake
        return named

    def _explaining(
        self, candidates: Sequence[tuple[MistakeLike, Any]], evidence: Sequence[Evidence]
    ) -> MistakeLike | None:
        for mistake, module in candidates:
            if all(self._reproduces(module, row) for row in evidence):
                return mistake
        return None

    def _reproduces(self, module: Any, row: Evidence) -> bool:
        told = run_here(self.driver, module, row.story, row.results, row.blob)
        return len(told) >= len(row.results) and all(
            alike(seen, here) for seen, here in zip(row.results, told, strict=False)
        )
