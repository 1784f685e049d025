"""A classic mistake playing its own story beside the reference, opened where they part."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from app import pages, share
from app.managers import by_mistake
from app.player.payload import payload
from app.player.player import hotel
from app.stories import stories
from app.words import lang, text
from grader.playing_paged import Look, PagedPlay, Side
from grader.replay.op import Op
from grader.words import N_

WHO = N_("The mistake")
_TENSOR_CSS = Path(__file__).parent / "screens" / "tensor.css"


def story(mistake: Any) -> None:
    """The hotel for a block manager, both sides' tables and tensors for paged attention."""
    if mistake.id in stories():
        _hotel(played(mistake.id, lang()), mistake.id)
        st.page_link(
            pages.path(pages.EXPLORE), label=text(N_("Play this mistake with another story")),
            icon=":material/travel_explore:", query_params={"story": mistake.id, "by": mistake.id},
        )  # fmt: skip
    else:
        _paged(mistake)


@st.fragment
def _hotel(data: dict[str, Any], mistake_id: str) -> None:
    hotel(data, key=f"mistake_hotel_{mistake_id}")


@cache
def played(mistake_id: str, language: str) -> dict[str, Any]:
    """What the hotel plays."""
    own = stories()[mistake_id]
    shown = by_mistake(own, mistake_id)
    assert shown.trace is not None
    return payload(
        shown.trace, lang=language, who=WHO, reference=shown.reference, after="difference",
        link=share.query(own, mistake_id, language),
    )  # fmt: skip


def _paged(mistake: Any) -> None:
    from app.report.paged_replay import steps
    from app.report.style import style

    style()
    st.html(_TENSOR_CSS)
    story, play = recorded(mistake.id)
    steps(play, int(story["block_size"]), f"mistake_paged_{mistake.id}", WHO)


@cache
def recorded(mistake_id: str) -> tuple[dict[str, Any], PagedPlay]:
    """What was seen when the mistake ran: it needs torch, looking at it does not."""
    from solutions.mistakes import PLAYED_FILE

    row = json.loads(PLAYED_FILE.read_text("utf-8"))[mistake_id]
    looks = [Look(Op(one["op"][0], tuple(one["op"][1:])), Side(**one["mine"]), Side(**one["reference"]),
                  one["answered"], one["kept"]) for one in row["looks"]]  # fmt: skip
    return row["story"], PagedPlay(tuple(looks))
