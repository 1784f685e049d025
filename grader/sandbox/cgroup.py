"""A control group for each sandbox: memory and process count of the whole tree, counted and bounded by the kernel.

Works on cgroup v1 and v2 wherever this process may create groups (root, a container with its own cgroup, a
systemd user session); elsewhere `home()` is None and rlimits stand alone. Groups are named after the judge
that made them, so that the next judge can remove what one that was killed left behind.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.sandbox.limits import Limits

ROOT = Path("/sys/fs/cgroup")
PREFIX = "kvhotel-"
_numbers = itertools.count()


@dataclass(frozen=True)
class Home:
    """Where groups may be created: one folder for everything on v2, one for each controller on v1."""

    version: int
    memory: Path
    pids: Path
    cpu: Path | None = None
    """None where CPU time cannot be rationed; the rest works without."""

    @property
    def folders(self) -> list[Path]:
        """Each folder once."""
        return list(dict.fromkeys(folder for folder in (self.memory, self.pids, self.cpu) if folder))


@cache
def home() -> Home | None:
    """The place for this process's groups, tried out by putting a process into one; None where that cannot be done."""
    for candidate in _candidates(ROOT, Path("/proc/self/cgroup").read_text()):
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            group = Group(candidate, Limits(), torch=False)
            try:
                for descriptor in group.join:  # echo is part of the shell: it is the shell that moves
                    subprocess.run(
                        ["/bin/sh", "-c", "echo 0"], stdout=descriptor, check=True, stderr=subprocess.DEVNULL
                    )
                return candidate
            finally:
                group.close_files()
                group.remove()
    return None


def _candidates(root: Path, own: str) -> Iterator[Home]:
    """v1 where its memory and pids controllers are mounted, else v2: our own group, then the groups above it.

    On v2 a group with processes of its own cannot hand controllers down, so usually one above ours is used.
    """
    paths: dict[str, str] = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update(dict.fromkeys(controllers.split(","), path.lstrip("/")))
    if "memory" in paths and "pids" in paths:
        cpu = root / "cpu" / paths["cpu"] if "cpu" in paths else None
        usable = cpu is not None and os.access(cpu, os.W_OK)
        yield Home(1, root / "memory" / paths["memory"], root / "pids" / paths["pids"], cpu if usable else None)
    elif "" in paths:
        group = root / paths[""]
        for folder in [group, *group.parents]:
            if not folder.is_relative_to(root):
                return
            handed_down = folder / "cgroup.subtree_control"
            for wanted in ("+memory +pids", "+cpu"):
                with contextlib.suppress(OSError):
                    handed_down.write_text(wanted)
            usable = handed_down.exists() and "cpu" in handed_down.read_text().split()
            yield Home(2, folder, folder, folder if usable else None)


def judge_mark(pid: int) -> str:
    """Names a process for good: its pid namespace, its pid, and when it started (pids come back). OSError if gone."""
    started = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    namespace = os.stat("/proc/self/ns/pid").st_ino
    return f"{namespace}-{pid}-{started}"


class Group:
    """One sandbox's control group. OSError if it cannot be made."""

    def __init__(self, where: Home, limits: Limits, torch: bool) -> None:
        name = f"{PREFIX}{judge_mark(os.getpid())}-{next(_numbers)}"
        memory = limits.memory_bytes(torch)
        self._memory, self._pids = where.memory / name, where.pids / name
        self._folders = [folder / name for folder in where.folders]
        self.join: list[int] = []
        """Open cgroup.procs files: a process that writes "0" into each of them is inside."""
        try:
            for folder in self._folders:
                folder.mkdir()
            if where.version == 1:
                (self._memory / "memory.limit_in_bytes").write_text(str(memory))
                _write_if_there(self._memory / "memory.memsw.limit_in_bytes", str(memory))
            else:
                (self._memory / "memory.max").write_text(str(memory))
                _write_if_there(self._memory / "memory.swap.max", "0")
                _write_if_there(self._memory / "memory.oom.group", "1")
            (self._pids / "pids.max").write_text(str(limits.processes))
            if where.cpu is not None:  # one core, however many processes: others are being graded too
                if where.version == 1:
                    _write_if_there(where.cpu / name / "cpu.cfs_quota_us", "100000")
                else:
                    _write_if_there(where.cpu / name / "cpu.max", "100000 100000")
            for folder in self._folders:
                self.join.append(os.open(folder / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC))
        except OSError:
            self.close_files()
            self.remove()
            raise
        self._oom = self._memory / ("memory.oom_control" if where.version == 1 else "memory.events")

    def close_files(self) -> None:
        """Close the judge's own ends of `join`, once the child has them."""
        while self.join:
            os.close(self.join.pop())

    def out_of_memory(self) -> bool:
        """Whether the kernel has killed something of this group for its memory."""
        return _counter(self._oom, "oom_kill") > 0

    def out_of_processes(self) -> bool:
        """Whether a fork or a thread was refused."""
        return _counter(self._pids / "pids.events", "max") > 0

    def kill(self) -> None:
        """End every process inside, also what forks meanwhile."""
        for folder in self._folders:
            _kill_all(folder)

    def remove(self) -> None:
        """Kill what is left, then remove the group."""
        for folder in self._folders:
            _remove(folder)


def sweep() -> int:
    """Kill and remove the groups of judges of this pid namespace that are dead; how many there were."""
    where, found = home(), 0
    if where is None:
        return 0
    for parent in where.folders:
        for folder in parent.glob(PREFIX + "*"):
            mark = folder.name.removeprefix(PREFIX).rpartition("-")[0]
            if is_dead(mark):
                _remove(folder)
                found += 1
    return found


def is_dead(mark: str) -> bool:
    """A judge of another pid namespace cannot be looked up; it, and what it started, die with that namespace."""
    namespace, _, pid = mark.rpartition("-")[0].partition("-")
    if namespace != str(os.stat("/proc/self/ns/pid").st_ino):
        return False
    try:
        return judge_mark(int(pid)) != mark
    except (FileNotFoundError, ProcessLookupError):  # nothing else, no lack of descriptors, means that it is dead
        return True


def _remove(folder: Path) -> None:
    """A killed process leaves its group a moment later: try for half a second."""
    for _ in range(100):
        _kill_all(folder)
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.005)
        else:
            return


def _kill_all(folder: Path) -> None:
    with contextlib.suppress(OSError):
        (folder / "cgroup.kill").write_text("1")  # Linux 5.14 and later, v2 only
        return
    for _ in range(20):  # what forks while it is being killed is met the next time round
        try:
            pids = (folder / "cgroup.procs").read_text().split()
        except OSError:
            return
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(int(pid), signal.SIGKILL)


def _write_if_there(path: Path, text: str) -> None:
    if path.exists():
        path.write_text(text)


def _counter(path: Path, name: str) -> int:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name + " ")), 0)
