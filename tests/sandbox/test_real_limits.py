"""The limits at their real values, on every backend that keeps them: too slow for every day, run by `test --all`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from grader.sandbox.child import Ending
from grader.sandbox.limits import Limits
from tests.sandbox.conftest import Ran

pytestmark = pytest.mark.full
Run = Callable[..., Ran]
strong = pytest.mark.parametrize("backend", ["docker", "bubblewrap"])
REAL = Limits()


@strong
@pytest.mark.parametrize("torch", [False, True])
def test_memory_of_one_process(run: Run, backend: str, torch: bool) -> None:
    allowed = REAL.memory_bytes(torch)
    code = f"""
held = bytearray({allowed // 4 * 3 - (800 << 20) * torch})
print('fitted')
try: more = bytearray({allowed})
except MemoryError: print('refused')
"""
    assert run(backend, code, REAL, torch).out == "fitted\nrefused\n"


@strong
def test_memory_of_the_tree(run: Run, backend: str) -> None:
    code = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = bytearray(b'x') * (100 << 20)
        time.sleep(2)
        os._exit(0)
for _ in range(8): os.wait()
os.kill(os.getpid(), 9)
"""
    assert run(backend, code, REAL).ending == Ending("memory", 9)


@strong
def test_processes(run: Run, backend: str) -> None:
    code = """
import os, time
n = 1
try:
    while True:
        if os.fork() == 0: time.sleep(20); os._exit(0)
        n += 1
except BlockingIOError: print(n, flush=True)
os._exit(0)
"""
    # On cgroups made by the engine its own first process counts as well.
    assert run(backend, code, REAL).out in ("64\n", "63\n")


@strong
def test_open_files(run: Run, backend: str) -> None:
    code = (
        "files = []\ntry:\n    while True: files.append(open('/dev/null'))\nexcept OSError: print(files[-1].fileno())"
    )
    assert run(backend, code, REAL).out == "63\n"


@strong
def test_scratch(run: Run, backend: str) -> None:
    code = """
n = 0
try:
    for n in range(100): open(f'/tmp/{n}', 'wb').write(b'x' * (1 << 20))
except OSError: print(n)
"""
    assert run(backend, code, REAL).out in ("15\n", "16\n")


@strong
def test_cpu(start: Callable[..., object], backend: str) -> None:
    with start(backend, "while True: pass", REAL) as child:  # type: ignore[attr-defined]
        assert child.wait(40) is None
        assert child.wait(140) == Ending("cpu", 24)
