"""`python -m app`: it says where it is, and ends with a sentence where it cannot be."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "app", *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("lang", "said"), [("en", "something else is using it"), ("zh", "已被别的程序占用")])
def test_a_port_that_is_taken_is_said_with_exit_2(lang, said):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = start("--port", str(taken.getsockname()[1]), "--lang", lang)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("port", ["99999", "-1", "x"])
def test_a_port_that_is_none_is_said_with_exit_2(port):
    done = start("--port", port)
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_nothing_is_told_to_anyone_and_only_this_machine_is_served():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["address"] == "127.0.0.1"
