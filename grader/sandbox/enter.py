"""The first code that runs inside a sandbox: gives up what is left to give up, then becomes the worker.

Started as `python -P -s -S enter.py PLAN`, stdlib only, nothing of the learner's loaded yet. PLAN is the JSON that
`runtime.plan` writes. It runs in the worker's interpreter, not before it, because a second start of Python costs
more than all of this.
"""

import contextlib
import json
import os
import resource
import signal
import sys
from typing import Any

PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 22, 38
SECCOMP_MODE_FILTER = 2


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
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != plan["parent"]:
            os._exit(1)  # the judge died before the kernel was asked
    for name, (soft, hard) in plan["rlimits"].items():
        resource.setrlimit(getattr(resource, "RLIMIT_" + name), (soft, hard))
    if plan["seccomp"]:
        refuse_calls(bytes.fromhex(plan["seccomp"]))


def refuse_calls(program: bytes) -> None:
    """Load a seccomp filter for good, for this process and all it starts. OSError if the kernel does not take it."""
    import ctypes

    steps = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

    prctl(PR_SET_NO_NEW_PRIVS, 1)
    table = Program(len(program) // 8, ctypes.addressof(steps))
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(table))


def prctl(option: int, *arguments: int) -> None:
    import ctypes  # 3 ms: only where it is needed

    numbers = [ctypes.c_ulong(number) for number in (*arguments, 0, 0, 0, 0)[:4]]
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, *numbers) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


def become(file: str, packages: "list[str]", preload: "list[str]") -> None:
    """Run this file as `__main__`, with these folders on the path and these modules imported before."""
    import site

    site.setquit()  # `exit()` is part of the Python a learner knows; the rest of site is 25 ms of .pth files
    sys.path += packages
    for name in preload:
        with contextlib.suppress(ImportError):
            __import__(name)
    module = type(sys)("__main__")
    module.__file__ = file
    sys.modules["__main__"] = module
    sys.argv = [file]
    with open(file, "rb") as stream:
        source = stream.read()
    exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)


if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    give_up(plan)
    become(plan["worker"], plan["packages"], plan["preload"])
