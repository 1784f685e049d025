"""The line in the charts that stands where the player stands. Drawn by the browser: the player moves without Python."""

from __future__ import annotations

import streamlit as st

_JS = """
window.addEventListener("kvhotel:at", () => requestAnimationFrame(draw));

function draw() {
  const at = window.kvhotelAt ?? -1;
  for (const chart of document.querySelectorAll(".st-key-charts .js-plotly-plot")) {
    const layout = chart._fullLayout;
    if (!layout || !layout.xaxis || !layout.xaxis.d2p) continue;
    let line = chart.querySelector(":scope > .kv-cursor");
    if (!line) {
      line = document.createElement("div");
      line.className = "kv-cursor";
      chart.style.position = "relative";
      chart.append(line);
    }
    const x = layout.xaxis._offset + layout.xaxis.d2p(at + 1);
    line.style.left = `${Math.round(x)}px`;
    line.style.top = `${layout.yaxis._offset}px`;
    line.style.height = `${layout.yaxis._length}px`;
  }
}

export default function () {
  const clock = setInterval(draw, 400);  // a chart that is drawn anew, or in another width, has lost its line
  return () => clearInterval(clock);
}
"""

_cursor = st.components.v2.component("kvhotel_cursor", html="<span hidden></span>", js=_JS)


def cursor() -> None:
    _cursor(key="cursor", height=1)
