"""Every hostile file gets the verdict and the sentence it must get, in time, and leaves nothing behind."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from grader.sandbox.limits import Limits
from tests.hostile import namespace
from tests.hostile.catalogue import REAL_VALUES, Cheat, cheats, complaints, read
from tests.hostile.conftest import in_room
from tests.hostile.grading import Grader
from tests.sampling import third

CHEATS = cheats()
BACKENDS = ("bubblewrap", "docker")
AT_A_TIME = 2


def whole_catalogue(backend: str) -> Any:
    """All files graded in one room, then the right answer; looked at by many tests."""
    question = {"backend": backend, "names": [cheat.name for cheat in CHEATS], "at_a_time": AT_A_TIME}
    return in_room({**question, "then_right": True}, 900)


def at_real_values(backend: str) -> Any:
    question = {"backend": backend, "names": list(REAL_VALUES), "at_a_time": AT_A_TIME, "limits": asdict(Limits())}
    return in_room(question, 1800)


def assert_contained(cheat: Cheat, backend: str, report: Any, limits: Limits) -> None:
    assert "fault" not in report, report["fault"]
    assert complaints(cheat, backend, report, limits) == []


def test_the_catalogue_is_large_and_names_each_surface() -> None:
    assert len(CHEATS) >= 60
    assert {cheat.severity for cheat in CHEATS} == {"none", "low", "medium", "high"}
    assert {cheat.exercise for cheat in CHEATS} == {"p06", "l22"}
    assert {cheat.verdict for cheat in CHEATS} == {"passed", "failed"}
    assert set(REAL_VALUES) <= {cheat.name for cheat in CHEATS}


@pytest.mark.parametrize("lacking", ["severity", "strategy", "surface", "outcome"])
def test_a_header_lacks_nothing(tmp_path: Path, lacking: str) -> None:
    lines = [f"{key}: high" for key in ("severity", "strategy", "surface", "outcome") if key != lacking]
    path = tmp_path / "cheat.py"
    path.write_text('"""\n' + "\n".join(lines) + '\n"""\n')
    with pytest.raises(ValueError, match=lacking):
        read(path)


def test_the_process_backend_is_refused() -> None:
    with pytest.raises(ValueError, match="never run by the process backend"):
        namespace.run({"backend": "process", "names": ["loop_in_call"]}, 60)
    with pytest.raises(ValueError, match="never run by the process backend"):
        Grader().grade(b"", "p06", "process", Limits(), None)


@pytest.mark.slow
@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
@pytest.mark.parametrize("backend", third(BACKENDS))
def test_it_is_contained(backend: str, cheat: Cheat) -> None:
    reports = whole_catalogue(backend)["reports"]
    assert_contained(cheat, backend, reports[CHEATS.index(cheat)], cheat.short)


@pytest.mark.slow
@pytest.mark.parametrize("backend", third(BACKENDS))
def test_afterwards_nothing_is_left_and_a_right_answer_passes(backend: str) -> None:
    answer = whole_catalogue(backend)
    assert answer["left"] == []
    assert answer["right"].get("verdict") == "passed", answer["right"]


@pytest.mark.full
@pytest.mark.parametrize("name", REAL_VALUES)
@pytest.mark.parametrize("backend", BACKENDS)
def test_it_is_contained_at_the_real_limits(backend: str, name: str) -> None:
    cheat = next(cheat for cheat in CHEATS if cheat.name == name)
    assert_contained(cheat, backend, at_real_values(backend)["reports"][REAL_VALUES.index(name)], Limits())
