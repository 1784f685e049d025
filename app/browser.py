"""What only the browser can do, asked of it by a mount without a face.

Cookies (the language, the tour that was closed), the page's language for screen readers, and a move of the player: it
listens to ``kvhotel:goto`` on the window, so that its trace need not be sent again.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

_JS = """
export default function ({ data }) {
  const ask = data || {};
  if (ask.lang) document.documentElement.lang = ask.lang === "zh" ? "zh-CN" : ask.lang;
  for (const [name, value] of Object.entries(ask.cookies || {}))
    document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax`;
  if (ask.goto && window.kvhotelMoved !== ask.goto.n) {
    window.kvhotelMoved = ask.goto.n;
    window.dispatchEvent(new CustomEvent("kvhotel:goto", { detail: ask.goto }));
  }
}
"""

_ask = st.components.v2.component("kvhotel_browser", html="<span hidden></span>", js=_JS)


def ask(key: str, **what: Any) -> None:
    """Have the browser do it: ``lang="zh"``, ``cookies={name: value}``, ``goto={"op": 3, "room": None, "n": 1}``.

    ``n`` must be another one for each move: an equal request is not carried out again.
    """
    with st.container(key=f"{key}_box"):
        _ask(key=key, data=what, height=1)
