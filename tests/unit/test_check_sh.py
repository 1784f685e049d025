"""check.sh: sets up once, says what it does on standard error, and never touches a set-up that fits the pins."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = """#!/bin/bash
# Plays python3: makes a venv that holds this script, logs what it is asked for, and fails where FAIL says so.
echo "$*" >>"$LOG"
if [[ "$*" == *version_info* ]]; then exit ${OLD:-0}; fi
if [[ "$*" == *ensurepip* ]]; then exit ${NO_VENV:-0}; fi
if [[ "$*" == "-m venv"* ]]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi
if [[ "$*" == *tomllib* ]]; then echo "wanted-${@: -1}"; fi
if [[ "$*" == *"pip install"* ]]; then echo "pip speaks"; sleep ${SLOW:-0}; exit ${FAIL:-0}; fi
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
    done = door.run("p06", SLOW="0.5")
    assert done.stdout == f"graded {door.folder} meanwhile\n"
    assert "MB" in done.stderr
    subprocess.run(["flock", str(door.folder / ".venv.lock"), "true"], check=True)  # ends when the download does
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
