"""Judges that grade in Docker: the same verdicts, and no container outlives its judge for long."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.sandbox import docker, launcher
from solutions import mistakes
from tests.desk.room import ANN, CHEAP, Room, soon

pytestmark = pytest.mark.slow
RIGHT = mistakes.reference_source("p06").encode()
SPINS = RIGHT + b"\ndef spin(*_):\n    while True: pass\nBlockManager.allocate = spin\n"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    why = launcher.available()["docker"]
    if why is not None:
        pytest.skip(f"docker does not work here: {why}")
    room = Room(tmp_path / "data", "docker")
    yield room
    assert room.close() == set()
    docker.disconnect()


def containers(judges: set[int]) -> list[str]:
    """Ids of the containers that these judges started."""
    found = docker.client().containers(all=True, filters={"label": docker.LABEL})
    return [one["Id"] for one in found if int(one["Labels"][docker.LABEL].split("-")[1]) in judges]


def test_a_judge_killed_while_its_container_spins_leaves_it_only_until_the_next(room: Room) -> None:
    right = room.grade(RIGHT)
    assert (right.state, right.verdict) == ("done", "passed")
    report = room.desk.report(ANN, right.id)
    assert report is not None and report.sandbox == "docker"
    id = room.begun(SPINS, CHEAP)
    [first] = room.judges.pids()
    time.sleep(0.5)
    os.kill(first, signal.SIGKILL)
    done = room.until(id, "done")
    assert (done.verdict, done.attempts) == ("failed", 2)
    assert soon(lambda: containers({first}) == [])
    [second] = room.judges.pids()
    room.judges.close()
    assert soon(lambda: containers({first, second}) == [])
