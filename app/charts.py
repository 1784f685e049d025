"""The two charts under the player: how full the pool was, and which room was what when. Figures only, no Streamlit."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go

from app.history import CART, FREE, SHARED, USED, History
from grader.words import N_, Say

#: The colours of the hotel, readable on light and on dark; the order of stacking, from the bottom.
COLOURS = {USED: "#3b7cc4", SHARED: "#8a5cc7", CART: "#d9a02e", FREE: "rgba(140, 140, 140, 0.28)"}
NAMES = {
    USED: N_("in use"), SHARED: N_("shared"), CART: N_("on the cart"), FREE: N_("free"),
}  # fmt: skip
#: More cells than this are not clicked one by one: a click then gives the step alone.
_CELLS = 12_000
_HEIGHT = 260

Text = Callable[[str | Say], str]


def occupancy(seen: History, calls: list[str], text: Text) -> go.Figure:
    """Stacked areas over steps. A point's ``customdata`` is the number of the op it stands for, from 0 (-1: before)."""
    steps = list(range(seen.counts.shape[1]))
    figure, said = go.Figure(), [f"<b>{call}</b>" for call in ["", *calls]]
    for state, name in NAMES.items():
        shown = text(N_("free or on the cart") if state == FREE and seen.hidden is not None else name)
        said = [f"{so_far}<br>{shown}: {count}" for so_far, count in zip(said, seen.counts[state], strict=True)]
        figure.add_scatter(
            x=steps, y=seen.counts[state].tolist(), name=shown, stackgroup="all", mode="lines",
            line={"width": 0.6, "color": COLOURS[state], "shape": "hv"}, fillcolor=COLOURS[state], opacity=0.9,
            hoverinfo="skip",
        )  # fmt: skip
    total = int(seen.counts[:, 0].sum())
    figure.add_scatter(
        x=steps, y=[total / 2] * len(steps), mode="markers", marker={"size": 14, "opacity": 0}, showlegend=False,
        customdata=[[step - 1, None] for step in steps], text=said, hovertemplate="%{text}<extra></extra>",
        selected={"marker": {"opacity": 0}}, unselected={"marker": {"opacity": 0}},
    )  # fmt: skip
    frame(figure, text(N_("after op")), text(N_("rooms")))
    figure.update_layout(hovermode="x", hoverdistance=-1)
    figure.update_yaxes(range=[0, total * 1.02])
    return figure


def block_map(seen: History, calls: list[str], text: Text) -> go.Figure:
    """Every room in every step. A point's ``customdata`` is [op, room], room None where only the op was clicked."""
    blocks, columns = seen.grid.shape
    scale = [[at, COLOURS[state]] for state in range(4) for at in (state / 4, (state + 1) / 4)]
    words = [text(NAMES[state]) for state in range(4)]
    figure = go.Figure()
    figure.add_heatmap(
        x=seen.columns, y=list(range(blocks)), z=seen.grid, colorscale=scale, zmin=-0.5, zmax=3.5, showscale=False,
        xgap=1 if columns <= 60 else 0, ygap=1 if blocks <= 40 else 0, hoverinfo="skip",
    )  # fmt: skip
    labels = ["", *calls]
    points: list[list[int | None]]
    if blocks * columns <= _CELLS:
        cells = [(at, step, block) for at, step in enumerate(seen.columns) for block in range(blocks)]
        room = text(N_("room"))
        hover = [f"{room} {block} · {words[seen.grid[block, at]]}<br>{labels[step]}" for at, step, block in cells]
        points = [[step - 1, block] for _, step, block in cells]
        figure.add_scattergl(x=[cell[1] for cell in cells], y=[cell[2] for cell in cells])
    else:
        hover = [labels[step] for step in seen.columns]
        points = [[step - 1, None] for step in seen.columns]
        figure.add_scatter(x=seen.columns, y=[blocks // 2] * columns)
        figure.update_layout(hovermode="x", hoverdistance=-1)
    figure.update_traces(
        selector=1, mode="markers", marker={"size": 12, "opacity": 0}, customdata=points, text=hover,
        hovertemplate="%{text}<extra></extra>", showlegend=False, selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
    )  # fmt: skip
    frame(figure, text(N_("after op")), text(N_("room")))
    if blocks <= 12:
        figure.update_yaxes(dtick=1)
    figure.update_yaxes(autorange="reversed", range=[blocks - 0.5, -0.5])
    return figure


def frame(figure: go.Figure, x: str, y: str) -> None:
    figure.update_layout(
        height=_HEIGHT, margin={"l": 8, "r": 8, "t": 30, "b": 8}, paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)", dragmode=False, clickmode="event+select",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal", "itemclick": False},
    )  # fmt: skip
    axis = {"fixedrange": True, "showgrid": False, "zeroline": False, "rangemode": "nonnegative", "tickformat": "d"}
    figure.update_xaxes(title=x, **axis)
    figure.update_yaxes(title=y, **axis)
