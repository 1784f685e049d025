"""Which backends work here, and which layer of each keeps which promise: what `./check.sh doctor` shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grader.sandbox import bubblewrap, cgroup, docker, launcher, process, seccomp
from grader.words import N_, Say

PROMISES = (
    N_("memory of the whole tree"),
    N_("processes and threads"),
    N_("open files"),
    N_("CPU time"),
    N_("scratch space"),
    N_("nothing else writable"),
    N_("no network"),
    N_("system calls"),
    N_("a user of its own"),
    N_("nothing outlives the judge"),
)
NOTHING = N_("nothing")


@dataclass(frozen=True)
class Finding:
    """One backend: what to do before it works (None: it does), and per promise what keeps it."""

    backend: str
    why_not: Say | None
    enforced: Mapping[str, Say]


def examine() -> list[Finding]:
    """Every backend, strongest first."""
    return [Finding(name, why, enforced_by(name)) for name, why in launcher.available().items()]


def enforced_by(backend: str) -> dict[str, Say]:
    """For each promise, what keeps it with this backend on this machine."""
    where = cgroup.home()
    group = Say("cgroup v{version}", version=where.version) if where else None
    cpu = Say("rlimit, one core by cgroup") if where and where.cpu else Say("rlimit")
    table = seccomp.program() is not None
    columns = {
        docker.NAME: [
            Say("the engine's cgroup"),
            Say("the engine's cgroup"),
            Say("rlimit"),
            Say("rlimit, one core by cgroup"),
            Say("tmpfs of a fixed size"),
            Say("read-only container"),
            Say("network namespace"),
            Say("the engine's seccomp profile and ours") if table else Say("the engine's seccomp profile"),
            Say("numeric user, no capabilities"),
            Say("end of its input, a timer inside, the next judge's sweep"),
        ],
        bubblewrap.NAME: [
            group or Say("rlimit for each process, a watch for the tree"),
            Say("{group}, rlimit", group=group) if group else Say("rlimit"),
            Say("rlimit"),
            cpu,
            Say("tmpfs of a fixed size"),
            Say("read-only mounts"),
            Say("network namespace, seccomp") if table else Say("network namespace"),
            Say("seccomp") if table else Say(NOTHING),
            Say("uid of its own, no capabilities"),
            Say("pid namespace"),
        ],
        process.NAME: [
            group or Say("rlimit for each process, a watch for the tree"),
            group or Say(NOTHING),
            Say("rlimit"),
            cpu,
            Say("rlimit for each file"),
            Say(NOTHING),
            Say(NOTHING),
            Say(NOTHING),
            Say(NOTHING),
            Say("parent-death signal, for the worker itself"),
        ],
    }
    return dict(zip(PROMISES, columns[backend], strict=True))
