"""The player inside Streamlit: a component that is sent a payload once and then plays by itself."""

from __future__ import annotations

import streamlit as st

from app.player.page import COMPONENT, CSS, JS
from app.player.payload import Payload

_mount = st.components.v2.component("kv_hotel", html=COMPONENT, css=CSS, js=JS)


def hotel(payload: Payload, *, key: str) -> None:
    """Show the player. Moves cost no rerun; the same payload again sends nothing.

    In the browser it listens on ``window`` for ``kvhotel:goto`` ``{op, room}``, and tells ``kvhotel:at`` ``{op}`` when
    it has come to another op. Mount it in a fragment of its own.
    """
    _mount(key=key, data=payload)
