"""Home: what this is in one picture, three ways to start, the exercises with one's own state."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from app import pages
from app.front.stage import stage
from app.own import Own, own_state
from app.words import text
from grader.checklist import checklist
from grader.exercise import Exercise, discover
from grader.words import N_, Say

_CSS = Path(__file__).with_suffix(".css")
#: screen, icon, what it is called here, what one does there
WAYS = (
    (pages.EXPLORE, ":material/play_circle:", N_("Watch"),
     N_("Play a day in the hotel event by event. Guess first, write your own, set a mistake beside the reference.")),
    ("learn", ":material/school:", N_("Build"),
     N_("From the idea to your own block manager: short lessons, guesses, hints, and code that runs as you go.")),
    ("submit", ":material/upload_file:", N_("Submit"),
     N_("Hand in your file, see which checks it passes, and replay what failed.")),
)  # fmt: skip


def show() -> None:
    st.html(_CSS)
    with st.container(key="hero"):
        with st.container(key="hero_words"):
            _words()
        with st.container(key="hero_picture"):
            stage()
        with st.container(key="hero_ways"):
            for way in WAYS:
                _way(*way)
    st.html(f'<h2 class="kvo-head">{escape(text(N_("The exercises")))}</h2>')
    found = list(discover().values())
    for column, exercise in zip(st.columns(len(found), gap="medium"), found, strict=True):
        with column, st.container(border=True, key=f"card_exercise_{exercise.id}", height="stretch"):
            _exercise(exercise)


def _words() -> None:
    title = N_("How a language model server remembers")
    lead = N_(
        "What a model has read is kept in blocks of GPU memory. PagedAttention's block manager decides who gets one, "
        "what is shared, and what is given up. Watch it at work as a hotel, build your own, and have it graded."
    )
    st.html(f'<h1 class="kvo-title">{escape(text(title))}</h1><p class="kvo-lead">{escape(text(lead))}</p>')


def _way(screen: str, icon: str, name: str, what: str) -> None:
    with st.container(key=f"way_{screen}"):
        st.page_link(pages.path(screen), label=text(name), icon=icon, width="stretch")
        st.html(f'<p class="kvo-way">{escape(text(what))}</p>')


def _exercise(exercise: Exercise) -> None:
    own, rows = own_state(exercise), checklist(exercise)
    stars = sum(info.group == "stretch" for info in rows)
    about = Say("{checks} checks decide, {stars} stars", checks=len(rows) - stars, stars=stars)
    st.html(
        f'<h3 class="kvo-exercise">{escape(text(exercise.title))}</h3>'
        f'<p class="kvo-file"><code>{escape(exercise.file)}</code> · {escape(text(about))}</p>'
        f'<p class="kvo-state">{_state(own)}</p>{_bar(own)}'
    )
    with st.container(horizontal=True, key=f"ways_{exercise.id}"):
        query = {"exercise": exercise.id}
        word = N_("Go on with the lesson") if own.lesson else N_("Start the lesson")
        st.page_link(pages.path("learn"), label=text(word), icon=":material/school:", query_params=query)
        st.page_link(pages.path("submit"), label=text(N_("Submit")), icon=":material/upload_file:", query_params=query)
        if own.last is not None:
            st.page_link(pages.path("history"), label=text(N_("History")), icon=":material/history:")


def _state(own: Own) -> str:
    chip = f'<span class="kvo-chip {own.kind}">{escape(text(own.said))}</span>'
    parts = [chip]
    last = own.last
    if last is not None and last.total:
        of = Say("{passed} of {all} checks", passed=last.passed, all=last.total)
        parts.append(f"<span>{escape(text(of))}</span>")
        earned = Say("{earned} of {all} stars", earned=last.stars, all=last.stars_total)
        drawn = "★" * last.stars + "☆" * (last.stars_total - last.stars)
        parts.append(f'<span title="{escape(text(earned))}"><span aria-hidden="true">{drawn}</span>'
                     f'<span class="kv-unseen">{escape(text(earned))}</span></span>')  # fmt: skip
    return "".join(parts)


def _bar(own: Own) -> str:
    if own.last is None or not own.last.total:
        return ""
    share = 100 * own.last.passed / own.last.total
    return f'<span class="kvo-bar" aria-hidden="true"><i style="width:{share:.1f}%"></i></span>'


show()
