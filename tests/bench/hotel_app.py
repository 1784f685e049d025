"""What the hotel's bench looks at: the player, the same grid as a plain Plotly chart that is drawn by a rerun, and the
long trace. ``?what=player|plotly|long&rooms=8``."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from app.history import history
from app.player.payload import Payload, payload
from app.player.player import hotel
from grader.replay.trace import Trace, run
from tests.bench.traffic import traffic


@st.cache_resource
def trace(what: str, rooms: int) -> Trace:
    """The long trace, or 120 ops on a pool of ``rooms``."""
    if what == "long":
        return run(traffic())
    return run(traffic(120, rooms, 32 if rooms < 64 else 16))


@st.cache_resource
def sent(what: str, rooms: int) -> Payload:
    return payload(trace(what, rooms), lang="en", who="the reference")


@st.cache_resource
def grids(rooms: int) -> list[np.ndarray]:
    """The state of each room after each op, as a square."""
    seen = history(trace("plotly", rooms))
    wide = int(rooms**0.5)
    return [column.reshape(-1, wide) if rooms % wide == 0 else column.reshape(2, -1) for column in seen.grid.T]


def chart(rooms: int) -> None:
    """The grid after op n as a heatmap with the rooms' numbers; the button draws the next one."""
    st.session_state.setdefault("n", 60)
    st.button("Next", on_click=lambda: st.session_state.update(n=st.session_state.n + 1))
    grid = grids(rooms)[st.session_state.n]
    numbers = np.arange(rooms).reshape(grid.shape)
    figure = go.Figure(go.Heatmap(z=grid[::-1], text=numbers[::-1], texttemplate="%{text}", zmin=0, zmax=3))
    figure.update_layout(title=f"step {st.session_state.n}", height=600)
    st.plotly_chart(figure, key="grid")


@st.fragment
def player(what: str, rooms: int) -> None:
    hotel(sent(what, rooms), key="hotel")


st.set_page_config(layout="wide")
asked = st.query_params
rooms = int(asked.get("rooms", "64"))
if asked.get("what") == "plotly":
    chart(rooms)
else:
    player(asked.get("what", "player"), rooms)
