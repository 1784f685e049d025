"""What every bench prints: a row a figure, with the aim beside it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def medians(runs: int, *bodies: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> list[float]:
    """Seconds of each body, medians over ``runs`` turns in which they alternate (so that drift hits all alike).

    ``clock``: wall time, or time.process_time for what computes in this process alone.
    """
    spent: list[list[float]] = [[] for _ in bodies]
    for _ in range(runs):
        for body, so_far in zip(bodies, spent, strict=True):
            began = clock()
            body()
            so_far.append(clock() - began)
    return [statistics.median(row) for row in spent]


def row(what: str, value: str, aim: str = "") -> None:
    print(f"{what:<66} {value:>12}  {aim}", flush=True)
