"""What may become of the database under a running server: deleted, read-only, full, damaged. Nothing is half done."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.desk.claims import Claims
from grader.desk.desk import Desk, Refused
from grader.desk.keeper import Keeper
from grader.desk.store import Store
from grader.desk.tables import ReportRow, ResultRow, SourceRow, SubmissionRow
from tests.desk.processes import ROOT
from tests.desk.table_tools import report, sizes, suites, take

ANN = "ann's key"
SOURCE = b"x = 1\n"
FULL = "the disk that holds {where} is full: make room, then try again"
NO_WRITE = "the data folder {folder} cannot be written to ({reason}): make it writable, or choose another"
DAMAGED = "the database at {where} is damaged: put a backup in its place, or move it away"


def gone(folder: Path, what: str) -> None:
    if what == "folder":
        shutil.rmtree(folder)
        return
    for path in folder.iterdir():
        if what == "all" or path.name == "kvhotel.db":
            path.unlink()


@pytest.mark.parametrize("what", ["file", "all", "folder"])
def test_a_database_deleted_under_us_is_laid_anew_whole(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "data"
    desk, other = Desk(folder), Desk(folder)
    first = desk.submit(ANN, "p06", SOURCE, "first.py")
    gone(folder, what)
    second = desk.submit(ANN, "p06", SOURCE, "second.py")
    claim = take(Claims(other.store))
    assert claim is not None and claim.submission == first.id
    gone(folder, what)
    assert Claims(other.store).finish(claim, report(), suites("p06") or "")
    for one in (desk, other, Desk(folder)):
        states = [(found.name, found.state) for found in one.submissions(ANN)]
        assert states == [("second.py", "queued"), ("first.py", "done")]
        assert one.source(ANN, second.id) == SOURCE
        one.close()
    with contextlib.closing(sqlite3.connect(folder / "kvhotel.db")) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not list(folder.glob(".kvhotel.db*"))


def test_nobody_writes_into_a_deleted_file_while_it_is_saved(tmp_path: Path) -> None:
    """Six threads of two desks hand in while the file is deleted now and then: none of it is lost."""
    folder = tmp_path / "data"
    desks = [Desk(folder, waiting=1000), Desk(folder, waiting=1000)]
    made: list[str] = []
    over = threading.Event()

    def hand_in(desk: Desk, number: int) -> None:
        while not over.is_set():
            with contextlib.suppress(Refused):  # deleted between our look and our opening it
                made.append(desk.submit(ANN, "p06", b"x = %d\n" % number, "x.py").id)

    threads = [threading.Thread(target=hand_in, args=(desks[n % 2], n)) for n in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(4):
        before = len(made)
        while len(made) < before + 30:
            time.sleep(0.01)
        gone(folder, "all")
    over.set()
    for thread in threads:
        thread.join()
    assert {one.id for one in desks[0].submissions(ANN)} == set(made)
    for desk in desks:
        desk.close()


def test_a_judge_makes_no_database_its_server_lays_the_deleted_one_anew(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    made = desk.submit(ANN, "p06", SOURCE, "mine.py")
    gone(tmp_path, "all")
    with pytest.raises(Refused):
        Store(tmp_path, make=False)
    assert list(tmp_path.iterdir()) == []
    assert desk.submission(ANN, made.id) == made
    judges = Store(tmp_path, make=False)
    assert Claims(judges).waiting()
    judges.close()
    desk.close()


def test_another_database_put_in_its_place_is_taken(tmp_path: Path) -> None:
    desk, backup = Desk(tmp_path / "data"), Desk(tmp_path / "backup")
    desk.submit(ANN, "p06", SOURCE, "lost.py")
    kept = backup.submit(ANN, "p06", SOURCE, "kept.py")
    backup.close()
    gone(tmp_path / "data", "all")
    shutil.copy(tmp_path / "backup" / "kvhotel.db", tmp_path / "data" / "kvhotel.db")
    assert [one.id for one in desk.submissions(ANN)] == [kept.id]
    desk.close()


def test_what_cannot_be_saved_is_said_once_and_a_new_one_works(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    desk = Desk(folder)
    desk.submit(ANN, "p06", SOURCE, "lost.py")
    assert desk.store.file is not None and desk.store.file._kept is not None
    desk.store.file._kept.close()
    gone(folder, "all")
    with pytest.raises(Refused) as refused:
        desk.submissions(ANN)
    assert "could not be saved" in refused.value.say.msgid
    assert desk.submissions(ANN) == []
    assert desk.submit(ANN, "p06", SOURCE, "new.py").state == "queued"
    desk.close()


@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_cannot_be_written_to(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    if there:
        Desk(folder).close()
    with read_only(folder):
        with pytest.raises(Refused) as refused:
            Desk(folder)
        assert refused.value.say.msgid == NO_WRITE
        with pytest.raises(Refused) as refused:
            Desk(folder / "below")
        assert refused.value.say.msgid == NO_WRITE
    Desk(folder).close()


def test_a_full_disk_refuses_whole_and_takes_the_verdict_once_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    with small_disk(folder) as fill:
        desk = Desk(folder)
        made = desk.submit(ANN, "p06", SOURCE, "mine.py")
        claims = Claims(desk.store)
        claim = take(claims)
        assert claim is not None
        free = fill()
        before = sizes(desk.store, [SourceRow, SubmissionRow, ReportRow, ResultRow])
        for _ in range(3):
            with pytest.raises(Refused) as refused:
                desk.submit(ANN, "p06", b"#" * 200_000, "more.py")
            assert refused.value.say.msgid == FULL
        assert sizes(desk.store, [SourceRow, SubmissionRow, ReportRow, ResultRow]) == before
        with Keeper(claims, claim) as keeper:
            big = report(passed=4000)
            thread = threading.Thread(target=keeper.finish, args=(big, "suite"))
            thread.start()
            time.sleep(1.2)
            assert thread.is_alive()
            running = desk.submission(ANN, made.id)
            assert running is not None and running.state == "running"
            free()
            thread.join(30)
        done = desk.submission(ANN, made.id)
        assert done is not None and (done.state, done.passed) == ("done", 4000)
        desk.close()


def test_no_room_for_a_new_database(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    with small_disk(folder) as fill:
        fill()
        with pytest.raises(Refused) as refused:
            Desk(folder)
        assert refused.value.say.msgid in (FULL, NO_WRITE)


def test_a_file_size_limit_refuses_whole(tmp_path: Path) -> None:
    """Where no disk can be made small: the same in a process that may not write large files."""
    code = (
        "import resource, sys\n"
        "from grader.desk.desk import Desk, Refused\n"
        "desk = Desk(sys.argv[1])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))\n"
        "made = 0\n"
        "try:\n"
        "    for n in range(100):\n"
        "        desk.submit('ann', 'p06', b'#%d' % n + b'x' * 50_000, 'x.py')\n"
        "        made += 1\n"
        "except Refused as refused:\n"
        "    print(made, len(desk.submissions('ann')), refused.say.msgid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "data")], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    made, kept, said = done.stdout.strip().split(" ", 2)
    assert (made, done.stderr) == (kept, "") and 0 < int(made) < 20
    assert said.startswith("the disk that holds {where}")


@pytest.mark.parametrize("damage", [b"this is no database" * 400, b"SQLite format 3\0" + bytes(9000)])
def test_a_damaged_database_is_said_and_left_alone(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "kvhotel.db").write_bytes(damage)
    with pytest.raises(Refused) as refused:
        Desk(tmp_path)
    assert refused.value.say.msgid == DAMAGED
    assert (tmp_path / "kvhotel.db").read_bytes() == damage


def test_a_database_damaged_while_we_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for n in range(15):
        desk.submit(ANN, "p06", b"#%d\n" % n + b"x = 1\n" * 3000, "x.py")
    with contextlib.closing(sqlite3.connect(tmp_path / "kvhotel.db")) as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with (tmp_path / "kvhotel.db").open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (1 << 18))
    desk.store.engine.dispose()  # what it had in memory is right still
    with pytest.raises(Refused) as refused:
        desk.submissions(ANN)
    assert refused.value.say.msgid == DAMAGED
    desk.close()


# -- grounds -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A mount for root, permissions for everybody else."""
    if os.geteuid() == 0:
        subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
        try:
            remount(folder, "ro,bind")
            yield
        finally:
            subprocess.run(["umount", str(folder)], check=True)
        return
    folder.chmod(0o500)
    for path in folder.iterdir():
        path.chmod(0o400)
    try:
        yield
    finally:
        folder.chmod(0o700)
        for path in folder.iterdir():
            path.chmod(0o600)


def remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Callable[[], Callable[[], None]]]:
    """A disk of 2 MiB at ``folder``. What it gives fills it up, and gives what makes room again."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "kvhotel-test", str(folder)], check=True)

    def fill() -> Callable[[], None]:
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        return filler.unlink

    try:
        yield fill
    finally:
        subprocess.run(["umount", str(folder)], check=True)
