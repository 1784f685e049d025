"""The image `app`, built and run as an operator would: the docker command line, on the engine that the tests have."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BASE = "kvhotel-base"
INSIDE = Path(__file__).with_name("inside_app.py")
TIGHT = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
"""What docs/serving.md gives every container beside its volume."""
OWN_SANDBOXES = ["--security-opt", f"seccomp={ROOT / 'seccomp.json'}"]
PATIENCE_S = 600


class NotHere(Exception):
    """No engine, or none with the base image."""


def docker(*words: str, stdin: str | None = None) -> str:
    """What the command printed. AssertionError, with its messages, if it fails."""
    return _run(["docker", *words], stdin)


def logs(id: str) -> str:
    """What a container has written, on both streams."""
    ran = subprocess.run(["docker", "logs", id], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return ran.stdout


def _run(words: list[str], stdin: str | None = None, **variables: str) -> str:
    environment = {**os.environ, **variables}
    ran = subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=1500, cwd=ROOT, env=environment)
    if ran.returncode != 0:
        raise AssertionError(f"{' '.join(words)[:300]}: {ran.returncode}\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
    return ran.stdout.strip()


def look_for_engine() -> None:
    """NotHere says what to start."""
    how = "tests/engine/start_engine.sh starts an engine that has it"
    if shutil.which("docker") is None:
        raise NotHere("the docker command is not installed")
    try:
        docker("version")
    except AssertionError:
        raise NotHere(f"no Docker engine answers; {how}") from None
    try:
        docker("image", "inspect", BASE)
    except AssertionError:
        raise NotHere(f"the engine has no image {BASE}; {how}") from None


@contextlib.contextmanager
def built(folder: Path) -> Iterator[str]:
    """The name of the image `app`, built without a network from a copy of the checkout, for as long as this lasts."""
    ours = shutil.ignore_patterns(".git", ".venv*", ".*_cache", ".hypothesis", "__pycache__", "data", "wheels")
    checkout = folder / "checkout"
    shutil.copytree(ROOT, checkout, ignore=ours, symlinks=True)
    for stray in (".git/config", "data/kvhotel.db", "mine/answer.py", "app/__pycache__/old.pyc"):
        (checkout / stray).parent.mkdir(exist_ok=True)
        (checkout / stray).write_text("nobody's business\n")
    _download(checkout / "wheels")
    tag = f"kv-hotel:test-{os.getpid()}"
    words = ["--network", "none", "--build-arg", f"BASE={BASE}", "--target", "app", "--tag", tag]
    docker("build", *words, str(checkout))
    try:
        yield tag
    finally:
        docker("rmi", "--force", tag)


def _download(wheels: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [project["dependency-groups"][name] for name in ("torch", "app", "postgres", "docker")]
    wanted = [*project["project"]["dependencies"], *(package for group in groups for package in group)]
    index = os.environ.get("KVH_TORCH_INDEX")
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", str(wheels)]
    words += ["--constraint", str(ROOT / "constraints.txt"), *(["--extra-index-url", index] if index else [])]
    _run([*words, *wanted])


class Container:
    """One that runs; its id, and what can be asked of it."""

    def __init__(self, id: str) -> None:
        self.id = id

    def python(self, code: str, *arguments: str) -> str:
        """What this Python prints inside."""
        return docker("exec", "--interactive", self.id, "python", "-", *arguments, stdin=code)

    def do(self, *words: str) -> Any:
        """The newest submission that `inside_app.py WORDS` tells of."""
        return json.loads(self.python(INSIDE.read_text(), *words))[0]

    def says(self, text: str) -> None:
        """Wait until its log has this in it."""
        end = time.monotonic() + PATIENCE_S
        while text not in (log := logs(self.id)):
            assert time.monotonic() < end, log
            time.sleep(0.5)

    def fetch(self, path: str) -> str:
        """A page, asked for at its published port: in the engine's network, which may not be ours."""
        ask = "import sys, urllib.request as web\nprint(web.urlopen(sys.argv[1]).read().decode())"
        image = docker("inspect", "--format", "{{.Image}}", self.id)
        where = docker("port", self.id, "8501/tcp").splitlines()[0]
        return docker("run", "--rm", "--network", "host", image, "python", "-c", ask, f"http://{where}{path}")

    def state(self) -> Any:
        return json.loads(docker("inspect", "--format", "{{json .State}}", self.id))

    def healthy(self) -> Container:
        """Itself, once its own health check says so."""
        end = time.monotonic() + PATIENCE_S
        while (state := self.state())["Health"]["Status"] != "healthy":
            assert state["Running"] and time.monotonic() < end, logs(self.id)
            time.sleep(0.5)
        return self


@contextlib.contextmanager
def running(image: str, *options: str) -> Iterator[Container]:
    """A container; removed in the end, whatever is still running in it."""
    id = docker("run", "--detach", *options, image)
    try:
        yield Container(id)
    finally:
        docker("rm", "--force", "--volumes", id)


@contextlib.contextmanager
def volume() -> Iterator[str]:
    """The name of an empty volume."""
    name = docker("volume", "create")
    try:
        yield name
    finally:
        docker("volume", "rm", "--force", name)


def compose(*files: Path, **variables: str) -> Callable[..., str]:
    """Docker Compose on these files, as a project of its own: compose(WORD, …) is what it printed."""
    words = ["docker-compose"] if shutil.which("docker-compose") else ["docker", "compose"]
    words += ["--project-name", f"kvhotel-test-{os.getpid()}"]
    words += [word for file in files for word in ("--file", str(file))]

    def run(*more: str) -> str:
        return _run([*words, "--project-directory", str(ROOT), *more], **variables)

    return run
