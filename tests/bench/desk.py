"""How long does one wait for a verdict at the desk, alone and in a crowd, and what of that is the desk's own?"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

from grader.desk.desk import Desk
from grader.desk.judges import Judges
from grader.desk.submission import Submission
from grader.exercise import discover
from grader.judge import Judge
from solutions import mistakes
from tests.bench.table import row

RIGHT = mistakes.reference_source("p06").encode()
CHEAP = ("free-returns-everything",)
BURST, PEOPLE = 100, 10
ALONE = 25
IN_A_ROW = 16
_numbers = count()


def another() -> bytes:
    """The right answer as a file that nobody has handed in yet."""
    return RIGHT + b"\n# %d\n" % next(_numbers)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, round(share * (len(values) - 1)))]


def until(desk: Desk, person: str, id: str) -> Submission:
    while True:
        found = desk.submission(person, id)
        assert found is not None
        if found.state in ("done", "abandoned"):
            assert found.verdict == "passed", found
            return found
        time.sleep(0.005)


def alone(desk: Desk, only: tuple[str, ...]) -> tuple[list[float], list[float]]:
    """Seconds from handing in to the verdict seen, and those of the grading itself; a person's pause between."""
    waited, graded = [], []
    for _ in range(ALONE):
        time.sleep(0.7)
        began = time.perf_counter()
        found = until(desk, "one", desk.submit("one", "p06", another(), "mine.py", only).id)
        waited.append(time.perf_counter() - began)
        graded.append(found.seconds or 0.0)
    return waited, graded


def again(desk: Desk) -> float:
    """Median seconds for the answer to a file that was graded before."""
    source, spent = another(), []
    until(desk, "one", desk.submit("one", "p06", source, "mine.py", CHEAP).id)
    for _ in range(ALONE):
        began = time.perf_counter()
        assert desk.submit("two", "p06", source, "mine.py", CHEAP).stored
        spent.append(time.perf_counter() - began)
    return statistics.median(spent)


def crowd(desk: Desk, only: tuple[str, ...], how_many: int) -> tuple[float, list[float], list[float]]:
    """A burst at one moment: seconds until the last verdict; from handing in until each is begun; for handing in."""

    def hand_in(n: int) -> tuple[str, str, float]:
        person = f"person {n % PEOPLE}"
        began = time.perf_counter()
        made = desk.submit(person, "p06", another(), "mine.py", only)
        return person, made.id, time.perf_counter() - began

    began = time.perf_counter()
    with ThreadPoolExecutor(PEOPLE) as pool:
        made = list(pool.map(hand_in, range(how_many)))
    ends = [until(desk, person, id) for person, id, _ in made]
    whole = time.perf_counter() - began
    waits = [(one.started - one.created).total_seconds() for one in ends if one.started]
    return whole, waits, [spent for _, _, spent in made]


def without_the_desk() -> float:
    """Seconds a whole grading in one judge process, one after another."""
    judge = Judge(discover()["p06"])
    try:
        for _ in range(2):
            judge.grade(another(), judge.exercise.file)
        began = time.perf_counter()
        for _ in range(IN_A_ROW):
            assert judge.grade(another(), judge.exercise.file).verdict == "passed"
        return (time.perf_counter() - began) / IN_A_ROW
    finally:
        judge.close()


def main(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk, judges = Desk(folder, waiting=BURST), Judges(folder)
        try:
            judges.ready.wait(60)
            if judges.problem is not None:
                row("nothing can be graded here: ./check.sh doctor says why", "-")
                return
            measure(desk, judges.count)
        finally:
            judges.close()
            desk.close()


def measure(desk: Desk, judges: int) -> None:
    until(desk, "one", desk.submit("one", "p06", another(), "mine.py").id)
    time.sleep(5)  # every exercise's worker is up then
    row("judges, for so many cores", f"{judges} / {os.cpu_count()}")
    waited, graded = alone(desk, ())
    row("p06 to the verdict, warm, nobody else there: p50", f"{percentile(waited, 0.5):.2f} s", "aim <= 1 s")
    row("  p95", f"{percentile(waited, 0.95):.2f} s")
    over = statistics.median(there - own for there, own in zip(waited, graded, strict=True))
    row("  of that the desk's own: to a judge, and the verdict back", f"{over * 1000:.0f} ms")
    waited, _ = alone(desk, CHEAP)
    row("one check alone: p50", f"{percentile(waited, 0.5):.2f} s")
    row("the same file again, from the stored report", f"{again(desk) * 1000:.1f} ms")
    whole, waits, spent = crowd(desk, (), BURST)
    row(f"{BURST} at one moment from {PEOPLE} people: submissions a minute", f"{60 * BURST / whole:.0f}")
    row("  to the start of a grading: p50, last", f"{percentile(waits, 0.5):.1f} s, {max(waits):.1f} s")
    row(
        "  to hand one in meanwhile: p50, longest",
        f"{percentile(spent, 0.5) * 1000:.0f} ms, {max(spent) * 1000:.0f} ms",
    )
    row(
        "  over the same gradings by as many judges without a desk",
        f"{whole / BURST * judges / without_the_desk():.2f}x",
    )
