"""The server and its judges are killed with -9 at random moments: nothing is lost, ends twice, or is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.desk.claims import ATTEMPTS
from tests.desk import kills
from tests.desk.judging_here import needs_bubblewrap
from tests.desk.processes import Family, judges_of

pytestmark = [pytest.mark.slow, needs_bubblewrap]


@pytest.mark.parametrize(
    ("submissions", "count", "within_s"),
    [(20, 2, 600), pytest.param(200, 10, 900, marks=pytest.mark.full)],
    ids=["20", "200"],
)
def test_each_ends_once_with_the_right_verdict(
    database: str, capsys: pytest.CaptureFixture[str], submissions: int, count: int, within_s: float
) -> None:
    outcome = kills.run(database, submissions, count, seed=submissions, within_s=within_s)
    with capsys.disabled():
        print(f"\n{kills.table(outcome)}")
    assert outcome.left == []
    assert len(outcome.kills) == count
    assert outcome.endings == dict.fromkeys(outcome.expected, 1)
    for id, verdict in outcome.expected.items():
        row = outcome.found[id]
        struck = sum(id in one.hit for one in outcome.kills)
        if struck < ATTEMPTS or row.state == "done":
            assert (row.state, row.verdict) == ("done", verdict), (row.number, row.attempts, struck, row.reason)
        else:
            assert (row.state, row.attempts) == ("abandoned", ATTEMPTS)
        assert row.attempts <= struck + 2  # a kill may fall between our look and itself


def test_judges_die_with_a_server_that_is_killed(tmp_path: Path) -> None:
    family = Family()
    server = family.start("tests.desk.serving", {"database": str(tmp_path / "data"), "count": 2})
    assert server.stdout is not None and server.stdin is not None
    assert server.stdout.readline()
    assert len(judges_of(server.pid)) == 2
    server.kill()
    server.wait()
    server.stdin.close()
    server.stdout.close()
    assert family.left(15) == []
