"""A line that a stack names can be found: its text stands with it, and its number in the box of a mission."""

from __future__ import annotations

from app.learn.lessons import lesson_of
from app.report.lines import found
from grader.exercise import discover

L22 = discover()["l22"]
SKELETON = L22.skeleton.read_text("utf-8")


def located(stack, source=SKELETON, only=()):
    said = {"checks": [{"stack": stack}, {"stack": None}]}
    found(said, source.encode, L22, only)
    return said["checks"][0]["stack"]


def test_a_place_without_its_text_gets_it_and_one_with_it_stays():
    source = "class A:\n    while True:\n        pass\n"
    assert located("  a.py, line 3, in free", source) == "  a.py, line 3, in free\n    pass"
    whole = "a.py, line 2, in free\n  while True:"
    assert located(whole, source) == whole
    assert located("a.py, line 99, in free", source) == "a.py, line 99, in free"


def test_in_a_mission_the_number_in_its_box_stands_beside_it():
    (method,) = lesson_of(L22).tasks["prefill"][:1]
    first = next(n for n, line in enumerate(SKELETON.splitlines(), 1) if f"def {method}(" in line)
    told = located(f"l22.py, line {first + 1}, in {method}", only=("prefill",))
    assert told.split("\n")[0].endswith("· line 2 of the box")
    assert "of the box" not in located(f"l22.py, line {first + 1}, in {method}")
    assert "of the box" not in located("l22.py, line 1, in elsewhere", only=("prefill",))
