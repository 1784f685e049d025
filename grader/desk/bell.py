"""A bell between the desk and the judges of the same process: rung when something was handed in, so that nobody has to
look at the database many times a second. Judges of other processes look every now and then."""

from __future__ import annotations

import threading
from collections.abc import Callable

_hearers: dict[str, set[Callable[[], None]]] = {}
_lock = threading.Lock()


def ring(where: str) -> None:
    """Tell whoever listens for this database."""
    with _lock:
        hearers = list(_hearers.get(where, ()))
    for hearer in hearers:
        hearer()


def listen(where: str, hearer: Callable[[], None]) -> None:
    with _lock:
        _hearers.setdefault(where, set()).add(hearer)


def leave(where: str, hearer: Callable[[], None]) -> None:
    with _lock:
        _hearers.get(where, set()).discard(hearer)
