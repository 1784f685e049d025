"""What this machine has and lacks for grading."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from grader.sandbox.doctor import examine
from grader.words import N_, Say

WORKS = N_("works")
WEAK = ("process",)  # limits only: enough for one's own code, no wall


def findings() -> tuple[list[Say], int]:
    """The lines to show, and 0 if a walled sandbox works, else 2."""
    python = Say("Python {version} on {machine}", version=platform.python_version(), machine=platform.platform())
    lines = [python, _torch()]
    found = examine()
    for sandbox in found:
        state = sandbox.why_not or Say(WORKS)
        lines.append(Say("sandbox {name}: {state}", name=sandbox.backend, state=state))
        if sandbox.why_not is None:
            lines += [Say("    {promise}: {by}", promise=Say(p), by=by) for p, by in sandbox.enforced.items()]
    if any(sandbox.why_not is None and sandbox.backend not in WEAK for sandbox in found):
        return lines, 0
    weak = Say("Code runs with limits but without walls here: fine for your own file, not for other people's.")
    return [*lines, weak], 2


def _torch() -> Say:
    try:
        return Say("torch {version}", version=version("torch"))
    except PackageNotFoundError:
        return Say("torch is not installed yet; the first ./check.sh p06 or l22 fetches it")
