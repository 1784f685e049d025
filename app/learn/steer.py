"""What the browser does on a lesson's page: claims move a player that stands there, links within the app stay in it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from app import pages

#: A claim's address ends in #STORY/OP. The player of a story stands in a place whose key begins with its id.
_JS = """
const scroller = () => document.querySelector('[data-testid="stMain"]') ?? document.scrollingElement;

function player(story) {
  const start = `st-key-player_${story.replace(/[^A-Za-z0-9_-]/g, "-")}__`;
  for (const place of document.querySelectorAll(`[class*="${start}"]`)) {
    for (const node of place.querySelectorAll("*")) {
      const root = node.shadowRoot?.querySelector(".kvh") ?? (node.matches(".kvh") ? node : null);
      if (root?.player) return { place, player: root.player };
    }
  }
  return null;
}

// What stands above it may still be drawn and push it away, so it is brought into view more than once.
function seek(place, times) {
  const node = document.querySelector(place);
  if (node) node.scrollIntoView({ block: "center" });
  if (times && !(node && times < 14)) setTimeout(() => seek(place, times - 1), 150);
}

// Streamlit sends a text when its field is left, or on Ctrl+Enter; a reload would lose what was typed last.
const OWN = '.st-key-lesson_page [class*="st-key-text_"] textarea';
let pause = 0;
function typed(event) {
  const area = event.target;
  if (!area.matches?.(OWN)) return;
  const enter = new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true });
  clearTimeout(pause);
  pause = setTimeout(() => area.dispatchEvent(enter), 600);
}

// Ctrl+Enter by hand: Streamlit sends the text, and the button below it is pressed.
function pressed(event) {
  const area = event.target;
  if (!event.isTrusted || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  if (!area.matches?.(OWN) || !area.value.trim()) return;
  clearTimeout(pause);
  const place = area.closest('[class*="st-key-question_"]');
  setTimeout(() => place?.querySelector('[class*="st-key-show_"] button')?.click(), 50);
}

export default function ({ data, setTriggerValue }) {
  const follow = (event) => {
    const link = event.target.closest?.(".st-key-lesson_page a[href]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin) return;
    const [, story, op] = url.hash.match(/^#(.+)\\/(\\d+)$/) ?? [];
    const found = story && player(decodeURIComponent(story));
    if (found) {
      event.preventDefault();
      found.player.goto({ op: Number(op) - 1, room: null });
      found.place.scrollIntoView({ behavior: "smooth", block: "nearest" });
      found.place.animate([{ outline: "3px solid #d9a02e" }, { outline: "3px solid transparent" }], 1200);
    } else if (!story && link.hasAttribute("href")) {
      event.preventDefault();
      setTriggerValue("go", url.pathname.split("/").pop() + url.search);
    }
  };
  document.addEventListener("click", follow, true);
  document.addEventListener("input", typed, true);
  document.addEventListener("keydown", pressed, true);
  if (data.turns && window.kvhotelTurns !== data.turns) {
    window.kvhotelTurns = data.turns;
    if (data.to) seek(`.st-key-question_${data.to}`, 20);
    else scroller().scrollTo({ top: 0 });
  }
  return () => {
    document.removeEventListener("click", follow, true);
    document.removeEventListener("input", typed, true);
    document.removeEventListener("keydown", pressed, true);
  };
}
"""

_mount = st.components.v2.component("kvhotel_lesson", html="<span hidden></span>", js=_JS)


def turn(to: str = "") -> None:
    """Let the page be read from its beginning, or from the question ``to``."""
    st.session_state.lesson_turns = {"turns": st.session_state.get("lesson_turns", {}).get("turns", 0) + 1, "to": to}


def follow() -> None:
    """Listen; and go where a link led."""
    with st.container(key="browser_lesson_box"):
        told: Any = _mount(key="browser_lesson", data=st.session_state.get("lesson_turns", {}), height=1,
                           on_go_change=lambda: None)  # fmt: skip
    asked = told.get("go")
    if not isinstance(asked, str):
        return
    parts = urlsplit(asked)
    query = {name: values[-1] for name, values in parse_qs(parts.query).items() if name != "lang"}
    file = next((name for name, address, _ in pages.SCREENS if address == parts.path), None)
    if file == "learn":
        turn(query.pop("at", ""))
        st.query_params.from_dict(query)
        st.rerun()
    elif file is not None:
        st.switch_page(pages.path(file), query_params=query)
