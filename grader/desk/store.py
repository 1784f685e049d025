"""The database: opened, brought to the newest schema, spoken to in transactions that wholly happen or not at all.

SQLite in a data folder is the default: write-ahead log, so that readers never wait; a commit is on the disk before it
returns (synchronous FULL: 0.4 ms a commit where it was measured, and what was said to be accepted survives a power
cut). PostgreSQL is there for several servers that share one desk.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.exc import TimeoutError as NoneFree
from sqlalchemy.orm import Session
from sqlalchemy.pool import QueuePool

from grader.desk import schema
from grader.desk.file import NAME, File
from grader.desk.refused import BUSY, Refused, trouble
from grader.desk.tables import Base, CountRow
from grader.words import Say

WRITES = "kvhotel_writes"


class Store:
    """One database. Any thread may use it. Refused, with a sentence, where it cannot be had."""

    def __init__(self, database: str | Path, clock: Callable[[], float] | None = None, make: bool = True) -> None:
        """``database``: a folder, or a URL as SQLAlchemy takes it. ``clock``: a test's own time.

        ``make``: a file that is missing. A judge does not: its server can still save what was in it.
        """
        self._clock = clock
        self.file: File | None = None
        if "://" in str(database):
            self.engine, self.where = _server(str(database))
        else:
            self.where = str(Path(database).absolute() / NAME)
            self.engine = create_engine("sqlite+pysqlite://", creator=self._connect, poolclass=QueuePool)
            event.listen(self.engine, "begin", _begin)
            self.file = File(Path(database), self._opened)
        try:
            with self._said():
                if self.file is not None:
                    self.file.open(make)
                else:
                    schema.upgrade(self.engine, self.where)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of every connection."""
        self.engine.dispose()
        if self.file is not None:
            self.file.close()

    @contextlib.contextmanager
    def read(self) -> Iterator[Session]:
        """A session on one consistent picture of the database; what is changed in it is not kept."""
        with self._said():
            if self.file is not None:
                self.file.look()
            with self.engine.connect() as connection, Session(connection) as session:
                yield session

    @contextlib.contextmanager
    def write(self) -> Iterator[Session]:
        """A session whose changes are kept together at the end, or not at all where anything is raised."""
        with (
            self._said(),
            self.file.writing() if self.file is not None else contextlib.nullcontext(),
            self.engine.connect() as connection,
            Session(connection.execution_options(**{WRITES: True})) as session,
            session.begin(),
        ):
            yield session

    def _connect(self) -> sqlite3.Connection:
        assert self.file is not None
        return self.file.connect()

    def _opened(self) -> None:
        """There is another file: connections to the old one are of no use, and it may be of an older schema."""
        self.engine.dispose()
        schema.upgrade(self.engine, self.where)

    def put(self, session: Session, table: type[Base], **values: Any) -> None:
        """Insert a row, or change the one with the same primary key."""
        statement = (sqlite if session.get_bind().dialect.name == "sqlite" else postgresql).insert(table).values(values)
        keys = [column.name for column in table.__table__.primary_key]
        others = {name: value for name, value in values.items() if name not in keys}
        session.execute(statement.on_conflict_do_update(index_elements=keys, set_=others))

    def now(self, session: Session) -> float:
        """Seconds since 1970, by the one clock that everyone who shares this database goes by."""
        if self._clock is not None:
            return self._clock()
        if self.engine.dialect.name == "sqlite":
            return time.time()
        return float(session.scalars(select(func.extract("epoch", func.clock_timestamp()))).one())

    @contextlib.contextmanager
    def _said(self) -> Iterator[None]:
        """The database's own errors as sentences; ours stay what they are."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            refused = trouble(error, self.where)
            if refused is None:
                raise
            raise refused from error
        except NoneFree as error:  # every connection has been in use for long
            raise Refused(Say(BUSY, where=self.where)) from error


def count(session: Session) -> int:
    """The next number of the one count. Until the transaction ends, nobody else gets one: what is decided by looking at
    the whole line (who is next, how many wait) is decided by one at a time."""
    return session.scalars(update(CountRow).values(value=CountRow.value + 1).returning(CountRow.value)).one()


def _begin(connection: Connection) -> None:
    """A writer takes its turn at the start: one that reads first, and then finds another writing, has to give up."""
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _server(address: str) -> tuple[Engine, str]:
    """An engine for a server's address, and the address without its password."""
    scheme, _, rest = address.partition("://")
    scheme = "postgresql+psycopg" if scheme in ("postgres", "postgresql") else scheme
    try:
        url = make_url(f"{scheme}://{rest}")
        if url.get_backend_name() != "postgresql":
            raise Refused(Say("the desk's database is a folder or a PostgreSQL address, not {given}", given=scheme))
        engine = create_engine(url, pool_pre_ping=True, connect_args={"client_encoding": "utf8"})
        return engine, url.render_as_string(hide_password=True)
    except ImportError as error:
        command = "./check.sh setup postgres"
        raise Refused(Say("PostgreSQL needs one more package: {command}", command=command)) from error
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise Refused(Say("the address of the desk's database cannot be read: {given}", given=scheme)) from error
