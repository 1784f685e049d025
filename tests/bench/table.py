"""What every bench prints: a row a figure, with the aim beside it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def medians(runs: int, *bodies: Callable[[], object]) -> list[float]:
    """Wall seconds of each body, medians over ``runs`` turns in which they alternate (so that drift hits all alike)."""
    spent: list[list[float]] = [[] for _ in bodies]
    for _ in range(runs):
        for body, so_far in zip(bodies, spent, strict=True):
            began = time.perf_counter()
            body()
            so_far.append(time.perf_counter() - began)
    return [statistics.median(row) for row in spent]


def row(what: str, value: str, aim: str = "") -> None:
    print(f"{what:<66} {value:>12}  {aim}", flush=True)
