"""Where the links of a lesson lead. A claim leads to the hotel, at the op after which it holds.

``#STORY/OP`` behind a link is for the page's own script: if that story's player stands on the page, it moves there
instead of opening another tab.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import accumulate
from urllib.parse import urlencode

from app import pages, share
from app.stories import stories
from grader.lesson.claims import in_the_hotel
from grader.lesson.data import Lesson
from grader.lesson.text import links, replace
from grader.replay.op import Story
from grader.replay.record import to_json
from grader.replay.trace import run

ADDRESSES = {name.replace("_", "-"): address or "." for name, address, _ in pages.SCREENS}


def linked(text: str, lesson: Lesson, lang: str) -> str:
    """The Markdown of a passage with links that a browser can follow; what leads nowhere is plain text."""
    found = {f"{link.kind}:{link.to}": _address(link.kind, link.to, lesson, lang) for link in links(text)}
    return replace(text, found)


def plain(text: str) -> str:
    """Without any link: for labels."""
    return replace(text, {f"{link.kind}:{link.to}": "" for link in links(text)})


def _address(kind: str, to: str, lesson: Lesson, lang: str) -> str:
    if kind in ("ref", "story"):
        story_id, _, rest = to.partition("/")
        op = rest.partition("/")[0] or "0"
        return _explore(story_id, int(op), lesson, lang) if story_id in lesson.stories and op.isdecimal() else ""
    if kind == "page":
        return learn(lesson.exercise, to, lang)
    if kind == "question":
        return f"{learn(lesson.exercise, lesson.places.get(to, ''), lang)}&at={to}"
    if kind == "mistake":
        return f"mistakes?{urlencode({'mistake': to, 'lang': lang})}"
    if kind == "screen":
        return f"{ADDRESSES[to]}?{urlencode({'exercise': lesson.exercise, 'lang': lang})}"
    return f"{kind}:{to}"


def learn(exercise: str, page: str, lang: str) -> str:
    """The address of a page of a lesson."""
    return f"learn?{urlencode({'exercise': exercise, 'page': page, 'lang': lang})}"


def _explore(story_id: str, op: int, lesson: Lesson, lang: str) -> str:
    found = in_the_hotel(lesson.exercise, lesson.stories[story_id], op)
    if found is None:
        return ""
    story, op = found
    query = share.query(named(story), share.REFERENCE, lang)
    return "" if query is None else f"explore?{query}&step={start(story, op)}#{story_id}/{op}"


def named(story: Story) -> Story:
    """The story as Explore knows it, where it does: its own are linked by name."""
    return stories().get(story.id, story)


def start(story: Story, op: int) -> int:
    """The step of the player at which op number ``op`` is over (0: the beginning)."""
    return _starts(json.dumps(story.to_json()))[op]


@lru_cache(maxsize=256)
def _starts(text: str) -> list[int]:
    steps = to_json(run(Story.from_json(json.loads(text))))["steps"]
    return [0, *accumulate(max(1, len(events)) for _, events, *_ in steps)]
