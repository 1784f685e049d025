"""Whatever ends a sandbox or its judge, nothing of it is left: processes, descriptors, folders, control groups."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.sandbox import cgroup, docker, launcher, runtime
from grader.sandbox.child import Child
from grader.sandbox.family import below
from grader.sandbox.limits import Limits

Start = Callable[..., Child]
ROOT = Path(__file__).resolve().parents[2]
TREE = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(60)
        os._exit(0)
print('up', flush=True)
time.sleep(60)
"""
both = pytest.mark.parametrize("backend", ["bubblewrap", "process"])
every = pytest.mark.parametrize("backend", ["docker", "bubblewrap", "process"])


def running(pids: set[int]) -> set[int]:
    """Those that still run. This process adopts orphans, so the dead among them are reaped here."""
    for pid in pids & below(os.getpid()):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    return {pid for pid in pids if Path(f"/proc/{pid}").exists()}


def leftovers() -> list[str]:
    """Scratch folders and control groups of this process."""
    mark = cgroup.judge_mark(os.getpid())
    where = cgroup.home()
    folders = [Path(tempfile.gettempdir()), *(where.folders if where else [])]
    left = [str(path) for folder in folders for path in folder.glob("kvhotel-*") if mark in path.name]
    return left + containers(os.getpid())


def containers(judge: int) -> list[str]:
    """Containers of this judge, running or not."""
    if launcher.available()["docker"] is not None:
        return []
    found = docker.client().containers(all=True, filters={"label": docker.LABEL})
    return [one["Id"] for one in found if f"-{judge}-" in one["Labels"][docker.LABEL]]


@both
def test_kill_ends_the_whole_tree(start: Start, backend: str) -> None:
    others = below(os.getpid())  # of other tests: a browser, a server
    child = start(backend, TREE)
    assert child.stdout.read(3) == b"up\n"
    tree = {child.pid} | below(os.getpid()) - others
    assert len(tree) >= 4
    child.kill()
    assert not running(tree)
    child.kill()
    child.close()
    child.close()
    assert leftovers() == []


def test_kill_in_the_first_milliseconds_leaves_nothing(start: Start) -> None:
    others = below(os.getpid())
    for n in range(40):
        child = start("bubblewrap", "import time; time.sleep(60)")
        time.sleep(n / 2000)
        child.close()
    assert below(os.getpid()) <= others
    assert leftovers() == []


def test_kill_from_another_thread_ends_a_wait(start: Start) -> None:
    child = start("bubblewrap", "import time; time.sleep(60)")
    threading.Timer(0.2, child.kill).start()
    ending = child.wait(20)
    assert ending is not None and ending.kind == "signal"
    child.close()


@every
@pytest.mark.slow
def test_many_starts_leak_nothing(start: Start, backend: str) -> None:
    others = below(os.getpid())
    code = "print('up', flush=True)\nimport time; time.sleep(60)"
    for _ in range(6):  # a few connections to the engine stay open
        with start(backend, code) as child:
            assert child.stdout.read(3) == b"up\n"
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(10 if backend == "docker" else 50):
        with start(backend, code) as child:
            assert child.stdout.read(3) == b"up\n"
    assert len(os.listdir("/proc/self/fd")) <= before
    assert [t.name for t in threading.enumerate() if t.name == "kvhotel-container"] == []
    assert below(os.getpid()) <= others
    assert leftovers() == []


def test_several_are_alive_at_a_time_started_from_threads_that_end(start: Start) -> None:
    start("bubblewrap", "0").close()
    children: list[Child] = []
    code = "print(input(), flush=True)\nimport time; time.sleep(60)"
    threads = [threading.Thread(target=lambda: children.append(start("bubblewrap", code))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for n, child in enumerate(children):
        child.stdin.write(b"%d\n" % n)
    assert [child.stdout.read(2) for child in children] == [b"%d\n" % n for n in range(6)]
    for child in children:
        child.close()


JUDGE = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path
from grader.sandbox import launcher, runtime
from grader.sandbox.limits import Limits
runtime.WORKER = Path(sys.argv[2])
children = [launcher.start(sys.argv[1], Limits()) for _ in range(3)]
for child in children: child.stdout.read(3)
print('up', flush=True)
time.sleep(60)
"""


@both
def test_killed_judge_leaves_nothing(backend: str, tmp_path: Path) -> None:
    if launcher.available()[backend] is not None:
        pytest.skip(f"{backend} does not work here")
    worker = tmp_path / "worker.py"
    worker.write_text(TREE if backend == "bubblewrap" else "print('up', flush=True)\nimport time; time.sleep(60)")
    judge = subprocess.Popen([sys.executable, "-c", JUDGE, backend, str(worker)], stdout=subprocess.PIPE)
    assert judge.stdout is not None and judge.stdout.read(3) == b"up\n"
    tree = below(judge.pid)
    assert len(tree) >= 3
    os.kill(judge.pid, signal.SIGKILL)
    judge.wait()
    judge.stdout.close()
    deadline = time.monotonic() + 2
    while running(tree) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not running(tree)
    if backend == "process" or cgroup.home() is not None:
        assert launcher.sweep() >= 1
    assert launcher.sweep() == 0


def test_killed_judge_leaves_a_container_only_until_the_next_judge(start: Start) -> None:
    start("docker", "0").close()
    code = JUDGE.replace("child.stdout.read(3)", "child.stdin.write(bytes(8))").replace("range(3)", "range(1)")
    command = [sys.executable, "-c", code, "docker", str(runtime.HERE / "worker.py")]
    judge = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert judge.stdout is not None and judge.stdout.read(3) == b"up\n"
    assert len(containers(judge.pid)) == 1
    os.kill(judge.pid, signal.SIGKILL)
    judge.wait()
    judge.stdout.close()
    assert launcher.sweep() >= 1
    assert containers(judge.pid) == []


def test_container_of_a_killed_judge_ends_with_its_input(start: Start) -> None:
    child = start("docker", "import sys; sys.stdin.read()")
    child.stdin.close()
    ending = child.wait(5)
    child.close()
    assert ending is not None and ending.kind == "exit"


def test_judge_that_ends_early_takes_its_children_along(tmp_path: Path) -> None:
    worker = tmp_path / "worker.py"
    worker.write_text("print('up', flush=True)\nimport time; time.sleep(60)")
    judge = JUDGE.replace("time.sleep(60)\n", "")
    done = subprocess.run([sys.executable, "-c", judge, "process", str(worker)], capture_output=True, timeout=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"up\n", b"")
    assert launcher.sweep() == 0


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_started_again_after_a_fork(start: Start) -> None:
    start("process", "0").close()
    pid = os.fork()
    if pid == 0:
        try:
            with launcher.start("process", Limits()) as child:
                child.stdin.close()
                os._exit(0 if child.wait(5) else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
