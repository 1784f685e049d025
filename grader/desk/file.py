"""SQLite's file and its folder: made, watched, and laid anew where somebody deletes it under the running server.

A deleted file lives on as long as somebody has it open, and we do: whoever notices first writes it to disk again,
whole. Writers hold the folder's lock, shared; who lays the file anew holds it alone: so nothing is written into the old
one once it has been read.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from grader.desk.refused import Refused
from grader.words import N_, Say

NAME = "kvhotel.db"
BUSY_S = 20.0
"""How long a writer waits for the others before it gives up."""
PATIENCE_S = 10.0
"""How long to wait for one who has a newer file than ours."""
PASSED_ON = 1
"""The `user_version` of a deleted file that was laid anew: it is not to be saved again."""
MISSING = N_("{where} cannot be opened: let the user that runs the server read and write there")
LOST = N_("the database at {where} was deleted, and what it held could not be saved: there is a new one, without it")


class File:
    """The database's file. ``opened`` is called, with the folder's lock held, whenever there is another one to open.

    Refused where it cannot be had.
    """

    def __init__(self, folder: Path, opened: Callable[[], None]) -> None:
        self.path = folder.absolute() / NAME
        self._opened = opened
        self._kept: sqlite3.Connection | None = None
        self._known: tuple[int, int] | None = None

    def open(self, make: bool = True) -> None:
        """Have it. ``make``: make it where it is missing; off for whoever comes to one that must be there."""
        with self._making(), self._locked(fcntl.LOCK_EX):
            if make:
                self.path.touch(mode=0o600)
            if not self._adopt(passed_on=False):
                raise Refused(Say(MISSING, where=str(self.path)))

    def connect(self) -> sqlite3.Connection:
        """A new connection to the file that is there. It is never made by the way: an empty one would look like ours.

        Transactions begin where we say so, not where the driver thinks.
        """
        address = f"file:{quote(str(self.path))}?mode=rw"
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        try:
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                connection.execute(f"PRAGMA {pragma}").close()
        except BaseException:
            connection.close()
            raise
        return connection

    def look(self) -> None:
        """Make sure that the file is the one we have open, and there: call it before each transaction."""
        end = time.monotonic() + PATIENCE_S
        while not self._ours():
            with self._making(), self._locked(fcntl.LOCK_EX):
                if self._ours():  # another thread was faster
                    return
                there = self.path.exists() and self.path.stat().st_size > 0
                newest = self._newest()
                if there or newest and self._save():
                    if self._adopt(passed_on=not there):
                        return
                elif newest or time.monotonic() > end:
                    self.path.touch(mode=0o600)
                    self._adopt(passed_on=False)
                    raise Refused(Say(LOST, where=str(self.path)))
            time.sleep(0.05)  # somebody else has what was written since, and will notice

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """While this lasts nobody lays the file anew; it is there, and ours."""
        self.look()
        lock = self._lock(fcntl.LOCK_SH)
        while not self._ours():
            os.close(lock)
            self.look()
            lock = self._lock(fcntl.LOCK_SH)
        try:
            yield
        finally:
            os.close(lock)

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    # -- inside ----------------------------------------------------------------------------------------------------

    def _ours(self) -> bool:
        found = self._found()
        return found is not None and found == self._known

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino

    @contextlib.contextmanager
    def _making(self) -> Iterator[None]:
        """What keeps the folder or the file from being made is said."""
        try:
            yield
        except OSError as error:
            text = N_("the data folder {folder} cannot be written to ({reason}): make it writable, or choose another")
            raise Refused(Say(text, folder=str(self.path.parent), reason=error.strerror or "?")) from error

    @contextlib.contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        lock = self._lock(how)
        try:
            yield
        finally:
            os.close(lock)

    def _lock(self, how: int) -> int:
        """The folder's lock, held until this is closed."""
        try:
            lock = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # gone just now
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY)
        with contextlib.suppress(OSError):  # a file system without locks has to do without
            fcntl.flock(lock, how)
        return lock

    def _adopt(self, passed_on: bool) -> bool:
        """Open what is there, in place of what we had; False where it was deleted just now, and we have what we had.

        A connection is kept that nobody uses: by it a deleted file lives on. ``passed_on``: what we had was laid anew,
        which whoever has it open still must know.
        """
        found = self._found()
        try:
            kept = self.connect()
            kept.execute("SELECT count(*) FROM sqlite_master").close()
        except sqlite3.OperationalError:
            if self._found() is None:
                return False
            raise
        if found is None or found != self._found():
            kept.close()
            return False
        if passed_on and self._kept is not None:
            with contextlib.suppress(sqlite3.Error):
                self._kept.execute(f"PRAGMA user_version = {PASSED_ON}").close()
        self.close()
        self._kept, self._known = kept, found
        self._opened()
        return True

    def _newest(self) -> bool:
        """Whether nobody has laid the file anew since we opened ours."""
        try:
            return self._kept is None or self._kept.execute("PRAGMA user_version").fetchone() != (PASSED_ON,)
        except sqlite3.Error:
            return True

    def _save(self) -> bool:
        """Write the deleted file to its place again. False where it can no longer be read."""
        part = self.path.with_name(f".{NAME}.{os.getpid()}")
        part.unlink(missing_ok=True)
        try:
            assert self._kept is not None
            with contextlib.closing(sqlite3.connect(part, isolation_level=None)) as copy:
                self._kept.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE").close()  # all of it in the one file
        except (sqlite3.Error, AssertionError):
            part.unlink(missing_ok=True)
            return False
        part.chmod(0o600)
        for left in ("-wal", "-shm"):  # of the old file: they would be taken for the new one's
            self.path.with_name(NAME + left).unlink(missing_ok=True)
        part.replace(self.path)
        return True
