"""Inside the room: grades what it is asked to, several at a time, then looks for what was left behind.

Reads one question from its input, prints one answer. Never started but by ``namespace.run``.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import queue
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grader.sandbox import cgroup, docker, launcher
from grader.sandbox.limits import Limits
from tests.hostile.catalogue import FILES, LEFT_BEHIND, SECRET, cheats
from tests.hostile.namespace import ROOT

PLACES = ("/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", "/root", "/home", "/run", str(ROOT), str(ROOT / "mine"))
SHARED_KEY, IPC_CREAT, IPC_RMID = 0x4B5648, 0o1000, 0
RIGHT = ROOT / "solutions" / "p06_block_manager.py"


class Process:
    """A judge process of ours."""

    def __init__(self) -> None:
        words = [sys.executable, "-P", "-m", "tests.hostile.grading"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)

    def ask(self, question: dict[str, Any]) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else {"fault": f"the judge itself ended with {self.process.wait()}"}

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def grade_all(rows: list[dict[str, Any]], at_a_time: int, rest: bool = False) -> tuple[list[Any], list[Any]]:
    """Every row's report, in order; and what each judge process held in the middle and at the end, with ``rest``."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(rows)):
        waiting.put(number)
    reports: list[Any] = [None] * len(rows)
    held: list[Any] = []

    def work() -> None:
        process, done = Process(), 0
        early = None
        with contextlib.suppress(queue.Empty):
            while True:
                number = waiting.get_nowait()
                reports[number] = process.ask(rows[number])
                done += 1
                if "fault" in reports[number] or rows[number].get("sabotage"):  # a sabotage is for one grading
                    process.close()
                    process = Process()
                if rest and early is None and waiting.qsize() < len(rows) * 2 // 3:
                    early = settled(process)
        if rest:
            held.append([early, settled(process)])
        process.close()

    threads = [threading.Thread(target=work) for _ in range(at_a_time)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return reports, held


def settled(process: Process) -> Any:
    """What the process holds once the worker that it keeps ready is up."""
    time.sleep(1.0)
    return process.ask({"usage": True})


def mounts() -> set[str]:
    return set(Path("/proc/self/mountinfo").read_text().splitlines())


def left_behind(before: set[str]) -> list[str]:
    """Processes, control groups, containers, mounts and files that should not be there."""
    left = []
    with contextlib.suppress(ChildProcessError):  # the first process of a pid namespace is heir to every orphan
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    ours = {1, os.getpid(), os.getppid()}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ")
            if int(path.name) not in ours:
                left.append(f"process {path.name} {line[:80].decode()}")
    room = str(os.stat("/proc/self/ns/pid").st_ino)
    where = cgroup.home()
    for folder in where.folders if where else []:
        left += [f"group {path}" for path in folder.glob(f"{cgroup.PREFIX}{room}-*")]
    if docker.client.cache_info().currsize:
        for one in docker.client().containers(all=True, filters={"label": docker.LABEL}):
            if one["Labels"][docker.LABEL].startswith(room):
                left.append(f"container {one['Id'][:12]}")
    # A mount that is gone is none of ours: where a folder is removed outside, the kernel takes its copy here with it.
    left += [f"mount {line}" for line in sorted(mounts() - before)]
    for folder in (*PLACES, tempfile.gettempdir()):
        if (Path(folder) / LEFT_BEHIND).exists():
            left.append(f"file {folder}/{LEFT_BEHIND}")
    left += [f"file {path}" for path in Path(tempfile.gettempdir()).iterdir()]
    return left


@contextlib.contextmanager
def lures() -> Iterator[None]:
    """What a file must not find: a secret in the environment, the answer on an abstract socket, shared memory."""
    os.environ[SECRET] = "the judge's own"
    listener = socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):  # another room's is as good
        listener.bind("\0kvhotel-hostile")
        listener.listen()

    def tell() -> None:
        with contextlib.suppress(OSError):
            while True:
                asker, _ = listener.accept()
                with asker:
                    asker.sendall(RIGHT.read_bytes())

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    libc = ctypes.CDLL(None)
    shared = libc.shmget(SHARED_KEY, 4096, IPC_CREAT | 0o444)
    try:
        yield
    finally:
        libc.shmctl(shared, IPC_RMID, None)
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        teller.join()


def rows_for(names: list[str], backend: str, limits: Limits | None) -> list[dict[str, Any]]:
    by_name = {cheat.name: cheat for cheat in cheats()}
    return [
        {
            "file": str(FILES / f"{name}.py") if name in by_name else str(RIGHT),
            "exercise": by_name[name].exercise if name in by_name else "p06",
            "checks": list(by_name[name].checks or ()) or None if name in by_name else None,
            "backend": backend,
            "limits": asdict(limits or (by_name[name].short if name in by_name else Limits())),
        }
        for name in names
    ]


def main() -> None:
    """``names`` are graded by ``backend`` with ``limits`` (none: the short ones); other names are the right answer's.

    ``sabotages``: one for each name, carried out in a judge process of its own.
    """
    question = json.load(sys.stdin)
    limits = Limits(**question["limits"]) if question.get("limits") else None
    with tempfile.TemporaryDirectory(prefix="kvhotel-room-") as own:
        os.environ["TMPDIR"] = tempfile.tempdir = own
        before = mounts()
        why = launcher.available()[question["backend"]]
        if why is not None:
            print(json.dumps({"missing": f"{why.msgid} {why.args}"}))
            return
        rows = rows_for(question["names"], question["backend"], limits)
        for row, name in zip(rows, question.get("sabotages", []), strict=False):
            row["sabotage"] = name
        with lures():
            reports, held = grade_all(rows, question["at_a_time"], question.get("rest", False))
            right: Any = None
            if question.get("then_right"):
                [right], _ = grade_all(rows_for(["right"], question["backend"], None), 1)
        left = left_behind(before)
        docker.disconnect()
        print(json.dumps({"reports": reports, "held": held, "right": right, "left": left}))


if __name__ == "__main__":
    main()
