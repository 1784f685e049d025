"""The same checks without any sandbox: a remote manager that is not remote. For the bench alone, on our own code."""

from __future__ import annotations

import contextlib
import sys
import types
from typing import Any

from grader.exercise import discover
from grader.judge import Judge, verdict
from grader.naming import load_driver, run_here
from grader.replay.op import Story
from grader.sandbox.limits import Limits
from grader.sandbox.remote import Played
from grader.subject import Subject


class Here:
    """Speaks like ``Remote``, plays in this process."""

    def __init__(self, driver: types.ModuleType, module: Any) -> None:
        self.driver, self.module = driver, module
        self.sessions: dict[str, Any] = {}

    def play(self, story: Story, view: str | None = None, anew: bool = False, blob: bytes = b"") -> Played:
        return Played(results=run_here(self.driver, self.module, story))

    def open(self, story: Story) -> tuple[str, Played]:
        key = str(len(self.sessions))
        self.sessions[key] = self.driver.Session(self.module, story.params)
        return key, Played()

    def go_on(self, key: str, story: Story, blob: bytes = b"") -> Played:
        session, played = self.sessions[key], Played()
        for op in story.ops:
            try:
                value = session.calls[op.name](*op.args)
                played.results.append(value)
            except Exception as error:
                names = [kind.__name__ for kind in type(error).__mro__]
                refused = bool(session.refused(error))
                played.results.append({"raise": names, "text": str(error), "refused": refused, "stack": ""})
        return played

    def apart(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def off_the_clock(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


class PlainJudge(Judge):
    """Runs the checks over Here."""

    def __init__(self, exercise_id: str) -> None:
        self.exercise = discover()[exercise_id]
        self.limits = Limits()
        self.backend = "none"
        self.driver = (self.exercise.folder / "driver.py").read_text("utf-8")
        from grader.beside import Beside

        self.tensors = Beside(f"grader.exercises.{exercise_id}.tensors")

    def run(self, module: Any) -> str:
        from importlib import import_module

        from grader.session import GraderFault, Session, run_pytest

        self.tensors.start()
        oracle = import_module(f"grader.exercises.{self.exercise.id}.oracle").Oracle()
        here: Any = Here(load_driver(self.driver), module)
        subject = Subject(here, oracle, self.limits, 512, self.tensors)
        session = Session(subject, None, None)
        if run_pytest(self.exercise.folder, session) != 0 or session.fault is not None:
            raise GraderFault(str(session.fault or session.broken))
        self.tensors.close()
        return verdict(session.results)


if __name__ == "__main__":
    from solutions import p06_block_manager

    found = PlainJudge("p06").run(p06_block_manager)
    print(found)
    sys.exit(found != "passed")
