"""What only the browser can do, asked of it by a mount without a face.

Cookies (the language, the tour that was closed), the page's language for screen readers, a part of the page to be
looked at, and a move of the player: it listens to ``kvhotel:goto`` on the window, so that its trace need not be sent
again. And a secret that only this browser keeps, by which it is known again.
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
  if (ask.look?.n && window.kvhotelLooked !== ask.look.n) {
    window.kvhotelLooked = ask.look.n;
    document.querySelector(`.st-key-${ask.look.at}`)?.scrollIntoView({ block: "start" });
  }
  if (ask.goto && window.kvhotelMoved !== ask.goto.n) {
    window.kvhotelMoved = ask.goto.n;
    window.dispatchEvent(new CustomEvent("kvhotel:goto", { detail: ask.goto }));
  }
}
"""

_ask = st.components.v2.component("kvhotel_browser", html="<span hidden></span>", js=_JS)


def ask(key: str, **what: Any) -> None:
    """Have the browser do it: ``lang="zh"``, ``cookies={name: value}``, ``goto={"op": 3, "room": None, "n": 1}``,
    ``look={"at": "card_result", "n": 1}`` (the key of a container).

    ``n`` must be another one for each move: an equal request is not carried out again.
    """
    with st.container(key=f"{key}_box"):
        _ask(key=key, data=what, height=1)


_JS_SECRET = """
const YEAR = 31536000;

/** The cookie's value if it is one of ours; of several with this name (other paths) the first that is. */
function read(name) {
  const held = document.cookie.split("; ").filter((one) => one.startsWith(`${name}=`));
  return held.map((one) => one.slice(name.length + 1)).find((value) => /^[A-Za-z0-9_-]{43}$/.test(value)) ?? "";
}

function keep(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=strict${secure}`;
}

export default function ({ data, setStateValue }) {
  const { name, fresh } = data;
  const settle = async () => {
    const value = read(name) || fresh;
    if (value) keep(name, value);  // also one that was here already: for another year
  };
  // Two tabs that open at once must end with one secret: one after the other, or, where the browser cannot do that,
  // whoever wrote last, looked up when all have written.
  const wait = () => new Promise((done) => setTimeout(done, 300));
  const settled = navigator.locks ? navigator.locks.request(name, settle) : settle().then(wait);
  if (fresh) settled.then(() => setStateValue("kept", read(name)));
}
"""

_secret = st.components.v2.component("kvhotel_secret", html="<span hidden></span>", js=_JS_SECRET)


def secret(key: str, cookie: str, fresh: str) -> str | None:
    """What the browser keeps under ``cookie``: what was there already, else ``fresh``, which is then kept for a year.

    None until the browser has answered; "" where it keeps no cookies. With an empty ``fresh`` nothing is asked, and
    what is there is kept for another year.
    """
    with st.container(key=f"{key}_box"):
        told = _secret(key=key, data={"name": cookie, "fresh": fresh}, height=1, on_kept_change=lambda: None)
    kept = told.get("kept")
    return kept if isinstance(kept, str) else None
