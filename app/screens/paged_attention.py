"""Paged attention: the tensor side, three missions with sizes of one's own."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app.notice import notice
from app.paged import Sizes, decode, gathered, prefill
from app.tensor_view import decode_picture, gather_picture, prefill_picture
from app.words import text, words
from grader.words import N_, Say

MISSIONS = {"prefill": N_("1. Prefill"), "decode": N_("2. Decode"), "gather": N_("3. Gather")}
ABOUT = {
    "prefill": N_("A prompt arrives: how many blocks, and are there enough? One check, then they move."),
    "decode": N_("A token is generated: the length first, then a new block only if this token opens one."),
    "gather": N_("Attention wants one tensor: blocks in the order of the table, joined, the unused tail cut off."),
}
#: name, label, least, most, and the missions in which it matters.
FIELDS = (
    ("prompt", N_("Tokens of the prompt"), 1, 64, ("prefill", "decode", "gather")),
    ("steps", N_("Tokens decoded after it"), 0, 24, ("decode", "gather")),
    ("block_size", N_("block_size"), 1, 16, ("prefill", "decode", "gather")),
    ("num_blocks", N_("num_blocks"), 1, 64, ("prefill", "decode", "gather")),
    ("head_dim", N_("head_dim"), 1, 256, ("gather",)),
)


def show() -> None:
    st.html(Path(__file__).with_name("tensor.css"))
    kept = st.session_state.setdefault("l22", {"mission": "prefill", **Sizes()._asdict()})
    mission = _mission(kept)
    sizes = _sizes(kept, mission)
    with st.container(border=True, key="card_l22"):
        _picture(mission, sizes)
    _grade(mission)


def _mission(kept: dict[str, object]) -> str:
    # In every run, as below: what an interrupted one seeded never reaches the browser.
    st.session_state.l22_mission = st.session_state.get("l22_mission") or kept["mission"]
    st.segmented_control(
        text(N_("Mission")), list(MISSIONS), format_func=lambda one: words().text(MISSIONS[one]), key="l22_mission",
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    kept["mission"] = mission = str(st.session_state.l22_mission)
    st.html(f"<p>{text(ABOUT[mission])}</p>")
    return mission


def _sizes(kept: dict[str, object], mission: str) -> Sizes:
    row = st.container(horizontal=True)
    for name, label, least, most, missions in FIELDS:
        if mission not in missions:
            continue
        key = f"l22_{name}"
        st.session_state[key] = st.session_state.get(key, kept[name])
        kept[name] = int(row.number_input(text(label), least, most, key=key, width=168))
    st.session_state.l22_mixed = st.session_state.get("l22_mixed", kept["mixed"])
    kept["mixed"] = st.checkbox(text(N_("A pool that has been in use: its ids are in no order")), key="l22_mixed")
    return Sizes(**{name: kept[name] for name in Sizes._fields})  # type: ignore[arg-type]


def _picture(mission: str, sizes: Sizes) -> None:
    start = prefill(sizes)
    if mission == "prefill":
        st.html(prefill_picture(sizes, start))
    elif not start.fits:
        say = Say(
            "The prompt needs {n} blocks and the pool has {all}: choose other sizes.",
            n=start.needed,
            all=sizes.num_blocks,
        )
        notice("info", text(say))
    elif mission == "decode":
        if sizes.steps:
            st.html(decode_picture(sizes, decode(sizes)))
        else:
            notice("info", text(N_("No token is decoded yet: raise the second number.")))
    else:
        st.html(gather_picture(sizes, *gathered(sizes)))


def _grade(mission: str) -> None:
    say = Say("Your own: {path}, graded by", path="mine/l22_paged_attention.py")
    st.html(f'<p class="kv-more">{text(say)} <code>./check.sh l22 --only {mission}</code></p>')


show()
