"""How soon is a sandbox there, and how soon a verdict? For each backend, cold and started ahead of time."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from grader.exercise import discover
from grader.judge import Judge
from grader.sandbox import launcher
from grader.sandbox.limits import Limits
from grader.sandbox.link import Link
from grader.sandbox.pool import Pool
from tests.bench.table import row

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "solutions" / "p06_block_manager.py").read_bytes()
P06 = discover()["p06"]
RUNS = 9
IN_A_ROW = 12


def first_reply(take: Callable[[], launcher.Child]) -> float:
    """Seconds from asking for a worker to the first thing that it says."""
    began = time.perf_counter()
    link = Link(take(), Limits())
    link.greet(60.0)
    spent = time.perf_counter() - began
    link.close()
    return spent


def ahead_of_time(backend: str, torch: bool) -> list[float]:
    """The same where the worker was started before, with nothing else to do meanwhile."""
    pool, spent = Pool(backend, Limits(), torch, size=1), []
    try:
        for _ in range(RUNS):
            while pool.ready() == 0:
                time.sleep(0.01)
            time.sleep(3.0 if torch else 0.5)
            spent.append(first_reply(pool.take))
    finally:
        pool.close()
    return spent


def verdicts(backend: str, checks: list[str], pause: float) -> list[float]:
    """Seconds of gradings in one judge process, the first of them left out."""
    judge, spent = Judge(P06, backend), []
    try:
        for turn in range(RUNS + 1):
            judge.warm()
            time.sleep(pause)
            report = judge.grade(SOURCE + b"#" * turn, P06.file, checks)
            assert report.verdict == "passed", report
            spent.append(report.seconds)
    finally:
        judge.close()
    return spent[1:]


def grade_in_a_row(backend: str) -> None:
    """One of the processes that grade side by side: no pause, every check."""
    judge = Judge(P06, backend)
    try:
        for turn in range(IN_A_ROW):
            assert judge.grade(SOURCE + b"#" * turn, P06.file).verdict == "passed"
    finally:
        judge.close()


def per_minute(backend: str, at_a_time: int) -> float:
    """Full gradings a minute with so many judge processes side by side."""
    words = [sys.executable, "-c", f"from tests.bench.sandbox import *; grade_in_a_row({backend!r})"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    began = time.perf_counter()
    judges = [subprocess.Popen(words, cwd=ROOT, env=environment) for _ in range(at_a_time)]
    if any(judge.wait() for judge in judges):
        raise RuntimeError("a judge failed")
    return 60 * at_a_time * IN_A_ROW / (time.perf_counter() - began)


def main(arguments: list[str]) -> None:
    judge = Judge(P06, "process")
    without_torch = [check.id for check in judge.checks() if check.id != "paged-gather"]
    judge.close()
    for backend, why in launcher.available().items():
        if why is not None:
            row(f"{backend}: does not work here", "-")
            continue
        cold = statistics.median(first_reply(partial(launcher.start, backend, Limits())) for _ in range(RUNS))
        row(
            f"{backend}: start to first reply, cold",
            f"{cold * 1000:.0f} ms",
            "aim <= 100 ms" * (backend == "bubblewrap"),
        )
        ready = statistics.median(ahead_of_time(backend, False))
        row(f"{backend}: start to first reply, ahead of time", f"{ready * 1000:.1f} ms", "aim <= 100 ms")
        if backend != "process":
            torch = statistics.median(ahead_of_time(backend, True))
            row(f"{backend}: the same with torch in it", f"{torch * 1000:.1f} ms", "aim <= 100 ms")
        warm = statistics.median(verdicts(backend, without_torch, 0.5))
        row(f"{backend}: p06 without torch, to the verdict, warm", f"{warm:.2f} s", "aim <= 0.5 s")
        row(f"{backend}: full p06 gradings a minute, two side by side", f"{per_minute(backend, 2):.0f}")
