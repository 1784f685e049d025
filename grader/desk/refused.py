"""What the desk cannot do, as a sentence that says what to do about it."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from grader.plain import plain
from grader.words import N_, Say


class Refused(Exception):
    """It cannot be done, and nothing of it was; `say` tells the person why."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


BUSY = N_("the database at {where} is busy: try again in a moment")
_SQLITE = {
    sqlite3.SQLITE_READONLY: N_("{where} cannot be written to: make it writable for the user that runs the server"),
    sqlite3.SQLITE_CANTOPEN: N_("{where} cannot be opened: let the user that runs the server read and write there"),
    sqlite3.SQLITE_PERM: N_("{where} cannot be opened: let the user that runs the server read and write there"),
    sqlite3.SQLITE_FULL: N_("the disk that holds {where} is full: make room, then try again"),
    sqlite3.SQLITE_IOERR: N_("the disk that holds {where} does not take what is written: is it full or failing?"),
    sqlite3.SQLITE_CORRUPT: N_("the database at {where} is damaged: put a backup in its place, or move it away"),
    sqlite3.SQLITE_NOTADB: N_("the database at {where} is damaged: put a backup in its place, or move it away"),
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
}
_POSTGRES = {
    "25006": N_("the database at {where} is read-only: let the server's user write to it"),
    "42501": N_("the database at {where} does not allow this: give the server's user the rights to make tables"),
    "53": N_("the database at {where} has no room left: make room, then try again"),
    "57": N_("the database at {where} does not answer: start it, then try again"),
    "40": BUSY,
    "55P03": BUSY,
}
_SILENT = N_("the database at {where} cannot be reached ({reason}): start it, or correct its address")


def trouble(error: DBAPIError | sqlite3.Error, where: str) -> Refused | None:
    """The sentence for an error of the database itself; None for one that is a mistake in our code."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(origin, sqlite3.Error):
        text = _SQLITE.get(getattr(origin, "sqlite_errorcode", 0) & 0xFF)
        return Refused(Say(text, where=where)) if text else None
    state = getattr(origin, "sqlstate", None)
    if state is None:  # no answer at all: there is no server, or the connection broke
        broken = (
            isinstance(error, DBAPIError)
            and error.connection_invalidated
            or type(origin).__name__ == "OperationalError"
        )
        reason = plain(str(origin), 200, one_line=True)
        return Refused(Say(_SILENT, where=where, reason=reason)) if broken else None
    text = next((text for code, text in _POSTGRES.items() if state.startswith(code)), None)
    return Refused(Say(text, where=where)) if text else None
