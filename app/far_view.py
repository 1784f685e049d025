"""The whole trace from far away, in two charts; a click in one moves the player there.

A part of the page that runs alone: neither the story nor the player is touched by a click.
"""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from app import browser
from app.charts import block_map, occupancy
from app.cursor import cursor
from app.history import history
from app.words import text
from grader.replay.trace import Trace
from grader.words import N_

_CONFIG = {"displayModeBar": False, "scrollZoom": False}


@st.fragment
def far_view(trace: Trace) -> None:
    """Draw the charts of ``trace``."""
    figures = _figures(trace)
    with st.container(key="charts"):
        left, right = st.columns(2)
        for place, name, title, figure, alt in (
            (left, "occupancy", N_("How full the hotel was"), figures[0], N_("Rooms in each state after each op")),
            (right, "map", N_("Every room in every step"), figures[1], N_("The state of each room after each op")),
        ):
            with place.container(border=True, key=f"card_{name}"):
                st.html(f'<h2 class="kv-head">{text(title)}</h2>')
                st.plotly_chart(
                    figure, key=f"chart_{name}", on_select=_chosen, selection_mode="points", config=_CONFIG,
                    alt=text(alt),
                )  # fmt: skip
        st.html(f'<p class="kv-more">{text(N_("Click in a chart and the player goes there."))}</p>')
    cursor()
    move = st.session_state.get("move")
    if move is not None:
        browser.ask("browser_move", goto=move)


def _figures(trace: Trace) -> tuple[Any, Any]:
    """Made once for a trace and a language: a chart that is made anew is drawn anew."""
    state, lang = st.session_state, st.session_state.lang
    if "figures" not in state or state.figures[0] is not trace or state.figures[1] != lang:
        seen, calls = history(trace), [step.op.call() for step in trace.steps]
        calls = [escape(call if len(call) < 60 else call[:59] + "…", quote=False) for call in calls]
        state.figures = (trace, lang, (occupancy(seen, calls, text), block_map(seen, calls, text)))
        state.pop("clicked", None)
    made: tuple[Any, Any] = state.figures[2]
    return made


def _chosen() -> None:
    """A point was clicked, or clicked again, which takes the mark off it: both times the player goes there."""
    state = st.session_state
    clicked = state.setdefault("clicked", {})
    for name in ("chart_occupancy", "chart_map"):
        points = [list(point["customdata"]) for point in (state[name].selection.points if name in state else [])]
        last = clicked.get(name, [])
        if points != last:
            clicked[name] = points
            op, room = (points or last)[-1]
            n = (state.get("move") or {"n": 0})["n"] + 1
            state.move = {"op": op, "room": room, "n": n}
