"""A worker in a container: the attached connection taken apart into three pipes, and the engine asked how it ended."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import threading
import time
from io import RawIOBase
from typing import Any, cast

from grader.sandbox import docker
from grader.sandbox.child import Child, Ending, EndingKind, SandboxError
from grader.sandbox.limits import Limits

HEAD = struct.Struct(">BxxxI")
"""Before each piece of output the engine writes which stream it belongs to, and its length."""
STDOUT, STDERR = 1, 2
SETTLE_S = 5.0


class ContainerChild(Child):
    """Start a worker in a container of its own. SandboxError if the engine does not, with its reason."""

    def __init__(self, limits: Limits, torch: bool) -> None:
        self.backend, self.pid = docker.NAME, 0  # the process is the engine's, perhaps on another machine
        self._engine = docker.client()
        self._container = docker.create(limits, torch)
        self._lock = threading.Lock()
        self._ending: Ending | None = None
        self._killed = self._closed = False
        self._output_ended = threading.Event()
        self._ended = threading.Event()
        try:
            # Attached before it runs, or its first words are lost.
            wanted = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self._attached = self._engine.attach_socket(self._container, params=wanted)
            self._engine.start(self._container)
        except docker.errors() as error:
            docker.remove(self._container)
            raise SandboxError(docker.trouble(error)) from error
        self._connection = cast(socket.socket, getattr(self._attached, "_sock", self._attached))
        self._connection.settimeout(None)
        stdin, self.stdin = _pipe_in()
        self.stdout, stdout = _pipe_out()
        self.stderr, stderr = _pipe_out()
        self._start(self._feed, stdin)
        self._start(self._drain, stdout, stderr)

    def _start(self, function: Any, *descriptors: int) -> None:
        threading.Thread(target=function, args=descriptors, name="kvhotel-container", daemon=True).start()

    def _feed(self, stdin: int) -> None:
        """Pass on what the judge writes, and that it has finished."""
        try:
            with contextlib.suppress(OSError):
                while data := os.read(stdin, 1 << 16):
                    self._connection.sendall(data)
                self._connection.shutdown(socket.SHUT_WR)
        finally:
            os.close(stdin)

    def _drain(self, stdout: int, stderr: int) -> None:
        """Sort the worker's output into its two streams until it ends."""
        sinks = {STDOUT: stdout, STDERR: stderr}
        pending = bytearray()
        try:
            with contextlib.suppress(OSError):
                while data := self._connection.recv(1 << 16):
                    pending += data
                    while len(pending) >= HEAD.size:
                        stream, length = HEAD.unpack_from(pending)
                        if len(pending) < HEAD.size + length:
                            break
                        self._pass_on(sinks.get(stream, stderr), pending[HEAD.size : HEAD.size + length])
                        del pending[: HEAD.size + length]
        finally:
            os.close(stdout)
            os.close(stderr)
            self._output_ended.set()

    def _pass_on(self, sink: int, data: bytes | bytearray) -> None:
        """Write to the judge as it reads. Once the container is to end nobody may read any more: the rest is dropped.

        What is not taken off the connection would keep the engine from ending the container, for as long as it waits.
        """
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(sink, view) :]
            except BlockingIOError:
                if self._ended.is_set():
                    return
                select.select([], [sink], [], 0.05)

    def kill(self) -> None:
        self._ended.set()
        with self._lock:
            if self._killed:
                return
            with contextlib.suppress(*docker.errors()):
                self._engine.kill(self._container)
            if self._ending is None:
                with contextlib.suppress(SandboxError):
                    self._ending = self._read_ending()
            self._killed = True

    def wait(self, timeout: float) -> Ending | None:
        if self._ending is None and not self._output_ended.wait(timeout):
            return None
        with self._lock:
            if self._ending is None:
                self._ending = self._read_ending()
            return self._ending

    def hit(self) -> EndingKind | None:
        with self._lock:
            ending = self._ending
        return ending.kind if ending is not None and ending.kind == "memory" else None

    def _read_ending(self) -> Ending:
        """SandboxError if the engine is gone: that is not the learner's doing."""
        give_up = time.monotonic() + SETTLE_S
        try:
            while True:
                state: dict[str, Any] = self._engine.inspect_container(self._container)["State"]
                if not state["Running"]:
                    break
                if time.monotonic() > give_up:
                    return Ending("unknown")
                time.sleep(0.005)
        except docker.errors() as error:
            raise SandboxError(docker.trouble(error)) from error
        code = int(state["ExitCode"])
        if not 128 < code <= 128 + 64:
            return Ending("exit", code)
        # OOMKilled is also true when something else in the container was killed before.
        if state.get("OOMKilled") and code == 128 + 9:
            return Ending("memory", 9)
        return Ending("cpu" if code == 128 + 24 else "signal", code - 128)

    def close(self) -> None:
        super().close()
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._output_ended.wait(SETTLE_S)
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._attached.close()
        self._connection.close()
        docker.remove(self._container)


def _pipe_in() -> tuple[int, RawIOBase]:
    read, write = os.pipe()
    return read, cast(RawIOBase, os.fdopen(write, "wb", buffering=0))


def _pipe_out() -> tuple[RawIOBase, int]:
    read, write = os.pipe()
    os.set_blocking(write, False)
    return cast(RawIOBase, os.fdopen(read, "rb", buffering=0)), write
