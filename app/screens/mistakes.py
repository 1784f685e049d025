"""Mistakes: the classic ones of every exercise, to choose from; of the chosen one what, why, its story, its code."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app import gallery, pages
from app.label import label
from app.mistake_story import story
from app.notice import notice
from app.own import own_mistakes
from app.words import text
from grader.checks import CheckInfo
from grader.words import N_, Say

#: So many checks are named before the others are folded away.
NAMED = 3
_CSS = Path(__file__).with_suffix(".css")


def show() -> None:
    st.html(_CSS)
    if not gallery.mistakes():
        _heading(N_("Classic mistakes"), N_("Mistakes that are easy to make and hard to see."))
        notice("info", text(N_("They lie in the folder solutions/, and that is not here: there is nothing to show.")))
        return
    asked: str | None = st.query_params.get("mistake")
    if asked is not None and asked in gallery.mistakes():
        _one(asked)
        return
    if asked is not None:
        notice("error", text(Say("There is no mistake {id} here. These are the ones there are.", id=asked[:40])))
    _all()


# -- all of them -------------------------------------------------------------------------------------------------------


def _all() -> None:
    lead = N_(
        "Each passes a first look, and each gives wrong answers to somebody. See one at work beside the reference, and "
        "which check catches it."
    )
    _heading(N_("Classic mistakes"), lead)
    notice("info", text(N_("This page gives answers away: if you still want to find your own mistake by yourself, take "
                           "the hints first.")))  # fmt: skip
    own = own_mistakes()
    for name, exercise in gallery.exercises().items():
        rows = gallery.of(name)
        with st.container(key=f"mistakes_of_{name}"):
            count = Say("{n} mistake", plural="{n} mistakes", n=len(rows))
            about = f"<span>{escape(name)} · {escape(text(count))}</span>"
            st.html(f'<h2 class="kvm-of">{escape(text(exercise.title))}{about}</h2>')
            with st.container(key=f"mistake_cards_{name}"):
                for one in rows:
                    mark = f" **· {label(text(N_('your last file looks like it')))}**" if one.id in own else ""
                    st.button(f"`{one.number}` {label(text(one.what))}{mark}", key=f"mistake_{one.id}",
                              on_click=_open, args=(one.id,), width="stretch")  # fmt: skip


# -- one of them -------------------------------------------------------------------------------------------------------


def _one(mistake_id: str) -> None:
    mistake = gallery.mistakes()[mistake_id]
    _ways(mistake_id)
    place = Say("{exercise} · mistake {number} of {all}", exercise=mistake.exercise, number=mistake.number,
                all=len(gallery.of(mistake.exercise)))  # fmt: skip
    own = N_("The last file that you handed in behaves like this.") if mistake_id in own_mistakes() else ""
    st.html(
        f'<p class="kvm-number">{escape(text(place))}</p><h1 class="kvm-title">{escape(text(mistake.what))}</h1>'
        f'<p class="kvm-lead">{escape(text(mistake.why))}</p>'
        + (f'<p class="kvm-own">{escape(text(own))}</p>' if own else "")
    )
    story(mistake)
    checks, engine = st.columns(2, gap="medium")
    with checks, st.container(border=True, key="card_checks", height="stretch"):
        _checks(gallery.caught_by(mistake_id))
    with engine, st.container(border=True, key="card_engine", height="stretch"):
        _engine(mistake)
    _code(mistake_id)


def _ways(mistake_id: str) -> None:
    """Back to all of them, and on to the next."""
    before, after = gallery.beside(mistake_id)
    with st.container(horizontal=True, key="mistake_ways", horizontal_alignment="distribute"):
        st.button(text(N_("All mistakes")), key="mistake_all", icon=":material/apps:", on_click=_open, args=(None,))
        with st.container(horizontal=True, width="content", key="mistake_turns"):
            st.button(text(N_("Previous")), key="mistake_before", icon=":material/arrow_back:",
                      on_click=_open, args=(before,))  # fmt: skip
            st.button(text(N_("Next")), key="mistake_after", icon=":material/arrow_forward:", icon_position="right",
                      on_click=_open, args=(after,))  # fmt: skip


def _checks(rows: list[CheckInfo]) -> None:
    first, rest = rows[:NAMED], rows[NAMED:]
    more = ""
    if rest:
        say = Say("and {n} more check", plural="and {n} more checks", n=len(rest))
        more = f'<details><summary>{escape(text(say))}</summary><ul class="kvm-checks">{_lines(rest)}</ul></details>'
    st.html(
        f'<h2 class="kv-head">{escape(text(N_("Caught by")))}</h2><ul class="kvm-checks">{_lines(first)}</ul>{more}'
    )


def _lines(rows: list[CheckInfo]) -> str:
    failed = escape(text(N_("failed")))
    return "".join(
        f'<li><b role="img" aria-label="{failed}">✗</b>{escape(text(info.title))} <code>{escape(info.id)}</code></li>'
        for info in rows
    )


def _engine(mistake: Any) -> None:
    """What it resembles in a real engine, with the way to its story and to the report."""
    like = gallery.likeness(mistake.id)
    st.html(f'<h2 class="kv-head">{escape(text(N_("In the wild")))}</h2>')
    if like is None:
        none = N_("We know no report of a bug like this one in a real engine. It is a mistake of those who learn.")
        st.html(f'<p class="kvm-like">{escape(text(none))}</p>')
        return
    st.html(f'<p class="kvm-like">{escape(text(like.what))}</p>')
    if like.report:
        read = escape(text(N_("Read the report:")))
        st.html(
            f'<p class="kvm-report">{read} <a href="{escape(like.url)}" target="_blank" rel="noopener noreferrer">'
            f"{escape(like.report)}</a></p>"
        )
    if like.story:
        st.page_link(
            pages.path(pages.EXPLORE), label=text(N_("Play that bug's story with this mistake")),
            icon=":material/play_circle:", query_params={"story": like.story, "by": mistake.id},
        )  # fmt: skip


def _code(mistake_id: str) -> None:
    found = gallery.difference(mistake_id)
    say = Say("Show the mistake in the code of {method}: this gives the answer away", method=f"{found.method}()")
    with st.expander(text(say), key=f"mistake_code_{mistake_id}", icon=":material/difference:"):
        told = N_("The line with - is the reference answer, the line with + is the mistake.")
        st.html(f'<p class="kv-more">{escape(text(told))}</p>')
        st.code(found.lines, language="diff")


def _heading(title: str, lead: str) -> None:
    st.html(f'<h1 class="kvm-title">{escape(text(title))}</h1><p class="kvm-lead">{escape(text(lead))}</p>')


def _open(mistake_id: str | None) -> None:
    if mistake_id is None:
        st.query_params.pop("mistake", None)
    else:
        st.query_params["mistake"] = mistake_id


show()
