"""What this machine has and lacks for grading."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from grader.sandbox.enforcement import enforced_by
from grader.sandbox.launcher import available
from grader.words import N_, Say

WORKS = N_("works")
WEAK = ("process",)  # limits only: enough for one's own code, no wall


def findings() -> tuple[list[Say], int]:
    """The lines to show, and 0 if a walled sandbox works, else 2."""
    sandboxes = available()
    lines = [
        Say("Python {version} on {machine}", version=platform.python_version(), machine=platform.platform()),
        _torch(),
    ]
    for name, why in sandboxes.items():
        lines.append(Say("sandbox {name}: {state}", name=name, state=why or Say(WORKS)))
        if why is None:
            lines += [Say("    {promise}: {by}", promise=Say(p), by=by) for p, by in enforced_by(name).items()]
    if any(why is None for name, why in sandboxes.items() if name not in WEAK):
        return lines, 0
    weak = Say("Code runs with limits but without walls here: fine for your own file, not for other people's.")
    return [*lines, weak], 2


def _torch() -> Say:
    try:
        return Say("torch {version}", version=version("torch"))
    except PackageNotFoundError:
        return Say("torch is not installed yet; the first ./check.sh p06 or l22 fetches it")
