"""The server and its judges are killed with -9 at random moments: nothing is lost, ends twice, or is left."""

from __future__ import annotations

import pytest

from grader.desk.claims import ATTEMPTS
from tests.desk import kills
from tests.desk.judging_here import needs_bubblewrap

pytestmark = [pytest.mark.slow, needs_bubblewrap]


@pytest.mark.parametrize(
    ("submissions", "count", "within_s"),
    [(20, 2, 240), pytest.param(200, 10, 900, marks=pytest.mark.full)],
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
