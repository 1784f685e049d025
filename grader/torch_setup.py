"""torch may still be on its way: check.sh downloads it while the checks that do not need it run."""

from __future__ import annotations

import fcntl
import importlib
import os
from collections.abc import Mapping
from importlib.util import find_spec

from grader.words import Say

PENDING = "KVH_TORCH_SETUP"
"""The environment variable in which check.sh names the file that is locked while it downloads torch."""


def on_its_way(env: Mapping[str, str] = os.environ) -> bool:
    """Is torch being downloaded just now?"""
    if PENDING not in env:
        return False
    with open(env[PENDING], "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def why_no_torch(env: Mapping[str, str] = os.environ) -> Say | None:
    """None once torch can be imported, else why it cannot. Waits for a download that is under way."""
    if PENDING in env:
        with open(env[PENDING], "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)  # let go by the kernel, however the download ends
    importlib.invalidate_caches()
    if find_spec("torch") is not None:
        return None
    if PENDING in env:
        return Say("torch could not be installed: {log} says why", log=".venv/torch.log")
    return Say("torch is not installed: run {command}, then grade again", command="./check.sh setup torch")
