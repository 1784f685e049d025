"""Which layer keeps which promise of the limits table here: what `doctor` shows, and what docs/security.md explains."""

from __future__ import annotations

from grader.sandbox import bubblewrap, cgroup, docker, process, seccomp
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


def enforced_by(backend: str) -> dict[str, Say]:
    """For each promise, what keeps it with this backend on this machine."""
    where = cgroup.home()
    group = Say("cgroup v{version}", version=where.version) if where else None
    table = seccomp.program() is not None
    columns = {
        docker.NAME: [
            Say("the engine's cgroup"),
            Say("the engine's cgroup"),
            Say("rlimit"),
            Say("rlimit"),
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
            Say("rlimit"),
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
            Say("rlimit"),
            Say("rlimit for each file"),
            Say(NOTHING),
            Say(NOTHING),
            Say(NOTHING),
            Say(NOTHING),
            Say("parent-death signal, for the worker itself"),
        ],
    }
    return dict(zip(PROMISES, columns[backend], strict=True))
