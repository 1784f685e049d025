"""A stand-in for the worker: whatever Python a test wants to run inside."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.sandbox import docker, image, launcher, runtime
from grader.sandbox.child import Child, Ending
from grader.sandbox.limits import Limits


class Ran(NamedTuple):
    ending: Ending | None
    out: str
    err: str


@pytest.fixture(scope="session", autouse=True)
def connection() -> Iterator[None]:
    yield
    docker.disconnect()


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Child]:
    """start(backend, code, limits, torch): a child that runs `code` in place of the worker."""
    numbers = iter(range(1000))

    def start(backend: str, code: str, limits: Limits | None = None, torch: bool = False) -> Child:
        image.tag()  # before another file takes the worker's place
        why = launcher.available()[backend]
        if why is not None:
            pytest.skip(f"{backend}: {why}")
        stand_in = tmp_path / f"stand_in_{next(numbers)}.py"
        stand_in.write_text(code)
        monkeypatch.setattr(runtime, "WORKER", stand_in)
        if backend == "docker":
            _lay_over_the_images_worker(stand_in, monkeypatch)
        return launcher.start(backend, limits or Limits(), torch)

    return start


@pytest.fixture
def run(start: Callable[..., Child]) -> Callable[..., Ran]:
    """run(backend, code, limits, torch): what `code` printed inside and how it ended (None: not within 20 s)."""

    def run(backend: str, code: str, limits: Limits | None = None, torch: bool = False) -> Ran:
        said: dict[str, bytes] = {}
        with start(backend, code, limits, torch) as child:
            child.stdin.close()
            readers = [
                threading.Thread(target=lambda n=name: said.update({n: _all_of(getattr(child, n))}))
                for name in ("stdout", "stderr")
            ]
            for reader in readers:
                reader.start()
            ending = child.wait(20.0)
            child.kill()
            for reader in readers:
                reader.join()
        return Ran(ending, said["stdout"].decode(), said["stderr"].decode())

    return run


def _lay_over_the_images_worker(stand_in: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in [stand_in, *stand_in.parents][:4]:
        folder.chmod(0o755)
    engine = docker.client()
    plain = type(engine).create_host_config
    binds = {str(stand_in): {"bind": "/hotel/worker.py", "mode": "ro"}}
    monkeypatch.setattr(engine, "create_host_config", lambda **words: plain(engine, **words, binds=binds))


def _all_of(stream: object) -> bytes:
    return b"".join(iter(lambda: stream.read(65536), b""))  # type: ignore[attr-defined]
