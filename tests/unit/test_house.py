"""The house keeps its shape: imports point one way, and everything pinned is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from grader.commands import catalogue
from grader.exercise import discover

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("grader", "solutions", "app")
PURE = {"os", "io", "pathlib", "socket", "subprocess", "shutil", "tempfile", "threading", "time", "streamlit", "torch"}


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """Full names of what a file imports, wherever in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: say the whole name of what you import"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def reaches(names: set[str], *packages: str) -> list[str]:
    return sorted(name for name in names for package in packages if f"{name}.".startswith(f"{package}."))


RULES = {
    "grader/sandbox": ("app", "grader.desk", "grader.judge", "grader.exercises", "grader.render", "solutions"),
    "grader/exercises": ("app", "grader.desk", "grader.judge", "grader.cli", "grader.commands"),
    "grader/judge.py": ("app", "grader.desk", "grader.cli", "grader.commands", "grader.render"),
    "grader/desk": ("app", "grader.cli", "grader.commands"),
    "grader/render": ("app", "grader.desk", "grader.judge", "grader.sandbox", "grader.exercises", "solutions"),
    "grader": ("app", "tests", "mine"),
    "solutions": ("app", "grader", "tests", "mine"),
}


@pytest.mark.parametrize("room", RULES)
def test_arrows_point_one_way(room):
    files = [ROOT / room] if room.endswith(".py") else sources(room)
    found = {str(path.relative_to(ROOT)): reaches(imported(path), *RULES[room]) for path in files if path.exists()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("path", sources("grader/replay"), ids=lambda path: path.name)
def test_replay_is_pure(path):
    names = imported(path)
    assert {name.partition(".")[0] for name in names} & PURE == set()
    outside = [n for n in names if n.startswith("grader.") and not n.startswith(("grader.replay", "grader.words"))]
    assert outside == []
    calls = {node.func.id for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    assert calls & {"open", "print", "input", "exec", "eval"} == set()


def test_the_worker_meets_learner_code_with_the_standard_library_alone():
    names = {name.partition(".")[0] for name in imported(ROOT / "grader/sandbox/worker.py")}
    assert names - set(sys.stdlib_module_names) <= {"torch"}


def test_what_is_not_written_yet_is_said_only_to_the_learner():
    paths = [path for folder in FOLDERS for path in sources(folder) if path.name != "skeleton.py"]
    assert [str(path) for path in paths if re.search(r"#.*\b(TODO|FIXME|XXX)\b", path.read_text("utf-8"))] == []


@pytest.mark.parametrize("exercise", discover().values(), ids=lambda exercise: exercise.id)
def test_an_exercise_folder_is_complete(exercise):
    assert exercise.skeleton.is_file()
    assert list(exercise.folder.glob("test_*.py"))


def test_every_declared_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = [*project["project"]["dependencies"], *sum(project["dependency-groups"].values(), [])]
    names = {re.match(r"[\w.-]+", text).group().lower() for text in declared}
    pins = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text("utf-8").split("\n")}
    assert names - pins == set()


def test_message_ids_are_whole_texts():
    """An f-string or a joined text as message id could never be looked up."""
    for folder in FOLDERS:
        for path in sources(folder):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("Say", "N_"):
                    assert not isinstance(node.args[0], (ast.JoinedStr, ast.BinOp)), f"{path}:{node.lineno}"


def test_the_catalogue_reader_finds_what_a_file_says():
    code = 'Say("a " "b", plural="c", n=1); N_("d"); Say(x); other("e")'
    assert [message[:2] for message in catalogue.messages(code)] == [("a b", "c"), ("d", None)]
