"""`python -m app`: it says where it is, and ends with a sentence where it cannot be."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from app.address import Unusable, found
from tests.browser.running import APP, serving

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


@pytest.mark.parametrize(("port", "said"), [("99999", "no port 99999"), ("-1", "no port -1"), ("x", "invalid int")])
def test_a_port_that_is_none_is_said_with_exit_2(port, said):
    done = start("--port", port)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_nothing_is_told_to_anyone_and_only_this_machine_is_served():
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["address"] == "127.0.0.1"
    assert config["server"]["maxUploadSize"] == 1
    assert not {"enableCORS", "enableXsrfProtection"} & config["server"].keys()


@pytest.mark.parametrize(("lang", "said"), [("en", "add --open-to-all"), ("zh", "请加上 --open-to-all")])
def test_it_is_not_open_to_all_unless_told(lang, said):
    done = start("--port", "0", "--address", "0.0.0.0", "--lang", lang)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "0.0.0.0" in done.stderr


@pytest.mark.parametrize("address", ["", "nowhere.invalid", "192.0.2.1", "unix:///tmp/hotel", "127.0.0.1:80"])
def test_an_address_that_is_not_here_is_said_with_exit_2(address):
    done = start("--port", "0", "--address", address)
    assert done.returncode == 2 and "This machine has no address" in done.stderr


@pytest.mark.parametrize("judges", ["0", "-1", "x"])
def test_a_number_of_judges_that_is_none_is_said_with_exit_2(judges):
    done = start("--judges", judges)
    assert done.returncode == 2 and "is not a number from 1 on" in done.stderr


@pytest.mark.parametrize(
    ("address", "alone"), [("127.0.0.1", True), ("localhost", True), ("127.9.9.9", True), ("0.0.0.0", False)]
)
def test_this_machine_alone_is_told_from_everybody(address, alone):
    where = found(address, 0)
    assert where.alone is alone and where.port > 0
    assert where.url.startswith("http://127.")


def test_an_address_that_cannot_be_had_is_refused():
    with pytest.raises(Unusable):
        found("192.0.2.1", 0)


@pytest.mark.slow
def test_told_so_it_serves_whoever_reaches_it(tmp_path):
    log, data = tmp_path / "log.txt", tmp_path / "submissions"
    with serving(log, (*APP, "--address", "0.0.0.0", "--open-to-all", "--data", str(data), "--judges", "1")) as address:
        assert knock(address, "hotel.example") == 101
        said = heard(log, r"graded in a sandbox: \w+|Nothing can be graded for now: \w+")
    assert "open to everybody who can reach this machine, without login" in said
    assert (data / "kvhotel.db").is_file()


@pytest.mark.slow
def test_a_data_folder_that_cannot_be_had_is_said_and_the_rest_works(tmp_path):
    log = tmp_path / "log.txt"
    (tmp_path / "file").write_text("no folder")
    with serving(log, (*APP, "--data", str(tmp_path / "file" / "data"))) as address:
        assert knock(address, "127.0.0.1") == 101
        heard(log, "Nothing can be graded for now: .*cannot be")


def heard(log: Path, pattern: str) -> str:
    """What the server has said, once ``pattern`` is in it."""
    end = time.monotonic() + 90
    while time.monotonic() < end:
        said = log.read_text("utf-8", "replace")
        if re.search(pattern, said):
            return said
        time.sleep(0.2)
    raise AssertionError(said)


@pytest.mark.slow
def test_a_page_elsewhere_cannot_talk_to_it_under_a_name_of_its_own(tmp_path):
    with serving(tmp_path / "log.txt") as address:
        assert knock(address, "127.0.0.1") == 101
        assert knock(address, "localhost") == 101
        assert knock(address, "hotel.example") != 101
        assert knock(address, "127.0.0.1", origin="hotel.example") != 101


def knock(address: str, host: str, origin: str | None = None) -> int:
    """The status with which the app's WebSocket answers a browser that calls it ``host``, from a page of ``origin``."""
    port = int(address.rpartition(":")[2])
    lines = [
        "GET /_stcore/stream HTTP/1.1", f"Host: {host}:{port}", f"Origin: http://{origin or host}:{port}",
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: streamlit",
        "Sec-WebSocket-Key: aG90ZWxob3RlbGhvdGVsaA==", "", "",
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port), timeout=30) as line:
        line.sendall("\r\n".join(lines).encode())
        return int(line.recv(64).split()[1])
