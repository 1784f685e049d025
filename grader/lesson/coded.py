"""Is the output under a piece of code what it prints? It is run, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.lesson.data import Code
from grader.words import Say

ROOT = Path(__file__).resolve().parents[2]
CODE_SECONDS = 60


def code_problems(code: Code) -> Iterator[Say]:
    printed, error = _run(code.source)
    if error:
        yield Say("The code does not run: {problem}", problem=error)
    elif printed.strip("\n") != code.output.strip("\n"):
        yield Say("The code prints {printed}, not {output}: put what it prints into the fence output.",
                  printed=repr(printed), output=repr(code.output))  # fmt: skip


@cache
def _run(source: str) -> tuple[str, str]:
    """What the code prints, and the last line of its error."""
    with tempfile.TemporaryDirectory() as place:
        try:
            done = subprocess.run([sys.executable, "-c", source], cwd=place, capture_output=True, text=True,
                                  timeout=CODE_SECONDS, env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
                                  stdin=subprocess.DEVNULL)  # fmt: skip
        except subprocess.TimeoutExpired:
            return "", f"{CODE_SECONDS} s"
    return done.stdout, (done.stderr.strip().splitlines() or [str(done.returncode)])[-1] if done.returncode else ""
