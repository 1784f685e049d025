"""One judge process in the room: a line with a question in, a line with the report out.

A judge runs pytest in its own process, so several gradings at a time are several of these.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.exercise import discover
from grader.judge import Judge
from grader.sandbox.limits import Limits
from tests.hostile import sabotage
from tests.hostile.namespace import refuse


class Grader:
    """Judges kept between gradings, one for each exercise, backend and limits."""

    def __init__(self) -> None:
        self.judges: dict[Any, Judge] = {}

    def grade(self, source: bytes, exercise: str, backend: str, limits: Limits, checks: Sequence[str] | None) -> Any:
        refuse(backend)
        key = (exercise, backend, limits)
        if key not in self.judges:
            judge = self.judges[key] = Judge(discover()[exercise], backend, limits)
            judge.warm()
            if judge.tensors is not None:
                judge.tensors.greeting()  # it takes its seconds once, and is no submission's doing
        report = self.judges[key].grade(source, discover()[exercise].file, checks)
        return report.to_json("en")

    def close(self) -> None:
        for judge in self.judges.values():
            judge.close()
        self.judges.clear()


def usage() -> dict[str, int]:
    """What this process holds: KiB of memory, descriptors, threads, children."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    tasks = [Path(f"/proc/self/task/{task}/children") for task in os.listdir("/proc/self/task")]
    return {
        "kib": int(status["VmRSS"].split()[0]),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": int(status["Threads"]),
        "children": sum(len(path.read_text().split()) for path in tasks if path.exists()),
    }


def main() -> None:
    """Answer until the input ends. A question may name a sabotage, which then holds for this process."""
    grader = Grader()
    for line in sys.stdin:
        question = json.loads(line)
        if question.get("usage"):
            print(json.dumps(usage()), flush=True)
            continue
        if question.get("sabotage"):
            sabotage.TABLE[question["sabotage"]].carry_out()
        limits = replace(Limits(), **question["limits"])
        source = Path(question["file"]).read_bytes()
        try:
            report = grader.grade(source, question["exercise"], question["backend"], limits, question["checks"])
        except Exception as error:
            report = {"fault": f"{type(error).__name__}: {error}"[-3000:]}
        print(json.dumps(report), flush=True)
    grader.close()


if __name__ == "__main__":
    main()
