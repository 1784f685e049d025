"""One's own story: ops as text, the pool's size; what cannot be read is said by line and column."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app.notice import notice
from app.pools import MAX_BLOCK_SIZE, MAX_BLOCKS
from app.stories import OWN
from app.visit import Visit, story_of, turn_to
from app.words import text
from grader.replay.form import SYNTAX, write
from grader.replay.op import Story, p06_story
from grader.replay.text import parse
from grader.words import N_, Say

KNOWN = "allocate a [1 2 3] · append a 4 · free a · slot a 0 · cached a · num_free_blocks · can_allocate 5"
_SHOWN = 5
_MOST_TEXT = 2_000_000
_FIELDS = ("ed_text", "ed_blocks", "ed_size", "ed_cache")


def open_with(kept: Visit, story: Story) -> None:
    """Lay ``story`` into the editor and open it."""
    kept["draft"] = {
        "ed_text": write(story.ops),
        "ed_blocks": int(story.params["num_blocks"]),
        "ed_size": int(story.params["block_size"]),
        "ed_cache": bool(story.params["enable_prefix_cache"]),
    }
    for name in _FIELDS:
        st.session_state[name] = kept["draft"][name]
    kept.update(editing=True, problems=[])


def close(kept: Visit) -> None:
    kept.update(editing=False, problems=[])


def editor(kept: Visit) -> None:
    """The form. Its story is played once all of it can be read; until then the last good one stays."""
    draft: dict[str, Any] = kept["draft"]
    for name in _FIELDS:
        if name not in st.session_state:
            st.session_state[name] = draft[name]
    with st.form("editor"):
        left, right = st.columns([3, 1])
        left.text_area(text(N_("Operations")), key="ed_text", height=230, max_chars=_MOST_TEXT)
        left.html(f'<p class="kv-more">{text(SYNTAX)} <code>{KNOWN}</code></p>')
        right.number_input(text(N_("Rooms in the pool")), 1, MAX_BLOCKS, key="ed_blocks")
        right.number_input(text(N_("Beds in a room")), 1, MAX_BLOCK_SIZE, key="ed_size")
        right.checkbox(text(N_("Prefix cache")), key="ed_cache")
        buttons = st.container(horizontal=True)
        buttons.form_submit_button(
            text(N_("Play this story")), type="primary", key="ed_play", on_click=_submit, args=(kept,)
        )
        buttons.form_submit_button(text(N_("Close")), key="ed_close", on_click=close, args=(kept,))
    _problems(kept)


def _submit(kept: Visit) -> None:
    kept["draft"] = {name: st.session_state[name] for name in _FIELDS}
    written = kept["draft"]["ed_text"]
    parsed = parse(written)
    problems = [[line, column, say.to_json()] for line, column, say in parsed.problems]
    if not problems and not parsed.ops:
        problems = [[1, 1, Say("there is no op yet: write {example}", example="allocate a [1 2 3]").to_json()]]
    kept["problems"] = problems
    if problems:
        return
    rows = [op.to_json() for op in parsed.ops]
    draft = kept["draft"]
    kept["own"] = p06_story(draft["ed_blocks"], draft["ed_size"], rows, draft["ed_cache"]).to_json()
    turn_to(kept, OWN)
    st.session_state.story_pick = OWN


def _problems(kept: Visit) -> None:
    lines = kept["draft"]["ed_text"].splitlines()
    for line, column, say in kept["problems"][:_SHOWN]:
        where = Say("Line {line}, column {column}: {problem}", line=line, column=column, problem=Say.from_json(say))
        written = lines[line - 1] if line <= len(lines) else ""
        begin = max(0, column - 60)
        mark = f"{written[begin : column + 40]}\n{' ' * (column - 1 - begin)}^"
        notice("error", text(where), code=mark)
    more = len(kept["problems"]) - _SHOWN
    if more > 0:
        notice("info", text(Say("And {n} more line.", plural="And {n} more lines.", n=more)))


def toggle(kept: Visit) -> None:
    """What the button Edit does."""
    if kept["editing"]:
        close(kept)
    else:
        open_with(kept, story_of(kept))
