"""Hints answer the question of the check that points to them."""

from __future__ import annotations

from contextlib import closing
from importlib import import_module

import pytest

from grader.checklist import checklist
from grader.exercise import discover
from grader.hints import find, next_level
from grader.judge import Judge

EXERCISES = discover()


def topics(exercise: str) -> dict[str, str]:
    with closing(Judge(EXERCISES[exercise], sandbox="process")) as judge:
        return {info.id: info.hint for info in judge.checks()}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_checklist_is_what_the_judge_collects(exercise):
    with closing(Judge(EXERCISES[exercise], sandbox="process")) as judge:
        assert list(checklist(EXERCISES[exercise])) == judge.checks()


def test_a_hint_is_found_by_check_by_mission_and_by_topic():
    l22 = EXERCISES["l22"]
    mission = find(l22, "prefill")
    assert {hint.mission for hint in mission} == {"prefill"}
    assert find(l22, mission[0].check) == mission[:1]
    assert mission[0] in find(l22, mission[0].topic)
    assert find(l22, "nothing-of-the-kind") == []


@pytest.mark.parametrize(("opened", "level"), [([], 1), ([0], 1), ([1], 2), ([3, 1], 2), ([3], None)])
def test_the_next_level_is_that_of_the_check_least_opened(opened, level):
    assert next_level(opened) == level


def hints(exercise: str) -> dict[str, tuple[str, str, str]]:
    return import_module(f"grader.exercises.{exercise}.hints").HINTS


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_check_has_a_hint_and_every_hint_a_check(exercise):
    assert set(topics(exercise).values()) == set(hints(exercise))


@pytest.mark.parametrize(
    ("check", "level", "words"),
    [
        ("can-allocate", 1, ["round", "cache", "0 tokens"]),
        ("stretch-leaves-nothing", 1, ["dict", "hashes"]),
        ("stretch-leaves-nothing", 3, ["pop seq_id", "del hash_to_block"]),
        ("random-duplicates", 1, ["two full blocks have the same chain"]),
        ("random-duplicates", 2, ["older block keeps it", "Both are right"]),
        ("mistake-free-forwards", 1, ["which one would you rather keep", "first"]),
    ],
)
def test_a_hint_speaks_of_what_its_check_asks(check, level, words):
    text = " ".join(hints("p06")[topics("p06")[check]][:level])
    assert [word for word in words if word not in text] == []


def test_the_taught_rule_is_told_with_its_limit():
    for level in hints("l22")["decode-boundary"][1:]:
        assert "of one token" in level or "block size 1" in level
