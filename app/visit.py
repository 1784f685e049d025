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


def visit() -> Visit:
    """This session's visit. At its first run the link is read, and never again: the address is not kept in step."""
    if "visit" not in st.session_state:
        opened = share.opened(st.query_params.to_dict(), mistake_ids())
        st.session_state.visit = {
            "story": opened.story_id,
            "own": None if opened.own is None else opened.own.to_json(),
            "by": opened.by,
            "upload": None,  # {"name": str, "bytes": bytes}
            "step": opened.step,
            "beside": True,
            "editing": False,
            "problems": [],  # [line, column, Say as JSON]
            "broken_link": None if opened.problem is None else opened.problem.to_json(),
        }
    found: Visit = st.session_state.visit
    return found


def story_of(kept: Visit) -> Story:
    """The story that is looked at."""
    if kept["story"] == OWN and kept["own"] is not None:
        return Story.from_json(kept["own"], id=OWN)
    return stories().get(kept["story"], stories()[FIRST])


def turn_to(kept: Visit, story_id: str) -> None:
    """Look at another story, from its beginning."""
    kept.update(story=story_id, step=None, broken_link=None)
