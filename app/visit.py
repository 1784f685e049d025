"""What this visit looks at: a story, whose manager plays it, what is being edited. Plain data, kept over page switches.

Widgets lose their state when their page is left; they are seeded from here, and their callbacks write here.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import share
from app.managers import mistake_ids
from app.stories import FIRST, OWN, stories
from grader.replay.op import Story

Visit = dict[str, Any]

#: A file that is uploaded here, as `by`.
UPLOAD = "upload"
#: What this browser handed in last, as `by`.
HANDED = "handed"


def visit() -> Visit:
    """This session's visit. A link is read once, when Explore is come to by it: the address is not kept in step."""
    asked = share.asked(st.query_params.to_dict())
    kept: Visit = st.session_state.setdefault("visit", {"upload": None})  # {"name": str, "bytes": bytes}
    if "story" not in kept or (asked and asked != kept["asked"]):
        opened = share.opened(asked, mistake_ids())
        if opened.own is not None or "own" not in kept:
            kept["own"] = None if opened.own is None else opened.own.to_json()
        kept.update(
            story=opened.story_id,
            by=opened.by,
            step=opened.step,
            beside=True,
            editing=False,
            problems=[],  # [line, column, Say as JSON]
            broken_link=None if opened.problem is None else opened.problem.to_json(),
        )
    kept["asked"] = asked
    return kept


def away() -> None:
    """Explore has been left: a link that leads back to it is read anew, even the same one."""
    if "visit" in st.session_state:
        st.session_state.visit["asked"] = {}


def story_of(kept: Visit) -> Story:
    """The story that is looked at."""
    if kept["story"] == OWN and kept["own"] is not None:
        return Story.from_json(kept["own"], id=OWN)
    return stories().get(kept["story"], stories()[FIRST])


def turn_to(kept: Visit, story_id: str) -> None:
    """Look at another story, from its beginning."""
    kept.update(story=story_id, step=None, broken_link=None)
