"""Each test of the store runs on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.desk.desk import Desk
from grader.desk.store import Store
from tests.desk import postgres


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Server]:
    try:
        with postgres.running() as server:
            yield server
    except postgres.NotHere as reason:
        pytest.skip(str(reason))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that nobody has used: a folder, or an address."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    return str(request.getfixturevalue("server").new())


class Clock:
    """Time that goes on only when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_store(database: str) -> Iterator[Callable[..., Store]]:
    """open_store(clock=None): a store on the test's database; as many as wanted."""
    opened: list[Store] = []

    def open_store(clock: Clock | None = None) -> Store:
        opened.append(Store(database, clock))
        return opened[-1]

    yield open_store
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store], clock: Clock) -> Store:
    return open_store(clock)


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk("", store=store)
