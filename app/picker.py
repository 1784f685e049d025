"""The slim row above the hotel: which story, whose manager, edit."""

from __future__ import annotations

import json

import streamlit as st

from app import pages
from app.editor import editor, toggle
from app.managers import MINE_NAME, forget, mistakes
from app.notice import notice
from app.own import last_handed_in
from app.share import MINE, REFERENCE
from app.stories import OWN, label, stories
from app.visit import HANDED, UPLOAD, Visit, story_of, turn_to
from app.words import text, words
from grader.words import N_, Say


def pick(kept: Visit) -> None:
    """Draw the row and what belongs to it; choices are kept in the visit."""
    handed = last_handed_in("p06")
    if kept["by"] == HANDED and handed is None:
        kept["by"] = REFERENCE
    seed = {"story_pick": kept["story"], "by_pick": kept["by"], "beside_pick": kept["beside"]}
    for name, value in seed.items():  # in every run: what an interrupted one seeded never reaches the browser
        st.session_state[name] = value
    say = words().text
    story, by, buttons = st.columns([4, 4, 2], vertical_alignment="bottom")
    story.selectbox(
        say(N_("Story")), [*stories(), OWN], format_func=lambda one: _capital(say(label(one))), key="story_pick",
        on_change=_story_picked, args=(kept,),
    )  # fmt: skip
    by.selectbox(
        say(N_("Whose manager")), [REFERENCE, MINE, *([HANDED] if handed else []), UPLOAD, *mistakes()],
        format_func=lambda one: say(_manager(one)), key="by_pick", on_change=_by_picked, args=(kept,),
    )  # fmt: skip
    edit = N_("Close the editor") if kept["editing"] else N_("Edit")
    buttons.button(say(edit), key="edit", on_click=toggle, args=(kept,), width="stretch", icon=":material/edit:")
    if kept["by"] != REFERENCE:
        _about(kept)
    if kept["editing"]:
        editor(kept)


def _about(kept: Visit) -> None:
    """What there is to choose beside a manager that is not the reference."""
    row = st.container(horizontal=True, vertical_alignment="center", key="about")
    row.checkbox(
        text(N_("The reference beside it")), key="beside_pick",
        on_change=lambda: kept.update(beside=st.session_state.beside_pick),
    )  # fmt: skip
    by = kept["by"]
    if by in mistakes() and by in stories() and kept["story"] != by:
        row.button(text(N_("Take this mistake's own story")), key="own_story", on_click=turn_to, args=(kept, by))
    if by in mistakes():
        row.page_link(pages.path("mistakes"), label=text(N_("About this mistake")), icon=":material/info:",
                      query_params={"mistake": by})  # fmt: skip
    elif by == MINE:
        row.button(text(N_("Run it again")), key="again", icon=":material/refresh:", on_click=forget)
    elif by == HANDED:
        row.page_link(pages.path("history"), label=text(N_("All my submissions")), icon=":material/history:")
    if not mistakes() and by not in (MINE, HANDED, UPLOAD):
        notice("info", text(N_("The solutions are not here, so there are no classic mistakes to play.")))
    if by == UPLOAD:
        upload_words()
        row_file = st.file_uploader(
            text(N_("A Python file with your BlockManager")), key="upload_file", on_change=_uploaded, args=(kept,)
        )
        if row_file is None and kept["upload"] is not None:
            notice("info", text(Say("{name} is still here.", name=kept["upload"]["name"])))
        elif kept["upload"] is None:
            notice("info", text(N_("No file yet: until there is one, the reference plays.")))


def upload_words() -> None:
    """Our words for the upload box, which frame.css puts in the place of Streamlit's English ones."""
    said = {"--kv-upload": N_("Choose a file"), "--kv-upload-limit": N_("one .py file, at most 256 KiB")}
    # json.dumps quotes as CSS does; letters stay letters.
    rules = " ".join(f"{name}: {json.dumps(text(word), ensure_ascii=False)};" for name, word in said.items())
    st.html(f"<style>:root {{ {rules} }}</style>")


def _uploaded(kept: Visit) -> None:
    file = st.session_state.upload_file
    if file is not None:
        kept["upload"] = {"name": file.name, "bytes": file.getvalue()}


def _story_picked(kept: Visit) -> None:
    chosen = st.session_state.story_pick
    if chosen not in (*stories(), OWN):  # nobody chose: the browser still had its words of before
        return
    if chosen == OWN and kept["own"] is None:
        kept["own"] = story_of(kept).to_json()
    turn_to(kept, chosen)
    if kept["editing"] or chosen == OWN:
        kept["editing"] = False
        toggle(kept)


def _by_picked(kept: Visit) -> None:
    if st.session_state.by_pick in (REFERENCE, MINE, HANDED, UPLOAD, *mistakes()):
        kept.update(by=st.session_state.by_pick, broken_link=None)


def _manager(one: str) -> str | Say:
    if one == REFERENCE:
        return N_("The reference")
    if one == MINE:
        return Say("Mine: {path}", path=MINE_NAME)
    if one == HANDED:
        return N_("Mine: what I handed in last")
    if one == UPLOAD:
        return N_("Mine: an uploaded file")
    mistake = mistakes()[one]
    return Say("Mistake {number}: {what}", number=mistake.number, what=Say(mistake.what))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
