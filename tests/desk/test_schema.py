"""The schema comes from its steps, is the one that the code has, and is brought up to date by one of many."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from grader.desk import schema
from grader.desk.desk import Desk
from grader.desk.refused import Refused
from grader.desk.store import Store
from grader.desk.tables import Base
from tests.desk.processes import ROOT


def test_the_steps_lead_to_the_tables_of_the_code(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []
        assert schema.version(connection) == schema.revisions()[0]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(
    database: str, open_store: Callable[..., Store]
) -> None:
    store = open_store()
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = 'v9999'"))
    with pytest.raises(Refused) as refused:
        open_store()
    assert refused.value.say.msgid.endswith("was made by a newer version of this program: update the program")
    with store.read() as session:
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar() == "v9999"


def test_opening_again_keeps_everything(database: str) -> None:
    first = Desk(database)
    first.submit("ann", "p06", b"x = 1\n", "mine.py")
    first.close()
    second = Desk(database)
    assert [one.name for one in second.submissions("ann")] == ["mine.py"]
    second.close()


START = """
import sys
from grader.desk.desk import Desk
print("here", flush=True)
sys.stdin.readline()
desk = Desk(sys.argv[1])
desk.submit("ann", "p06", b"x = 1\\n", "mine.py")
desk.close()
"""


def test_many_may_start_at_once_on_a_database_that_is_not_there_yet(database: str) -> None:
    words = [sys.executable, "-W", "error", "-c", START, database]
    with contextlib.ExitStack() as stack:
        processes = [
            stack.enter_context(subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            for _ in range(4)
        ]
        for process in processes:
            assert process.stdout is not None and process.stdout.readline() == b"here\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
        for process in processes:
            process.communicate(timeout=60)
        assert [process.returncode for process in processes] == [0] * 4
    desk = Desk(database)
    assert len(desk.submissions("ann")) == 4
    desk.close()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://desk@/none?host=/nowhere", "cannot be reached"),
        ("postgresql://desk@127.0.0.1:1/none", "cannot be reached"),
        ("mysql://desk@here/none", "a folder or a PostgreSQL address"),
        ("postgresql://desk@here:port/none", "cannot be read"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused(address: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        Desk(address)
    assert sentence in refused.value.say.msgid
    assert "desk@" not in str(refused.value.say.args.get("given"))


def test_a_postgresql_without_this_database_is_refused(server) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Refused) as refused:
        Desk(server.address("none"))
    assert "cannot be reached" in refused.value.say.msgid
    assert 'database "none" does not exist' in str(refused.value.say.args["reason"])


def test_a_password_is_never_said() -> None:
    with pytest.raises(Refused) as refused:
        Desk("postgresql://desk:secret@127.0.0.1:1/none")
    assert "secret" not in repr(refused.value.say)
