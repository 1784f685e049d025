"""An engine that is missing, refuses, or stops midway: one sentence for the person, never the learner's failure."""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.sandbox import docker, image, launcher
from grader.sandbox.child import Child, SandboxError
from grader.sandbox.limits import Limits


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """No connection from before, none left after."""
    docker.disconnect()
    yield monkeypatch
    docker.disconnect()
    with warnings.catch_warnings():  # the SDK leaves a socket open when it cannot connect
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


class Proxy:
    """Stands between us and the engine until it is stopped."""

    def __init__(self, path: Path, engine: str) -> None:
        self._engine, self._open = engine, list[socket.socket]()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._path = path
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._engine)
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    self._threads.append(threading.Thread(target=self._pass_on, args=(one, other)))
                    self._threads[-1].start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def stop(self) -> None:
        self._path.unlink(missing_ok=True)
        for one in [self._listener, *self._open]:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        for thread in self._threads:
            thread.join()


def test_no_engine(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fresh.delenv("DOCKER_HOST", raising=False)
    fresh.setattr(docker, "SOCKET", str(tmp_path / "none.sock"))
    why = docker.why_not()
    assert why is not None and why.msgid.startswith("no Docker engine here")


def test_engine_that_does_not_answer(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("docker")
    fresh.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    why = docker.why_not()
    assert why is not None and why.args == {"where": f"unix://{tmp_path}/none.sock"}
    with pytest.raises(SandboxError) as caught:
        launcher.start("docker", Limits())
    assert caught.value.say == why


def test_engine_of_others(fresh: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("docker")
    path = tmp_path / "theirs.sock"
    path.touch(0o000)
    fresh.setattr(os, "access", lambda *_: False)  # root is let in everywhere
    fresh.setenv("DOCKER_HOST", f"unix://{path}")
    why = docker.why_not()
    assert why is not None and why.msgid.startswith("you may not use")


def test_package_that_is_not_installed(fresh: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError

    fresh.setenv("DOCKER_HOST", "unix:///none.sock")
    fresh.setattr(docker, "_sdk", missing)
    why = docker.why_not()
    assert why is not None and why.args["command"] == "./check.sh setup docker"


def test_image_that_is_not_built(start: Callable[..., Child], fresh: pytest.MonkeyPatch) -> None:
    start("docker", "0").close()
    fresh.setattr(image, "tag", lambda: "kvhotel-sandbox:none")
    why = docker.why_not()
    assert why is not None and why.args == {"command": image.COMMAND}
    with pytest.raises(SandboxError):
        launcher.start("docker", Limits())


def test_engine_that_stops_in_the_middle(
    start: Callable[..., Child], fresh: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start("docker", "0").close()
    engine = os.environ.get("DOCKER_HOST", f"unix://{docker.SOCKET}").removeprefix("unix://")
    if not engine.startswith("/"):
        pytest.skip("the engine is not on this machine")
    docker.disconnect()
    proxy = Proxy(tmp_path / "engine.sock", engine)
    fresh.setenv("DOCKER_HOST", f"unix://{tmp_path}/engine.sock")
    try:
        child = start("docker", "print('up', flush=True)\nimport time; time.sleep(60)")
        assert child.stdout.read(3) == b"up\n"
        proxy.stop()
        with pytest.raises(SandboxError):
            child.wait(10)
        child.close()
    finally:
        proxy.stop()
        docker.disconnect()
    fresh.setenv("DOCKER_HOST", f"unix://{engine}")
    # Its input ended with the connection. Ours is alive, so it is ours to remove.
    for left in docker.client().containers(all=True, filters={"label": docker.LABEL}):
        if f"-{os.getpid()}-" in left["Labels"][docker.LABEL]:
            docker.remove(left["Id"])
