"""A judge process's own decisions, without a process: which sandbox, and what becomes of trouble."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from grader.desk.claims import ATTEMPTS, Claims
from grader.desk.desk import Desk
from grader.desk.judging import FAULT, Judging, strong
from grader.judge import Judge
from grader.sandbox import launcher
from grader.sandbox.child import SandboxError
from grader.session import GraderFault
from grader.words import Say
from tests.desk.table_tools import EXERCISES

ENGINE_GONE = Say("the Docker engine at {where} does not answer: start it, or correct DOCKER_HOST", where="here")


class Line:
    """What a judge process hears from its server, and says."""

    def __init__(self) -> None:
        self.over, self.work = threading.Event(), threading.Event()
        self.said: list[Any] = []

    def say(self, **what: Any) -> None:
        self.said.append(what)


class Broken(Judge):
    """A judge that cannot do its work."""

    def __init__(self, error: Exception) -> None:
        self.exercise, self.error = EXERCISES["p06"], error

    def grade(self, *_: Any) -> Any:
        raise self.error

    def close(self) -> None:
        pass


@pytest.mark.parametrize(("error", "reason"), [
    (GraderFault("a check is wrong"), Say(FAULT)),
    (RuntimeError("anything"), Say(FAULT)),
    (SandboxError(ENGINE_GONE), ENGINE_GONE),
])  # fmt: skip
def test_the_graders_trouble_ends_this_process_and_after_three_attempts_the_submission(
    desk: Desk, error: Exception, reason: Say, capsys: pytest.CaptureFixture[str]
) -> None:
    made = desk.submit("ann", "p06", b"x = 1\n", "mine.py")
    for attempt in range(1, ATTEMPTS + 1):
        line: Any = Line()
        judging = Judging(Claims(desk.store), "bubblewrap", line)
        judging.judges["p06"] = Broken(error)
        judging.checks["p06"] = judging.judges["p06"].checks()
        judging.serve()
        found = desk.submission("ann", made.id)
        assert found is not None
        assert (found.state, found.attempts) == ("queued" if attempt < ATTEMPTS else "abandoned", attempt)
    assert (found.reason, found.verdict) == (reason, None)
    told = [what["problem"] for what in line.said if "problem" in what]
    assert told == ([reason.to_json()] if isinstance(error, SandboxError) else [])
    if not isinstance(error, SandboxError):
        assert type(error).__name__ in capsys.readouterr().err


def test_the_strongest_sandbox_is_taken_and_never_none(monkeypatch: pytest.MonkeyPatch) -> None:
    why: dict[str, Say | None] = {"docker": Say("a"), "bubblewrap": None, "process": None}
    monkeypatch.setattr(launcher, "available", lambda: why)
    assert strong("auto") == "bubblewrap"
    why["bubblewrap"] = Say("b")
    with pytest.raises(SandboxError) as refused:
        strong("auto")
    assert refused.value.say.args == {"docker": Say("a"), "bubblewrap": Say("b")}
    why["docker"] = None
    assert strong("auto") == "docker"
    with pytest.raises(SandboxError):
        strong("process")
