"""The stories that p06's lesson may speak of beside the named ones."""

from __future__ import annotations

from grader.exercises.p06.evening import busy_evening
from grader.replay.op import Story


def more_stories() -> list[Story]:
    return [busy_evening()]
