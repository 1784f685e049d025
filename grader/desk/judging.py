"""A judge process of the desk, which `judges.py` starts: takes the next submission, grades it, ends it, and again.

It keeps for each exercise a judge whose next worker is up before anybody asks, so that a verdict comes quickly.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from grader.checks import CheckInfo
from grader.desk.claims import Claim, Claims
from grader.desk.keeper import GivenUp, Keeper
from grader.desk.lifeline import Lifeline
from grader.desk.refused import Refused
from grader.desk.store import Store
from grader.desk.suite import fingerprint
from grader.exercise import discover
from grader.judge import Judge
from grader.sandbox import bubblewrap, docker, launcher
from grader.sandbox.cgroup import is_dead, judge_mark
from grader.sandbox.child import SandboxError
from grader.torch_setup import on_its_way
from grader.words import N_, Say

STRONG = (docker.NAME, bubblewrap.NAME)
"""The sandboxes that a stranger's file may be run in, strongest first."""
POLL_S = 0.5
"""How often to look for what another process handed in."""
BROKEN_S = 2.0
"""How long to leave a database alone that refused."""
NO_SANDBOX = N_(
    "submissions cannot be graded here, because neither Docker nor bubblewrap works."
    " Docker: {docker}. bubblewrap: {bubblewrap}."
)
FAULT = N_("the grader itself failed on this file: tell whoever runs the server")
PROBLEM = 3
"""The exit status of a judge that said what keeps it from grading."""


def me(pid: int) -> str:
    """Names a process among all machines that share a database. OSError if it is gone."""
    return f"{_machine()}/{judge_mark(pid)}"


def dead(judge: str) -> bool:
    """Was it a process of this machine, and is it gone? One of another machine is known only by its lease."""
    machine, _, mark = judge.partition("/")
    return machine == _machine() and (is_dead(mark) or _is_zombie(mark))


def _is_zombie(mark: str) -> bool:
    """Whether a process that is not dead for `is_dead` has ended all the same: nobody has asked how."""
    try:
        status = Path(f"/proc/{mark.split('-')[1]}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] in "ZX"


def _machine() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def strong(sandbox: str) -> str:
    """The sandbox to grade in: the one named, or for "auto" the strongest. SandboxError says what to install."""
    if sandbox in STRONG:
        return launcher.pick(sandbox)
    if sandbox != "auto":
        names = ", ".join(("auto", *STRONG))
        raise SandboxError(Say("there is no sandbox called {name}: choose one of {names}", name=sandbox, names=names))
    why = launcher.available()
    found = next((name for name in STRONG if why[name] is None), None)
    if found is None:
        no_docker, no_bubblewrap = (why[name] or "" for name in STRONG)
        raise SandboxError(Say(NO_SANDBOX, docker=no_docker, bubblewrap=no_bubblewrap))
    return found


class Judging:
    """One judge process at its work."""

    def __init__(self, claims: Claims, backend: str, line: Lifeline) -> None:
        self.claims, self.backend, self.line = claims, backend, line
        self.name = me(os.getpid())
        self.exercises = discover()
        self.judges: dict[str, Judge] = {}
        self.checks: dict[str, list[CheckInfo]] = {}
        self.keeper: Keeper | None = None

    def serve(self) -> None:
        """Until the server wants us to stop, or the grader is found at fault: another process then goes on."""
        silent = False
        while not self.line.over.is_set():
            self.line.work.clear()
            try:
                claim = self.claims.claim(self.name, self._suite) if self.claims.waiting() else None
            except Refused as refused:
                self.line.say(problem=refused.say.to_json())
                self.line.over.wait(BROKEN_S)
                silent = False
                continue
            if not silent:
                silent = True
                self.line.say(ready=self.backend)
            if claim is not None:
                if not self._grade(claim):
                    return
            elif not self._warm_another():
                self.line.work.wait(POLL_S)

    def stop(self) -> None:
        """Give back what is being graded; called from another thread."""
        if self.keeper is not None:
            self.keeper.give_back()

    def close(self) -> None:
        for judge in self.judges.values():
            judge.close()

    def _suite(self, exercise: str) -> str | None:
        return fingerprint(self.exercises[exercise]) if exercise in self.exercises else None

    def _warm_another(self) -> bool:
        """Nothing to do: get ready for an exercise that nobody has handed in yet. False where all are ready, or wait
        for torch, which is no reason to keep others waiting."""
        able = (id for id, exercise in self.exercises.items() if not exercise.torch or not on_its_way())
        cold = next((id for id in able if id not in self.judges), None)
        if cold is not None:
            self._judge(cold).warm()
        return cold is not None

    def _judge(self, exercise: str) -> Judge:
        if exercise not in self.judges:
            judge = self.judges[exercise] = Judge(self.exercises[exercise], self.backend)
            self.checks[exercise] = judge.checks()
        return self.judges[exercise]

    def _grade(self, claim: Claim) -> bool:
        """True if this process may go on."""
        with Keeper(self.claims, claim) as self.keeper:
            if self.line.over.is_set():  # asked to stop between the claim and now
                self.stop()
                return False
            try:
                judge = self._judge(claim.exercise)
                wanted = _wanted(self.checks[claim.exercise], claim.only)
                if not wanted:
                    name = ", ".join(claim.only)
                    self.keeper.fail(Say("There is no check or mission {name}.", name=name), again=False)
                    return True
                groups = [check.group for check in wanted]
                self.keeper.expect(groups.count("acceptance"), groups.count("stretch"))
                report = judge.grade(claim.source, judge.exercise.file, claim.only or None, self.keeper.hear)
                self.keeper.finish(report, fingerprint(judge.exercise))
            except GivenUp:
                pass
            except SandboxError as error:
                self.line.say(problem=error.say.to_json())
                self.keeper.fail(error.say)
                return False
            except Exception:
                traceback.print_exc()
                self.keeper.fail(Say(FAULT))
                return False
        return True


def _wanted(checks: Sequence[CheckInfo], only: Sequence[str]) -> list[CheckInfo]:
    return [check for check in checks if not only or {check.id, check.mission} & set(only)]


def main() -> int:
    line = Lifeline()
    try:
        backend = strong(line.told["sandbox"])
        claims = Claims(Store(line.told["database"], make=False))
    except (SandboxError, Refused) as error:
        line.say(problem=error.say.to_json())
        return PROBLEM
    judging = Judging(claims, backend, line)
    line.watch(judging.stop)
    try:
        judging.serve()
    finally:
        judging.close()
        claims.store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
