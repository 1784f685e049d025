"""Many gradings in a row, several at a time, some of them hostile: the right verdicts, and nothing piles up."""

from __future__ import annotations

import pytest

from tests.hostile.catalogue import cheats
from tests.hostile.conftest import in_room

AT_A_TIME = 4
HOSTILE = [
    "exit_zero_in_call", "forged_frames_blind", "memory_in_children", "fork_to_the_limit", "child_that_outlives",
    "process_that_stays", "stderr_flood", "many_descriptors", "kills_everything", "forged_slots", "forged_views",
]  # fmt: skip
GROWTH_KIB = 30 * 1024


@pytest.mark.slow
@pytest.mark.parametrize(
    ("backend", "gradings"),
    [
        ("bubblewrap", 40),
        pytest.param("bubblewrap", 500, marks=pytest.mark.full),
        pytest.param("docker", 120, marks=pytest.mark.full),
    ],
)
def test_many_gradings_leak_nothing(backend: str, gradings: int) -> None:
    names = [HOSTILE[n // 10 % len(HOSTILE)] if n % 10 == 9 else "neutral_noise" for n in range(gradings)]
    verdicts = {cheat.name: cheat.verdict for cheat in cheats()}
    answer = in_room({"backend": backend, "names": names, "at_a_time": AT_A_TIME, "rest": True}, 3600)
    wrong = [
        (name, report)
        for name, report in zip(names, answer["reports"], strict=True)
        if report.get("verdict") != verdicts[name]
    ]
    assert wrong == []
    assert answer["left"] == []
    for early, late in answer["held"]:
        assert late["descriptors"] <= early["descriptors"] + 2
        assert late["threads"] <= early["threads"] + 1
        assert late["children"] <= early["children"] + 1
        assert late["kib"] <= early["kib"] + GROWTH_KIB
