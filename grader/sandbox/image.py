"""The image that the docker backend runs: which one it is, and `python -m grader.sandbox.image` to build it.

Its tag is made from what is in it, so a judge never talks to another version's worker.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from grader.sandbox import runtime as rt
from grader.sandbox.child import SandboxError
from grader.words import Say, pick_language, translator

ROOT = rt.HERE.parent.parent
DOCKERFILE, CONSTRAINTS = ROOT / "Dockerfile", ROOT / "constraints.txt"
PACKAGES = ("torch", "numpy")
COMMAND = "python -m grader.sandbox.image"


@cache
def tag() -> str:
    """The name of the image that fits this checkout."""
    parts = [rt.source(path) for path in (DOCKERFILE, rt.ENTER, rt.WORKER)]
    return "kvhotel-sandbox:" + hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def download(wheels: Path) -> None:
    """Fetch the wheels for this Python and machine. CalledProcessError if pip fails, which has said why."""
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", str(wheels)]
    words += ["--constraint", str(CONSTRAINTS)]
    if index := os.environ.get("KVH_TORCH_INDEX"):
        words += ["--extra-index-url", index]
    subprocess.run([*words, *PACKAGES], check=True)


def build(client: Any, wheels: Path, base: str) -> None:
    """Build the image on this engine (a docker APIClient) without a network. RuntimeError with the engine's words."""
    with tempfile.TemporaryFile() as context:
        with tarfile.open(fileobj=context, mode="w") as tar:
            for path in (DOCKERFILE, CONSTRAINTS, rt.ENTER, rt.WORKER):
                tar.add(path, str(path.relative_to(ROOT)))
            tar.add(wheels, "wheels")
        context.seek(0)
        steps = client.build(
            fileobj=context,
            custom_context=True,
            target="sandbox",
            buildargs={"BASE": base},
            network_mode="none",
            tag=tag(),
            rm=True,
            decode=True,
        )
        for step in steps:
            if "error" in step:
                raise RuntimeError(step["error"].strip())


def main() -> int:
    """Fetch, build, say the tag. 1 if something is in the way."""
    from grader.sandbox import docker

    text = translator(pick_language(None, os.environ)).text
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser = argparse.ArgumentParser(prog=COMMAND, description="Build the image that the docker sandbox runs.")
    parser.add_argument("--base", default=f"python:{version}-slim", help=f"an image with Python {version} and pip")
    parser.add_argument("--wheels", type=Path, help="a folder that has the wheels already; nothing is downloaded")
    arguments = parser.parse_args()
    failures: tuple[type[Exception], ...] = (RuntimeError, OSError, subprocess.CalledProcessError)
    try:
        engine = docker.client()
        failures += docker.errors()
        with tempfile.TemporaryDirectory() as folder:
            wheels = arguments.wheels or Path(folder)
            if arguments.wheels is None:
                print(
                    text(
                        "Fetching torch and numpy: 200 MB from an index that has torch's CPU build (KVH_TORCH_INDEX) …"
                    )
                )
                download(wheels)
            print(text(Say("Building {tag} …", tag=tag())))
            build(engine, wheels, arguments.base)
    except SandboxError as error:
        print(text(error.say), file=sys.stderr)
        return 1
    except failures as error:
        print(text(Say("The image was not built: {reason}", reason=str(error))), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
