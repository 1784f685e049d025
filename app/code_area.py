"""A text area for code: lines are numbered, Tab indents, Enter keeps the indentation, and what is typed is sent at
every pause.

Streamlit's own sends when the field is left; a reload in the middle of a line would lose it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from app.words import text
from grader.words import N_

PAUSE_MS = 600

_JS = """
const PAUSE = __PAUSE__;

/** Types `text` where the cursor is, so that it can be undone. */
function type(area, text) {
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Moves the lines of the selection one indentation in or out. */
function shift(area, out) {
  const { value, selectionStart, selectionEnd } = area;
  const begin = value.lastIndexOf("\\n", selectionStart - 1) + 1;
  const lines = value.slice(begin, selectionEnd).split("\\n");
  const moved = lines.map((line) => (out ? line.replace(/^ {1,4}/, "") : line && `    ${line}`)).join("\\n");
  area.setSelectionRange(begin, selectionEnd);
  type(area, moved);
  area.setSelectionRange(begin, begin + moved.length);
}

function pressed(area, event) {
  const bare = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
  if (event.key === "Escape") area.leave = true;  // then Tab leaves the field, as everywhere
  else if (event.key === "Tab" && bare && !area.leave) {
    event.preventDefault();
    const several = area.value.slice(area.selectionStart, area.selectionEnd).includes("\\n");
    if (event.shiftKey || several) shift(area, event.shiftKey);
    else type(area, "    ");
  } else if (event.key === "Enter" && bare && !event.shiftKey) {
    event.preventDefault();
    const line = area.value.slice(area.value.lastIndexOf("\\n", area.selectionStart - 1) + 1, area.selectionStart);
    const deeper = /:\\s*(#.*)?$/.test(line) ? "    " : "";
    type(area, `\\n${/^ */.exec(line)[0]}${deeper}`);
  } else area.leave = false;
}

/** Sends what is typed: Streamlit does so on Ctrl+Enter. */
function send(area) {
  clearTimeout(area.pause);
  if (area.unsent) area.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
  area.unsent = false;
}

/** The numbers of the lines, beside them: one element that moves with the text. Lines do not wrap, so they match. */
function number(area) {
  let side = area.numbers;
  if (!side?.isConnected) {
    side = area.numbers = document.createElement("div");
    side.className = "kv-lines";
    side.setAttribute("aria-hidden", "true");
    side.append(document.createElement("pre"));
    area.after(side);
  }
  const [pre] = side.children;
  const lines = area.value.split("\\n").length;
  if (side.lines !== lines) pre.textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\\n");
  side.lines = lines;
  side.style.height = `${area.clientHeight}px`;
  pre.style.transform = `translateY(${-area.scrollTop}px)`;
}

function attach(area) {
  if (area) number(area);  // also where another text was put into it from outside
  if (!area || area.attached) return;
  area.attached = true;
  area.spellcheck = false;
  area.autocapitalize = "off";
  area.addEventListener("keydown", (event) => pressed(area, event));
  area.addEventListener("focus", () => (area.leave = false));
  for (const moved of ["input", "scroll"]) area.addEventListener(moved, () => number(area));
  area.addEventListener("input", () => {
    area.unsent = true;
    clearTimeout(area.pause);
    area.pause = setTimeout(() => send(area), PAUSE);
  });
  for (const gone of ["pagehide", "visibilitychange"]) window.addEventListener(gone, () => send(area), true);
}

export default function ({ data }) {
  const find = () => attach(document.querySelector(`.st-key-${data.key} textarea`));
  find();
  const clock = setInterval(find, 300);  // it may be drawn later than this, or anew
  return () => clearInterval(clock);
}
""".replace("__PAUSE__", str(PAUSE_MS))

_FONT = 'font: 0.86rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace'
_CSS = f"""<style>
[class*="st-key-code_"] [data-baseweb="base-input"] {{ position: relative; }}
[class*="st-key-code_"] .stTextArea textarea {{ {_FONT}; white-space: pre; overflow-x: auto; tab-size: 4; padding-left: 3.6rem; background: light-dark(#fcfbf8, #1a1d22); }}
.kv-lines {{ position: absolute; left: 0; top: 0; width: 3.1rem; overflow: hidden; pointer-events: none; background: light-dark(#f4f2ec, #22252b); border-right: 1px solid light-dark(#e6e2d9, #2c3037); border-radius: 7px 0 0 7px; }}
.kv-lines pre {{ margin: 0; padding: 0.75rem 0.55rem 0.75rem 0; text-align: right; background: none; border: none; overflow: hidden; {_FONT}; color: light-dark(#6b6e74, #979ca5); }}
@media (max-width: 640px) {{ .kv-lines {{ width: 2.5rem; }} [class*="st-key-code_"] .stTextArea textarea {{ padding-left: 2.9rem; }} }}
</style>"""  # noqa: E501

_helper = st.components.v2.component("kvhotel_code", html="<span hidden></span>", js=_JS)


def code_area(label: str, key: str, height: int, on_change: Callable[..., None], args: tuple[Any, ...] = ()) -> str:
    """The text. Seed it as ``st.session_state[key]`` before. Mount it in a fragment: every pause in typing runs it."""
    st.html(_CSS)
    with st.container(key=f"code_{key}", gap=None):
        written = st.text_area(
            label, key=key, height=height, on_change=on_change, args=args, label_visibility="collapsed"
        )
        keys = text(N_("Tab indents. Esc, then Tab leaves the field."))
        st.html(f'<p class="kv-more">{keys}</p>')
    with st.container(key=f"browser_{key}_box"):
        _helper(key=f"browser_{key}", data={"key": key}, height=1)
    return str(written or "")
