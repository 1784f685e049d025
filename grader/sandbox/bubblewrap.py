"""The bubblewrap backend: Linux namespaces around a Python that sees itself, the worker and 16 MiB of scratch.

No network, no /proc, no /dev but four harmless files, nothing writable but /tmp, an empty environment, a uid of its own
that is not 0, no capabilities, no new privileges, a seccomp filter, rlimits, and a cgroup where one can be made.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from functools import cache
from pathlib import Path

from grader.sandbox import runtime as rt
from grader.sandbox import seccomp
from grader.sandbox.family import TOKEN
from grader.sandbox.limits import Limits
from grader.words import Say

NAME = "bubblewrap"
USER_INSIDE = 60000
"""The uid inside where the judge is an ordinary user (outside it is the judge's own)."""


def why_missing() -> Say | None:
    """What keeps bubblewrap from being tried here at all."""
    if shutil.which("bwrap") is None:
        return Say(
            "bubblewrap is not installed: install the package that holds `bwrap` (Debian and Ubuntu: bubblewrap)"
        )
    if os.geteuid() == 0:
        for folder in (Path(os.__file__).parent, *rt.runtime().packages):
            if not all(_anyone_may_read(path) for path in (folder, *sorted(folder.iterdir())[:50])):
                return Say(
                    "the sandbox gives up root and then cannot read {folder}: run chmod -R o+rX on it",
                    folder=str(folder),
                )
    return None


def _anyone_may_read(path: Path) -> bool:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return True
    return mode & 0o005 == 0o005 if stat.S_ISDIR(mode) else bool(mode & 0o004)


def why_failed(said: str) -> Say:
    """A sentence for what bwrap printed when it was tried."""
    if "namespace" in said or "uid map" in said:
        return Say(
            "bubblewrap may not make namespaces here ({said}): allow unprivileged user namespaces, or use Docker",
            said=said,
        )
    return Say("bubblewrap does not start a Python here: {said}", said=said or "-")


def spawn(limits: Limits, torch: bool, uid: int | None, join: list[int], token: str) -> subprocess.Popen[bytes]:
    """Start a worker. `uid`: the one to change to when the judge is root. OSError if bwrap cannot be started."""
    inside = rt.plan(limits, torch, "/hotel/worker.py", _package_folders(), join=join, uid=uid, own_uid=True)
    contents = [rt.source(rt.ENTER), rt.source(rt.WORKER), seccomp.program()]
    opened = [rt.as_descriptor(content) for content in contents if content is not None]
    enter, worker, *table = map(str, opened)
    arguments = [
        *_house(uid is not None),
        *("--perms", "0444", "--ro-bind-data", enter, "/hotel/enter.py"),
        *("--perms", "0444", "--ro-bind-data", worker, "/hotel/worker.py"),
        *("--size", str(limits.scratch_mib << 20), "--perms", "1777", "--tmpfs", "/tmp"),
        *("--remount-ro", "/", "--chdir", "/tmp"),
        *(("--seccomp", *table) if table else ()),
        *("--", str(rt.runtime().python), *rt.PYTHON, "/hotel/enter.py", inside),
    ]
    try:
        return subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[*opened, *join],
            env={TOKEN: token},
            cwd="/",
        )
    finally:
        for descriptor in opened:
            os.close(descriptor)


@cache
def _house(as_root: bool) -> tuple[str, ...]:
    """The part of the command line that is the same for every child."""
    bwrap = shutil.which("bwrap") or "bwrap"
    words = [bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--new-session", "--die-with-parent", "--hostname", "hotel", "--cap-drop", "ALL", "--clearenv"]
    if as_root:
        # Kept for enter.py, which loses them by changing to another uid. A Python under a folder that only
        # root may enter can be bound because that happens before.
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", str(USER_INSIDE), "--gid", str(USER_INSIDE)]
    for name, value in rt.ENVIRONMENT.items():
        words += ["--setenv", name, value]
    made = {Path("/")}
    for target, source in _binds().items():
        for parent in reversed(Path(target).parents):
            if parent not in made:  # bwrap makes missing parents for their owner only
                words += ["--perms", "0755", "--dir", str(parent)]
                made.add(parent)
        words += ["--dev-bind" if target.startswith("/dev/") else "--ro-bind", source, target]
    for link in ("lib", "lib64"):
        words += ["--symlink", f"usr/{link}", f"/{link}"] if Path("/", link).is_symlink() else []
    return (*words, "--perms", "0755", "--dir", "/hotel")


def _binds() -> dict[str, str]:
    """What of the machine is seen inside: target, source."""
    binds = {str(folder): str(folder) for folder in rt.runtime().folders}
    for link in ("/lib", "/lib64"):
        if Path(link).is_dir() and not Path(link).is_symlink():
            binds[link] = link
    binds |= dict(zip(_package_folders(), map(str, rt.runtime().packages), strict=True))
    # torch reads how many cores there are and what they can do.
    for path in ("/etc/ld.so.cache", "/proc/cpuinfo", "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"):
        if Path(path).exists():
            binds[path] = path
    return binds


@cache
def _package_folders() -> tuple[str, ...]:
    """Where the venv's packages are inside."""
    return tuple(f"/packages/{n}" for n in range(len(rt.runtime().packages)))
