"""The stories one can choose from, by id, with the words they are listed under."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grader.exercises.p06.evening import busy_evening
from grader.exercises.p06.stories_engines import ENGINE_STORIES
from grader.exercises.p06.stories_mistakes import MISTAKE_STORIES
from grader.exercises.p06.stories_worked import WORKED_STORIES
from grader.replay.op import Story
from grader.words import N_, Say

OWN = "own"
FIRST = "worked-2"


@cache
def stories() -> Mapping[str, Story]:
    """Every story, in the order of a tour. The same for everyone."""
    rows = [*WORKED_STORIES, busy_evening(), *MISTAKE_STORIES, *ENGINE_STORIES]
    return {story.id: story for story in rows}


@cache
def _places() -> Mapping[str, tuple[str, int]]:
    groups = {"mistake": MISTAKE_STORIES, "engine": ENGINE_STORIES}
    return {story.id: (kind, at) for kind, rows in groups.items() for at, story in enumerate(rows, start=1)}


def label(story_id: str) -> str | Say:
    """How the story stands in a list."""
    if story_id == OWN:
        return N_("Your own story")
    title = Say(stories()[story_id].title)
    kind, number = _places().get(story_id, ("", 0))
    if kind == "mistake":
        return Say("mistake {number}: {title}", number=number, title=title)
    if kind == "engine":
        return Say("engine bug {number}: {title}", number=number, title=title)
    return title


def one_line(story: Story) -> str | Say:
    """What it is about, in one line."""
    if story.note:
        return story.note
    if story.id in stories():
        return N_("From a public bug report of a real engine, boiled down to a few ops.")
    return ""
