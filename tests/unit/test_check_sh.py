"""check.sh: sets up once, says what it does on standard error, and never touches a set-up that fits the pins."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/bash
# Plays python3: makes a venv that holds this script, logs what it is asked for, and fails where FAIL says so.
echo "$*" >>"$LOG"
if [[ "$*" == *version_info* ]]; then exit ${OLD:-0}; fi
if [[ "$*" == *ensurepip* ]]; then exit ${NO_VENV:-0}; fi
if [[ "$*" == "-m venv"* ]]; then
    sleep ${SLOW_VENV:-0}
    mkdir -p "$3/bin" "$3/lib/python3/site-packages"
    cp "$0" "$3/bin/python"
fi
if [[ "$*" == *tomllib* ]]; then echo "wanted-${@: -1}"; fi
if [[ "$*" == *"pip install"* ]]; then echo "pip speaks"; sleep ${SLOW:-0}; exit ${FAIL:-0}; fi
if [[ "$*" == *"-m grader"* && ${AWAIT:-} ]]; then flock -s "$KVH_TORCH_SETUP" true; fi
if [[ "$*" == *"-m grader"* ]]; then echo "graded $PYTHONPATH ${KVH_TORCH_SETUP:+meanwhile}"; fi
"""


class Door:
    """A checkout with check.sh, and a python3 that only plays."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "a folder"
        self.folder.mkdir()
        for name in ("check.sh", "constraints.txt", "pyproject.toml"):
            shutil.copy(ROOT / name, self.folder)
        for toml in (ROOT / "grader" / "exercises").glob("*/exercise.toml"):
            target = self.folder / toml.relative_to(ROOT)
            target.parent.mkdir(parents=True)
            shutil.copy(toml, target)
        self.venv = self.folder / ".venv"
        self.log = folder / "log"
        self.log.touch()
        bin = folder / "bin"
        bin.mkdir()
        for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
            (bin / name).write_text(PYTHON, "utf-8")
            (bin / name).chmod(0o755)
        self.env = {"PATH": f"{bin}:/usr/bin:/bin", "LOG": str(self.log)}

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.folder / "check.sh"), *arguments]
        return subprocess.run(command, env={**self.env, **env}, capture_output=True, text=True, check=False, timeout=60)

    def interrupted(self, word: str, *arguments: str, **env: str) -> tuple[int, str]:
        """Ctrl-C once `word` is in the log; the exit code and what was said on standard error."""
        command = [str(self.folder / "check.sh"), *arguments]
        done = subprocess.Popen(
            command, env={**self.env, **env}, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        while word not in self.log.read_text("utf-8"):
            time.sleep(0.02)
        os.killpg(done.pid, signal.SIGINT)
        _, said = done.communicate(timeout=20)
        return done.returncode, said

    def made(self) -> int:
        return sum(line.startswith("-m venv") for line in self.log.read_text("utf-8").split("\n"))

    def installed(self) -> list[str]:
        return [line.rpartition(" ")[2] for line in self.log.read_text("utf-8").split("\n") if "pip install" in line]


@pytest.fixture
def door(tmp_path):
    return Door(tmp_path)


def test_the_first_run_sets_up_and_the_second_touches_nothing(door):
    first = door.run("doctor")
    assert (first.returncode, first.stdout) == (0, f"graded {door.folder} \n")
    assert "First run" in first.stderr and "pip speaks" in first.stderr
    before = {path: path.stat().st_mtime_ns for path in door.venv.rglob("*")}
    second = door.run("doctor")
    assert (second.returncode, second.stderr) == (0, "")
    assert {path: path.stat().st_mtime_ns for path in door.venv.rglob("*")} == before
    assert door.installed() == ["wanted-base"]


def test_changed_pins_are_installed_anew(door):
    door.run("doctor")
    with (door.folder / "constraints.txt").open("a") as pins:
        pins.write("more==1\n")
    door.run("doctor")
    door.run("doctor")
    assert door.installed() == ["wanted-base", "wanted-base"]


def test_an_interrupted_set_up_is_made_again_from_the_start(door):
    door.run("doctor")
    (door.venv / "pins-base").unlink()
    (door.venv / "unfinished").touch()
    (door.venv / "half-installed").touch()
    assert door.run("doctor").returncode == 0
    assert not (door.venv / "half-installed").exists()
    assert not (door.venv / "unfinished").exists()


def test_two_first_runs_at_once_set_up_once(door):
    runs = [threading.Thread(target=door.run, args=("doctor",), kwargs={"SLOW": "0.3"}) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert door.installed() == ["wanted-base"]


def test_what_needs_torch_in_the_sandbox_waits_for_it_and_is_told_the_size(door):
    done = door.run("l22")
    assert door.installed() == ["wanted-base", "wanted-torch"]
    assert "MB" in done.stderr and "GB" in done.stderr
    assert done.stdout == f"graded {door.folder} \n"


def test_what_needs_torch_only_in_the_judge_starts_meanwhile(door):
    door.run("doctor")
    done = door.run("p06", SLOW="0.5", AWAIT="1")
    assert done.stdout == f"graded {door.folder} meanwhile\n"
    assert "MB" in done.stderr
    assert door.installed() == ["wanted-base", "wanted-torch"]
    assert door.run("p06").stdout == f"graded {door.folder} \n"


@pytest.mark.parametrize("option", ["--hint", "--help", "-h"])
def test_help_downloads_no_torch(door, option):
    door.run("l22", option, "x")
    assert door.installed() == ["wanted-base"]


def test_torch_comes_from_another_index_if_one_is_named(door):
    door.run("l22", KVH_TORCH_INDEX="http://127.0.0.1:9/cpu")
    asked = [line for line in door.log.read_text("utf-8").split("\n") if "pip install" in line]
    assert ["--index-url http://127.0.0.1:9/cpu" in line for line in asked] == [False, True]


def test_a_failed_install_is_said_and_tried_again_without_loss(door):
    door.run("doctor")
    failed = door.run("l22", FAIL="1")
    assert failed.returncode == 2
    assert "pip could not install wanted-torch" in failed.stderr
    assert door.run("doctor").stderr == ""
    assert door.run("l22").returncode == 0


def test_the_playground_is_set_up_without_torch(door):
    assert door.run("app", "--port", "0").returncode == 0
    assert door.installed() == ["wanted-base", "wanted-app"]
    assert "-m app --port 0" in door.log.read_text("utf-8")


@pytest.mark.parametrize(
    ("trouble", "word"), [({"OLD": "1"}, "3.11"), ({"NO_VENV": "1"}, "python3-venv"), ({"FAIL": "1"}, "pip")]
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_keeps_it_from_setting_up_is_said_with_exit_2(door, trouble, word, lang):
    done = door.run("p06", "--lang", lang, **trouble)
    assert (done.returncode, done.stdout) == (2, "")
    assert word in done.stderr
    assert any("\u4e00" <= char <= "\u9fff" for char in done.stderr) == (lang == "zh")


@pytest.mark.parametrize("form", [["--json"], ["--json", "-"], ["--json=-"], ["--json", "--only", "x"]])
def test_one_json_object_also_when_the_set_up_fails(door, form):
    payload = json.loads(door.run("p06", *form, OLD="1").stdout)
    assert (payload["verdict"], payload["exercise"]) == ("error", "p06")
    assert "3.11" in payload["message"]


def test_it_works_from_any_folder_and_keeps_the_callers_paths(door, tmp_path):
    door.run("doctor")
    command = f"cd '{tmp_path}' && 'a folder/check.sh' reset p06"
    done = subprocess.run(["bash", "-c", command], env=door.env, capture_output=True, text=True, check=True)
    assert done.stdout == f"graded {door.folder} \n"
    assert os.listdir(door.folder).count("log") == 0


def test_a_download_that_nobody_waits_for_any_more_ends_with_the_command(door):
    door.run("doctor")
    began = time.monotonic()
    door.run("p06", SLOW="300")
    subprocess.run(["flock", "-w", "20", str(door.folder / ".venv.lock"), "true"], check=True)
    assert time.monotonic() - began < 20
    assert door.run("p06", AWAIT="1").returncode == 0
    assert door.run("p06").stdout == f"graded {door.folder} \n"
    assert door.made() == 1


@pytest.mark.parametrize(
    ("only", "groups"),
    [("slot-mapping", ["wanted-base"]), ("slot-mapping,paged-gather", ["wanted-base", "wanted-torch"])],
)
def test_torch_is_fetched_only_for_a_check_that_needs_it(door, only, groups):
    door.run("p06", "--only", only, AWAIT="1" if len(groups) > 1 else "")
    assert door.installed() == groups


@pytest.mark.parametrize("arguments", [["bench"], ["bench", "--help"], ["test", "-h"], ["setup", "--help"]])
def test_help_about_a_command_installs_nothing(door, arguments):
    done = door.run(*arguments)
    assert (done.returncode, done.stderr, door.log.read_text("utf-8")) == (0, "", "")
    assert f"./check.sh {arguments[0]}" in done.stdout


def test_ctrl_c_while_the_environment_is_made_is_one_line_and_the_next_run_recovers(door):
    code, said = door.interrupted("-m venv", "p06", SLOW_VENV="300")
    assert code == 130
    assert [line.split()[0] for line in said.splitlines()] == ["First", "Stopped."]
    assert door.run("doctor").returncode == 0


def test_ctrl_c_in_a_download_leaves_the_environment_as_it_was(door):
    door.run("doctor")
    code, said = door.interrupted("wanted-torch", "l22", SLOW="300")
    assert (code, said.splitlines()[-1].split()[0]) == (130, "Stopped.")
    assert door.run("l22").returncode == 0
    assert door.made() == 1


def test_a_checkout_that_cannot_be_written_to_is_said(door):
    door.folder.chmod(0o555)
    command = [str(door.folder / "check.sh"), "p06", "--json", "-"]
    if os.geteuid() == 0:  # root writes everywhere, unless that right is taken away
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *command]
    done = subprocess.run(command, env=door.env, capture_output=True, text=True, check=False)
    door.folder.chmod(0o755)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (2, "error")
    assert "cannot be written to" in done.stderr
    assert len(done.stderr.splitlines()) == 1
