"""Every named story of p06, in the order of a tour."""

from __future__ import annotations

from grader.exercises.p06.stories_engines import ENGINE_STORIES
from grader.exercises.p06.stories_mistakes import MISTAKE_STORIES
from grader.exercises.p06.stories_worked import WORKED_STORIES
from grader.replay.op import Story

STORIES: list[Story] = [*WORKED_STORIES, *MISTAKE_STORIES, *ENGINE_STORIES]
