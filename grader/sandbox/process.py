"""The process backend: a plain child with rlimits. For one's own code only: it can read and write what its user can."""

from __future__ import annotations

import os
import subprocess

from grader.sandbox import runtime as rt
from grader.sandbox.family import TOKEN
from grader.sandbox.limits import Limits

NAME = "process"


def spawn(limits: Limits, torch: bool, join: list[int], scratch: str, token: str) -> subprocess.Popen[bytes]:
    """Start a worker in the folder `scratch`, in a session of its own. OSError if it cannot be started."""
    packages = [str(folder) for folder in rt.runtime().packages]
    # No NPROC: it would count every other process of this user. A cgroup bounds it where there is one.
    inside = rt.plan(limits, torch, str(rt.WORKER), packages, join=join, parent=os.getpid())
    return subprocess.Popen(
        [str(rt.runtime().python), *rt.PYTHON, str(rt.ENTER), inside],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=join,
        env={**rt.ENVIRONMENT, "HOME": scratch, "TMPDIR": scratch, TOKEN: token},
        cwd=scratch,
        start_new_session=True,
    )
