"""The figures of a lesson: the hotel, charts, the tensor's pictures. All of them are made of real traces."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app import share
from app.charts import COLOURS, NAMES, block_map, occupancy
from app.history import history
from app.learn.links import named
from app.managers import by_mistake, by_reference, mistakes
from app.paged import Sizes, decode, gathered, prefill
from app.player.payload import payload
from app.player.player import hotel
from app.tensor_view import decode_picture, gather_picture, prefill_picture
from app.words import lang, text
from grader.lesson.data import Figure, Lesson
from grader.replay.op import Story
from grader.words import N_

_CHARTS = {"pool": N_("Rooms in each state after each op"), "map": N_("The state of each room after each op")}
_CONFIG = {"displayModeBar": False, "scrollZoom": False}
_MISSING = N_("The mistake is not here, it lies in solutions/: the reference plays in its place.")
_TENSOR_CSS = Path(__file__).parent.parent / "screens" / "tensor.css"


def figure(what: Figure, lesson: Lesson, key: str) -> None:
    """Draw a player, a chart or a tensor's picture."""
    if what.name == "player":
        _player(what, lesson, key)
    elif what.name == "chart":
        _chart(what, lesson, key)
    elif what.name == "tensor":
        _tensor(what, key)


def _player(what: Figure, lesson: Lesson, key: str) -> None:
    """The script of the page finds it by its story, which stands in the key of its place."""
    story = lesson.stories[what.args["story"]]
    by = what.args.get("by", share.REFERENCE)
    with st.container(key=f"player_{story.id}__{key}"):
        _hotel(_payload(_Known(_titled(story, lesson)), by, what.number("op", 0), lang()), f"hotel_{key}")


@st.fragment
def _hotel(data: dict[str, Any], key: str) -> None:
    hotel(data, key=key)


class _Known:
    """A story as a key: equal stories of one title are one."""

    def __init__(self, story: Story) -> None:
        self.story, self.text = story, (str(story.to_json()), story.title)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.text == other.text


@lru_cache(maxsize=128)
def _payload(known: _Known, by: str, op: int, lang: str) -> dict[str, Any]:
    story = known.story
    there = by in mistakes()
    shown = by_mistake(story, by) if there else by_reference(story)
    assert shown.trace is not None
    missing = "" if there or by == share.REFERENCE else _MISSING
    by = by if there else share.REFERENCE
    link = share.query(named(story), by, lang)
    after = None if op == 0 else op - 1
    return payload(shown.trace, lang=lang, who=shown.who, reference=shown.reference, link=link, after=after, inset=True,
                   notice=missing)  # fmt: skip


def _titled(story: Story, lesson: Lesson) -> Story:
    """The lesson's own stories have their titles in both languages themselves."""
    words = lesson.own.get(story.id)
    return story if words is None else replace(story, title=words.of(lang()))


def _chart(what: Figure, lesson: Lesson, key: str) -> None:
    story, kind = lesson.stories[what.args["story"]], what.args["kind"]
    with st.container(key=f"chart_{key}", gap=None):
        if kind == "map":  # it has no legend of its own
            keys = (f'<span><i style="background: {COLOURS[state]}"></i>{escape(text(name))}</span>'
                    for state, name in NAMES.items())  # fmt: skip
            st.html(f'<p class="lesson-legend">{"".join(keys)}</p>')
        st.plotly_chart(_drawn(_Known(story), kind, lang()), key=f"plot_{key}", config=_CONFIG, alt=text(_CHARTS[kind]))


@lru_cache(maxsize=32)
def _drawn(known: _Known, kind: str, lang: str) -> Any:
    trace = by_reference(known.story).trace
    assert trace is not None
    calls = [escape(call if len(call) < 60 else call[:59] + "…", quote=False)
             for call in (step.op.call() for step in trace.steps)]  # fmt: skip
    return (occupancy if kind == "pool" else block_map)(history(trace), calls, text)


def _tensor(what: Figure, key: str) -> None:
    default = Sizes()
    sizes = Sizes(
        what.number("num_blocks", default.num_blocks),
        what.number("block_size", default.block_size),
        what.number("head_dim", default.head_dim),
        what.number("prompt", default.prompt),
        what.number("steps", 0),
        bool(what.number("mixed", 1)),
    )
    mission = what.args["mission"]
    with st.container(border=True, key=f"card_tensor_{key}"):
        st.html(_TENSOR_CSS)
        if mission == "prefill":
            st.html(prefill_picture(sizes, prefill(sizes)))
        elif mission == "decode":
            st.html(decode_picture(sizes, decode(sizes)))
        else:
            st.html(gather_picture(sizes, *gathered(sizes)))
