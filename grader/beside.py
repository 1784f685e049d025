"""A process beside the judge for what is slow to import: torch is loaded there while the other checks run here.

It is our own code, not a sandbox. It answers one JSON line for each it is sent.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


class Beside:
    """Runs ``python -m module`` and asks it things. ``start`` does not wait, the first ``ask`` does."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.process: subprocess.Popen[str] | None = None
        self.hello: dict[str, Any] | None = None

    def start(self) -> None:
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.module],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )

    def greeting(self) -> dict[str, Any]:
        """What the process said when it was up: ``{"device": …}`` or ``{"missing": a Say as JSON}``."""
        if self.hello is None:
            self.start()
            self.hello = self._read()
        return self.hello

    def busy(self) -> bool:
        """Is it still importing, so that a question now would wait?"""
        if self.hello is not None or self.process is None or self.process.stdout is None:
            return False
        return not select.select([self.process.stdout], [], [], 0)[0]

    @property
    def device(self) -> str:
        """The device it computes on, "cpu" as long as it was never asked for anything."""
        return str((self.hello or {}).get("device", "cpu"))

    def ask(self, question: Any) -> Any:
        """The answer to ``question``, both plain JSON. RuntimeError if the process is gone."""
        self.greeting()
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return self._read()

    def close(self) -> None:
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()
        self.process = None
        self.hello = None

    def _read(self) -> Any:
        assert self.process is not None and self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.module} ended with {self.process.wait()}")
        return json.loads(line)


def serve(hello: dict[str, Any], answer: Callable[[Any], Any]) -> None:
    """The other end: say ``hello``, then answer each line until the judge closes the stream."""
    try:
        print(json.dumps(hello), flush=True)
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))), flush=True)
    except BrokenPipeError:  # the judge was killed meanwhile
        os._exit(1)
