"""How the verdicts went, submission by submission. A figure only, no Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from app.charts import frame
from grader.desk.submission import Submission
from grader.words import N_, Say

#: Readable on light and on dark; the shape tells the verdict as well as the colour.
_PASSED, _OTHER = ("#2e8b5b", "circle"), ("#c9524a", "x")
_DASHES = ("solid", "dot", "dash")
_HEIGHT = 220

Text = Callable[[str | Say], str]


def verdicts(done: Sequence[Submission], names: Sequence[str], times: Sequence[str], text: Text) -> go.Figure:
    """The share of the deciding checks that passed, a line an exercise. ``done`` is oldest first; ``names`` are the
    exercises in their order, ``times`` when each of ``done`` was handed in."""
    figure = go.Figure()
    for dash, exercise in zip(_DASHES, names, strict=False):
        rows = [(at, one, times[at]) for at, one in enumerate(done) if one.exercise == exercise]
        if not rows:
            continue
        marks = [_PASSED if one.verdict == "passed" else _OTHER for _, one, _ in rows]
        places = {"x": [at + 1 for at, _, _ in rows], "y": [100 * one.passed / max(1, one.total) for _, one, _ in rows]}
        line = {"color": "#7d8794", "width": 1.5, "dash": dash}
        figure.add_scatter(**places, name=exercise, mode="lines", line=line, hoverinfo="skip")
        figure.add_scatter(
            **places, mode="markers", showlegend=False,
            marker={"size": 11, "color": [mark[0] for mark in marks], "symbol": [mark[1] for mark in marks]},
            text=[_hover(one, time, text) for _, one, time in rows], hovertemplate="%{text}<extra></extra>",
        )  # fmt: skip
    frame(figure, text(N_("submission")), text(N_("checks passed, %")))
    figure.update_layout(height=_HEIGHT, showlegend=len(figure.data) > 2, hovermode="closest")
    figure.update_xaxes(range=[0.5, len(done) + 0.5], dtick=max(1, len(done) // 10))
    figure.update_yaxes(range=[-4, 104], tickvals=[0, 50, 100], showgrid=True)
    return figure


def _hover(one: Submission, time: str, text: Text) -> str:
    count = text(Say("{passed} of {all} checks", passed=one.passed, all=one.total))
    return f"<b>{one.exercise}</b> · {time}<br>{count}"
