"""Brings a database to the newest schema, in this process, by Alembic's steps. Several may try at once: one does it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from grader.desk.refused import Refused
from grader.words import Say

MIGRATIONS = Path(__file__).with_name("migrations")
LOCK = 0x4B56486F74656C
"""Of PostgreSQL's advisory locks, the one that whoever migrates holds."""


@cache
def revisions() -> tuple[str, ...]:
    """Every schema there was, newest first. Without Alembic, whose import takes its time: judges start often."""
    return tuple(sorted((path.stem for path in (MIGRATIONS / "versions").glob("v*.py")), reverse=True))


def version(connection: Connection) -> str | None:
    """Which schema the database has; None where it has none yet."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(engine: Engine, where: str) -> None:
    """Take the steps that are missing. Refused where the database is of a version that this code does not know."""
    with engine.connect() as connection:
        if _is_newest(connection, where):
            return
    with engine.connect() as plain:
        connection = plain.execution_options(kvhotel_writes=True)
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            if not _is_newest(connection, where):
                _take_the_steps(connection)


def _is_newest(connection: Connection, where: str) -> bool:
    found = version(connection)
    if found is not None and found not in revisions():
        raise Refused(
            Say("the database at {where} was made by a newer version of this program: update the program", where=where)
        )
    return found == revisions()[0]


def _take_the_steps(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
