"""The first code that runs inside a sandbox: gives up what is left to give up, then becomes the worker.

Started as `python -I -S enter.py PLAN`, stdlib only, nothing of the learner's loaded yet. PLAN is JSON:
`join` (descriptors of cgroup.procs files), `uid` (or null), `rlimits`, `parent` (the judge's pid, to die with
it, or null), `argv` (the worker's own). It runs in the worker's interpreter, not before it, because a second
start of Python costs more than all of this.
"""

import json
import os
import resource
import signal
import sys
from typing import Any


def give_up(plan: "dict[str, Any]") -> None:
    """Enter the cgroups, close every descriptor but 0, 1, 2, drop the uid, set the limits. OSError if one fails."""
    for descriptor in plan["join"]:
        os.write(descriptor, b"0")
    os.closerange(3, 1 << 20)
    if plan["uid"] is not None:
        # From uid 0 to another one the kernel takes away every capability that is left.
        os.setgroups([])
        os.setresgid(plan["uid"], plan["uid"], plan["uid"])
        os.setresuid(plan["uid"], plan["uid"], plan["uid"])
    if plan["parent"] is not None:
        import ctypes

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != plan["parent"]:
            os._exit(1)  # the judge died before the kernel was asked
    for name, (soft, hard) in plan["rlimits"].items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (soft, hard))


def become(argv: "list[str]") -> None:
    """Run the file argv[0] as `__main__` with these arguments."""
    import site

    site.setquit()  # `exit()` is part of the Python a learner knows; the rest of site is 25 ms of .pth files
    module = type(sys)("__main__")
    module.__file__ = argv[0]
    sys.modules["__main__"] = module
    sys.argv = argv
    with open(argv[0], "rb") as file:
        source = file.read()
    exec(compile(source, argv[0], "exec", dont_inherit=True), module.__dict__)


if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    give_up(plan)
    become(plan["argv"])
