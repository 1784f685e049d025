"""The trace from far away: what the charts count is what the states say, at every step."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from app.charts import block_map, occupancy
from app.history import CART, FREE, SHARED, USED, history
from grader.exercises.p06.evening import busy_evening
from grader.exercises.p06.stories import STORIES
from grader.replay.picture import picture
from grader.replay.trace import run
from grader.replay.watch import from_replies
from tests.unit.replaying import P06, manager, mistaken, play, steady, stories, story_of

WORDS = {"free": FREE, "used": USED, "shared": SHARED, "cart": CART}


def by_picture(state) -> list[int]:
    return [WORDS[room["state"]] for room in picture(state)["rooms"]]


def agrees(trace) -> None:
    seen = history(trace)
    for index, state in enumerate(trace.states(), start=1):
        expected = by_picture(state)
        assert seen.grid[:, index].tolist() == expected
        assert seen.counts[:, index].tolist() == [expected.count(kind) for kind in range(4)]


@steady
@given(stories())
def test_the_map_is_the_hotels_own(story):
    agrees(run(story))


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_also_for_a_manager_that_goes_wrong(mistake):
    story = story_of(mistake)
    agrees(from_replies(story, *play(mistaken(mistake.id), story)))


def test_from_outside_what_is_idle_is_not_told_apart():
    story = STORIES[1]
    results, _ = play(manager(), story)
    views = [{"public": state.view()} for state in run(story).states()]
    seen = history(from_replies(story, results, [{"public": None}, *views]))
    assert seen.hidden == 0
    assert seen.counts[:, 3].tolist() == [4, 2, 2, 0]
    assert seen.counts[CART].sum() == 0


def test_a_long_trace_keeps_every_count_and_few_columns():
    trace = run(busy_evening())
    seen = history(trace, most_columns=40)
    assert seen.counts.shape == (4, 201) and seen.grid.shape == (32, len(seen.columns)) and len(seen.columns) <= 42
    assert seen.columns[0] == 0 and seen.columns[-1] == 200
    assert (seen.counts.sum(axis=0) == 32).all()
    full = history(trace)
    assert np.array_equal(seen.grid, full.grid[:, seen.columns])


@pytest.mark.parametrize("most_columns", [600, 40])
def test_every_point_of_a_chart_knows_its_op(most_columns):
    trace = run(busy_evening())
    seen, calls = history(trace, most_columns), [step.op.call() for step in trace.steps]
    overlay = occupancy(seen, calls, str).data[-1]
    assert [point[0] for point in overlay.customdata] == list(range(-1, 200))
    overlay = block_map(seen, calls, str).data[-1]
    assert {(point[0] + 1, point[1]) for point in overlay.customdata} == {
        (step, room) for step in seen.columns for room in range(32)
    }


def test_on_a_large_map_a_click_gives_the_step_alone():
    story = STORIES[1]
    large = type(story)({**story.params, "num_blocks": 1024}, story.ops)
    overlay = block_map(history(run(large)), [""] * 12, str).data[-1]
    assert [list(point) for point in overlay.customdata] == [[step, None] for step in range(-1, 12)]
