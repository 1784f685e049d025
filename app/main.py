"""The frame of every screen: the names of the screens, the language, the look."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import browser, pages, person, share, visit
from app.words import COOKIE, NAMES, lang, text
from grader.words import LANGUAGES, N_

HERE = Path(__file__).parent

st.set_page_config(page_title="KV Hotel", page_icon="🏨", layout="wide")
st.html(HERE / "frame.css")


def _switched() -> None:
    if st.session_state.lang_switch in LANGUAGES:
        st.session_state.lang = st.session_state.lang_switch


def _language() -> None:
    st.session_state.lang_switch = lang()
    with st.container(key="lang_box"):
        st.segmented_control(
            text(N_("Language")), LANGUAGES, format_func=NAMES.__getitem__, key="lang_switch", on_change=_switched,
            label_visibility="collapsed", required=True,
        )  # fmt: skip
    browser.ask("browser_lang", lang=lang(), cookies={COOKIE: lang()})


screens = {
    name: st.Page(pages.FOLDER / f"{name}.py", title=text(title), url_path=address, default=not address)
    for name, address, title in pages.SCREENS
}
st.logo(HERE / "logo.svg", size="large")
page = st.navigation(list(screens.values()), position="top")
asked = share.asked(st.query_params.to_dict())
if page is screens[pages.HOME] and asked:  # a link from before Explore had an address of its own
    st.switch_page(screens[pages.EXPLORE], query_params=st.query_params.to_dict())
if page is not screens[pages.EXPLORE]:
    visit.away()
_language()
person.meet()
page.run()
