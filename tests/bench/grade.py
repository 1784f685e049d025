"""How long does a verdict take, and how much of that is ours?"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from grader.exercise import discover
from grader.exercises.p06.generate import random_story
from grader.judge import Judge
from grader.naming import load_driver
from grader.replay.op import Story
from grader.sandbox import launcher
from grader.sandbox.limits import Limits
from grader.sandbox.pool import Pool
from grader.sandbox.remote import Remote, Submission
from solutions import p06_block_manager
from tests.bench.table import medians, row

ROOT = Path(__file__).resolve().parents[2]
SOLUTION = ROOT / "solutions" / "p06_block_manager.py"
RUNS = 7


def run(*command: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def without_torch() -> float:
    """Seconds from the start of ``./check.sh p06`` to the line of the last acceptance check that needs no torch."""
    began, last = time.perf_counter(), 0.0
    command = ["./check.sh", "p06", "--file", str(SOLUTION), "--lang", "en"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "random-long" in line:
                last = time.perf_counter() - began
    return last


def frame_overhead() -> float:
    """Microseconds an op that a story of 2,000 ops in one frame takes over the manager's own time; median of 15."""
    exercise = discover()["p06"]
    source = (exercise.folder / "driver.py").read_text("utf-8")
    limits = Limits()
    workers = Pool(launcher.pick("auto"), limits, size=1, refill=False)
    remote = Remote(Submission(SOLUTION.read_text("utf-8"), exercise.file, source), workers, limits)
    driver = load_driver(source)
    story = random_story(1, 64, 16, 2000)
    over = []
    try:
        assert remote.load() is None
        for _ in range(15):
            began = time.perf_counter()
            remote.play(story)
            there = time.perf_counter() - began
            over.append((there - own_time(driver, story)) / len(story.ops) * 1e6)
    finally:
        remote.close()
        workers.close()
    return statistics.median(over)


def own_time(driver: object, story: Story) -> float:
    """Seconds that the manager's calls alone take, in this process."""
    session = driver.Session(p06_block_manager, story.params)  # type: ignore[attr-defined]
    calls = [(session.calls[op.name], op.args) for op in story.ops]
    began = time.perf_counter()
    for call, args in calls:
        with contextlib.suppress(Exception):
            call(*args)
    return time.perf_counter() - began


def regrade() -> list[float]:
    """Seconds of each grading after the first, in the process that ``--watch`` keeps."""
    judge = Judge(discover()["p06"])
    spent = []
    try:
        for turn in range(6):
            report = judge.grade(SOLUTION.read_bytes() + b"#" * turn, "p06_block_manager.py")
            assert report.verdict == "passed", report
            spent.append(report.seconds)
            time.sleep(0.3)  # a person does not save without a pause: the next worker is up by then
    finally:
        judge.close()
    return spent[1:]


def main(arguments: list[str]) -> None:
    python = sys.executable
    floor, graded, plain = medians(
        RUNS,
        lambda: run(python, "-c", "import pytest, torch"),
        lambda: run("./check.sh", "p06", "--file", str(SOLUTION)),
        lambda: run(python, "-m", "tests.bench.here"),
    )
    row("floor: python importing pytest and torch", f"{floor:.2f} s")
    row("./check.sh p06", f"{graded:.2f} s")
    row("  over the floor", f"{graded / floor:.2f}x", "aim <= 1.5x")
    row("plain pytest of the same checks in one process (torch beside it)", f"{plain:.2f} s")
    row("  ./check.sh p06 over it", f"{graded / plain:.2f}x", "aim <= 1.5x")
    row(
        "verdict of all that needs no torch on screen",
        f"{statistics.median(without_torch() for _ in range(RUNS)):.2f} s",
        "aim <= 1 s",
    )
    row("2,000 ops in one frame: over the manager's own time, an op", f"{frame_overhead():.1f} us", "aim <= 5 us")
    row("grading again in --watch", f"{statistics.median(regrade()):.2f} s", "aim <= 0.5 s")
