"""torch may still be on its way: check.sh downloads it while the checks that do not need it run."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from grader.words import Say

PENDING = "KVH_TORCH_SETUP"  # the pid of the download that check.sh started


def why_no_torch(on_note: Callable[[Say], None], env: Mapping[str, str] = os.environ) -> Say | None:
    """Wait for the download, if there is one; None once torch can be imported, else why it cannot."""
    pid = int(env.get(PENDING, "0"))
    if pid and _running(pid):
        on_note(Say("Waiting for torch, which is still being downloaded …"))
        while _running(pid):
            time.sleep(0.2)
    importlib.invalidate_caches()
    if find_spec("torch") is not None:
        return None
    if pid:
        return Say("torch could not be installed: {log} says why", log=".venv/torch.log")
    return Say("torch is not installed: grade with ./check.sh, which installs it")


def _running(pid: int) -> bool:
    """The download is our own child: check.sh started it and then became this process."""
    try:
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return False
