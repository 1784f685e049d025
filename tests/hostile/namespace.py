"""Hostile files are graded by judges in a pid and mount namespace of their own, with memory and processes capped.

So a hole in our sandbox costs the run and nothing else: what gets out of it is in a room that is torn down at the end.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from grader.sandbox import cgroup, process
from grader.sandbox.limits import Limits

ROOT = Path(__file__).resolve().parents[2]
CAP = replace(Limits(), memory_mib=6144, processes=600)
"""Of the whole room: judges, the tensor process and every sandbox together."""


ENTER = """\
import os, sys
for descriptor in sys.argv[1].split(","):
    if descriptor: os.write(int(descriptor), b"0")
os.execvp(sys.argv[2], sys.argv[2:])
"""
"""Into the control groups behind these descriptors, then on with the words that follow."""


class NotHere(Exception):
    """No such room can be made on this machine."""


def refuse(backend: str) -> None:
    """ValueError for a backend that does not contain what it runs."""
    if backend == process.NAME:
        raise ValueError("hostile files are never run by the process backend: it can write what its user can")


def run(question: dict[str, Any], timeout: float) -> Any:
    """What ``tests.hostile.room`` answers to ``question``, both plain JSON, from within the room.

    NotHere if namespaces cannot be made, RuntimeError with its last words if it fails.
    """
    refuse(question["backend"])
    words = ["unshare", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
    if os.geteuid() != 0:
        words[1:1] = ["--user", "--map-current-user"]
    if shutil.which("unshare") is None or subprocess.run([*words, "true"], capture_output=True).returncode:
        raise NotHere("unshare cannot make a pid and a mount namespace here")
    where = cgroup.home()
    group = cgroup.Group(replace(where, cpu=None), CAP, False) if where else None
    join = group.join if group else []
    enter = [sys.executable, "-S", "-c", ENTER, ",".join(map(str, join))]
    command = [*enter, *words, sys.executable, "-P", "-m", "tests.hostile.room"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    try:
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
            env=environment, pass_fds=join, start_new_session=True,
        ) as room:  # fmt: skip
            try:
                said, died = room.communicate(json.dumps(question), timeout)
            except subprocess.TimeoutExpired:
                room.kill()
                said, died = room.communicate()
                raise RuntimeError(f"the room was not done after {timeout:g} s: {died[-2000:]}") from None
    finally:
        if group:
            group.close_files()
            group.remove()
    if room.returncode != 0:
        raise RuntimeError(f"the room ended with {room.returncode}: {died[-3000:]}")
    return json.loads(said)
