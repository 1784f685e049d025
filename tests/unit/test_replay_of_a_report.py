"""A failure's story played again: from stored digits to the op where the two first part."""

from __future__ import annotations

import json

import pytest

from app.player.payload import payload
from app.report.replay import nearest, opening, story_of
from grader.replay.compare import first_difference
from grader.replay.explain import READINGS
from grader.replay.op import p06_story
from grader.replay.trace import run
from grader.report import CheckResult, Failure, Report

WIDE = 2**61 - 1


def test_a_stored_story_has_its_wide_numbers_again():
    story = p06_story(4, 2, [["allocate", "a", [WIDE, -WIDE, 3]], ["allocate", WIDE, [1]], ["allocate", "12", [1]]])
    row = CheckResult("one", "acceptance", "title", "failed", failure=Failure(story=story.to_json(), step=1))
    kept = json.loads(json.dumps(Report("p06", "failed", "process", "cpu", 1.0, checks=[row]).dump()))
    assert story_of(Report.load(kept).checks[0]).ops == story.ops


def test_what_the_contract_leaves_open_is_no_difference():
    rows = [["allocate", "a", [1, 2]], ["allocate", "b", [1]], ["append_slot", "b", 2], ["free", "a"], ["free", "b"]]
    story = p06_story(4, 2, [*rows, ["allocate", "c", [9, 9, 9, 9, 9]]])
    for reading in READINGS:
        mine = run(story, reading)
        assert first_difference(mine, nearest(mine)) is None


@pytest.mark.parametrize("step", [0, 3, 5])
def test_the_player_opens_at_the_end_of_the_op(step):
    rows = [["allocate", "a", [1, 2, 3]], ["append_slot", "a", 4], ["free", "a"], ["num_free_blocks"],
            ["allocate", "b", [1, 2, 3, 4, 5]], ["free", "b"]]  # fmt: skip
    trace = run(p06_story(6, 2, rows))
    data = payload(trace, lang="en", reference=trace)
    lengths = [max(1, len(one[1])) for one in data["traces"][0]["steps"]]
    found = first_difference(trace, trace)
    assert found is None and opening(data, None, step + 1) == sum(lengths[: step + 1])
