"""What of this machine a sandboxed Python needs to see: the interpreter, its libraries, the worker."""

from __future__ import annotations

import json
import os
import resource
import site
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.sandbox.limits import Limits

HERE = Path(__file__).resolve().parent
WORKER = HERE / "worker.py"
ENTER = HERE / "enter.py"

# torch starts a thread per core, and asks for memory for each: one is enough for tensors of a few pages.
ENVIRONMENT = {"LANG": "C.UTF-8", "HOME": "/tmp", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# A set of strings has the same order in every worker: the same file gets the same verdict and the same words.
ENVIRONMENT["PYTHONHASHSEED"] = "0"
# Else glibc reserves 64 MiB of addresses whenever a thread starts, and the worker's own watchdog is one: for a moment
# they would be missing from what RLIMIT_AS leaves to the learner.
ENVIRONMENT["MALLOC_ARENA_MAX"] = "1"
PYTHON = ["-P", "-s", "-S"]  # as -I, but for that variable; no other of Python's is passed on


@dataclass(frozen=True)
class Runtime:
    """The Python under the running venv: its real executable, the folders it needs, the venv's own packages."""

    python: Path
    folders: tuple[Path, ...]
    packages: tuple[Path, ...]


@cache
def runtime() -> Runtime:
    """The interpreter this process runs on. Its own site-packages stay out, the venv's are named apart."""
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    prefix = Path(sys.base_prefix).resolve()
    libraries = [Path(folder) for folder in ("/usr/lib", "/usr/lib64") if Path(folder).is_dir()]
    if prefix == Path("/usr"):
        folders = [python, *libraries]
    elif prefix == Path("/usr/local"):
        folders = [python, prefix / "lib", *libraries]
    else:
        folders = [prefix, *libraries]
    packages = [Path(folder).resolve() for folder in site.getsitepackages() if Path(folder).is_dir()]
    return Runtime(python, tuple(folders), tuple(packages))


def plan(
    limits: Limits,
    torch: bool,
    worker: str,
    packages: Sequence[str],
    *,
    join: Sequence[int] = (),
    uid: int | None = None,
    own_uid: bool = False,
    parent: int | None = None,
    seccomp: bytes | None = None,
) -> str:
    """The JSON that enter.py is started with.

    `worker` and `packages` are where the file and the folders are inside. `join`: descriptors of cgroup.procs files.
    `uid`: what to change to from root. `own_uid`: nobody else counts against the uid's processes. `parent`: the
    process to die with, where no pid namespace sees to that. `seccomp`: a filter, where the backend loads none.
    """
    rlimits: dict[str, int] = {
        "AS": limits.memory_bytes(torch),
        "CPU": max(1, round(limits.grading_s)),
        "NOFILE": limits.open_files,
        "FSIZE": limits.scratch_mib << 20,
        "STACK": 8 << 20,
        "CORE": 0,
        "MEMLOCK": 0,
        "MSGQUEUE": 0,
    }
    if own_uid:
        # A cgroup counts what it refuses, so where there is one it is to be met first.
        rlimits["NPROC"] = limits.processes + (8 if join else 0)
    return json.dumps(
        {
            "join": list(join),
            "uid": uid,
            "parent": parent,
            "rlimits": {name: _no_more_than_now(name, value) for name, value in rlimits.items()},
            "seccomp": seccomp.hex() if seccomp else None,
            "worker": worker,
            "packages": list(packages),
            # Imported while the judge is still busy, and outside the time that loading the learner's file may take.
            "preload": ["torch"] if torch else [],
        }
    )


def _no_more_than_now(name: str, value: int) -> tuple[int, int]:
    """An ordinary user may lower a hard limit, never raise it."""
    now = resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1]
    value = value if now == resource.RLIM_INFINITY else min(value, now)
    # At the soft CPU limit comes SIGXCPU, which a program may ignore; a second later SIGKILL, which it may
    # not.
    return value, value + 1 if name == "CPU" and value != now else value


@cache
def source(path: Path) -> bytes:
    """The bytes of a file of ours, read once: every child of this process gets the same."""
    return path.read_bytes()


def as_descriptor(data: bytes) -> int:
    """A descriptor that reads as `data` from its beginning; the caller closes it."""
    descriptor = os.memfd_create("kvhotel", os.MFD_CLOEXEC)
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
