"""A PostgreSQL server of the tests' own: in a folder of its own, on a Unix socket, as a user that is not root."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

USER = "nobody"
INSTALLED = Path("/usr/lib/postgresql")


class NotHere(Exception):
    """There is no PostgreSQL on this machine."""


def programs() -> Path:
    """The folder with initdb and postgres; the newest where there are several."""
    found = sorted(INSTALLED.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3].partition(".")[0]))
    on_path = shutil.which("postgres")
    if not found and not on_path:
        raise NotHere("PostgreSQL is not installed: no /usr/lib/postgresql/*/bin/postgres")
    return found[-1].parent if found else Path(str(on_path)).parent


class Server:
    """``new()`` makes an empty database and gives its address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.numbers = folder, itertools.count()

    def address(self, database: str) -> str:
        return f"postgresql://desk@/{database}?host={self.folder}"

    def new(self) -> str:
        name = f"desk{next(self.numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """A server for as long as this lasts. NotHere where there is none to be started."""
    bin = programs()
    folder = Path(tempfile.mkdtemp(prefix="kvhotel-postgres-"))
    words = []
    if os.geteuid() == 0:
        shutil.chown(folder, USER)
        words = ["setpriv", "--reuid", USER, "--clear-groups", "--pdeathsig", "SIGINT"]
    data = folder / "data"
    environment = {"PATH": f"{bin}:/usr/bin:/bin", "LC_ALL": "C"}
    try:
        make = [*words, str(bin / "initdb"), "-D", str(data), "-U", "desk", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(make, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd="/")
        serve = [*words, str(bin / "postgres"), "-D", str(data), "-k", str(folder)]
        serve += ["-c", "listen_addresses=", "-c", "fsync=off"]
        with (folder.parent / f"{folder.name}.log").open("w+") as log:
            os.unlink(log.name)
            process = subprocess.Popen(serve, env=environment, stdout=log, stderr=log, cwd="/")
            try:
                server = Server(folder)
                _wait(server, process)
                yield server
            finally:
                process.send_signal(signal.SIGINT)  # "fast": it ends the connections that are left
                process.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(server: Server, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(server.address("postgres")).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.05)
