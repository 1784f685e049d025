"""History: one's own submissions, newest first; open one, compare two, take one up again, delete one."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from app import desk as desks
from app import pages
from app.notice import notice
from app.past.chart import verdicts
from app.past.compare import compare
from app.past.rows import Handed, confirm, delete_button, edit, gathered, open_one, picked, row, summary, unpick
from app.person import only_this_tab, person
from app.report.style import style
from app.report.view import show_run
from app.times import when
from app.words import text
from grader.desk.submission import Submission
from grader.exercise import discover
from grader.render.web import part
from grader.words import N_, Say

ALL = "all"
A_PAGE = 15
LOOK_S = 2.0
_CHART = {"displayModeBar": False, "scrollZoom": False}


def show() -> None:
    style()
    st.html(Path(__file__).with_name("history.css"))
    problem = desks.desk_problem()
    if problem is not None:
        notice("error", text(N_("Your submissions cannot be looked up now.")), text(problem))
    only_this_tab()
    _refused()
    asked = st.query_params.get("open")
    opened = None if asked is None else desks.desk().submission(person(), asked)
    if opened is not None:
        rows = gathered(desks.desk().submissions(person()))
        _one(next((one for one in rows if one.last.id == opened.id), Handed(opened, [])))
        return
    if asked is not None and problem is None:
        notice("info", text(N_("There is no such submission here.")))
    made = desks.desk().submissions(person())
    if made:
        _list(gathered(made))
    elif problem is None:
        _nothing_yet()


def _one(handed: Handed) -> None:
    """A submission that was opened: its report, and what can be done with it."""
    one, earlier = handed
    with st.container(horizontal=True, vertical_alignment="center", key="past_head"):
        back = text(N_("All submissions"))
        st.button(back, key="past_back", icon=":material/arrow_back:", on_click=open_one, args=(None,))
        st.html(part(summary(one, earlier), f"past-row kvr-{one.verdict or one.state}"))
        if st.button(text(N_("Edit")), key="past_edit", icon=":material/edit:"):
            edit(one)
        delete_button(one, "past_delete_this")
    if st.session_state.get("past_delete") == one.id:
        confirm(one, earlier)
    card, below = st.container(border=True, key="card_report"), st.container(key="below")
    with card:
        show_run(one.id, f"past_{one.id}", below)


def _list(made: list[Handed]) -> None:
    exercises = list(discover())
    # In every run: what an interrupted one seeded never reaches the browser.
    st.session_state.past_filter = st.session_state.get("past_filter") or st.session_state.get("past_filter_kept", ALL)
    chosen = st.segmented_control(
        text(N_("Exercise")), [ALL, *exercises], key="past_filter", required=True, label_visibility="collapsed",
        format_func=lambda one: text(N_("All exercises")) if one == ALL else one, on_change=_first_page,
    )  # fmt: skip
    st.session_state.past_filter_kept = chosen
    wanted = [one for one in made if chosen in (ALL, one.last.exercise)]
    latest = [one.last for one in wanted]
    if any(one.state in ("queued", "running") for one in latest):
        _watch({one.id: one.state for one in latest})
    _chart([one for one in reversed(latest) if one.state == "done" and one.total], exercises)
    two = picked([one.last for one in made])
    _compared(two)
    if not wanted:
        notice("info", text(N_("Nothing of this exercise yet.")))
    _how_to_compare(len(two), len(wanted))
    with st.container(border=True, key="card_past", gap=None):
        at = min(st.session_state.get("past_page", 0), (len(wanted) - 1) // A_PAGE if wanted else 0)
        for one in wanted[at * A_PAGE : (at + 1) * A_PAGE]:
            row(one)
    _pages(at, len(wanted))


def _chart(done: list[Submission], exercises: list[str]) -> None:
    if len(done) < 2:
        return
    with st.container(border=True, key="card_chart"):
        st.html(f'<h2 class="kv-head">{text(N_("How it went"))}</h2>')
        figure = verdicts(done, exercises, [when(one.created) for one in done], text)
        alt = text(N_("Checks passed, submission by submission"))
        st.plotly_chart(figure, key="past_chart", config=_CHART, alt=alt)


def _compared(two: list[Submission]) -> None:
    if len(two) == 1:
        notice("info", text(N_("Choose a second one, and both are compared.")))
    if len(two) != 2:
        return
    with st.container(border=True, key="card_compare"):
        older, newer = two
        st.html(f'<h2 class="kv-head">{text(N_("Compared"))}</h2>')
        heads = "".join(f'<div class="past-row kvr-{one.verdict}">{summary(one)}</div>' for one in two)
        st.html(part(heads, "past-two"))
        compare(older, newer)


def _how_to_compare(ticked: int, listed: int) -> None:
    """What to do with the boxes of the list, while there is something to do with them."""
    if ticked == 2:
        with st.container(horizontal=True, vertical_alignment="center", key="past_ticked"):
            said = text(N_("The two that are ticked are compared above. Tick another one to exchange the first."))
            st.html(part(f'<p class="quiet small">{said}</p>'))
            st.button(text(N_("Untick both")), key="past_untick", icon=":material/close:", on_click=unpick)
    elif ticked == 0 and listed > 1:
        st.html(part(f'<p class="quiet small">{text(N_("Tick two of them to compare them."))}</p>'))


def _pages(at: int, total: int) -> None:
    if total <= A_PAGE:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="past_pages"):
        st.button(text(N_("Newer")), key="past_newer", disabled=at == 0, on_click=_turn, args=(at - 1,))
        last = min(total, (at + 1) * A_PAGE)
        place = Say("{first}–{last} of {all}", first=at * A_PAGE + 1, last=last, all=total)
        st.html(part(f'<p class="small">{text(place)}</p>'))
        st.button(text(N_("Older")), key="past_older", disabled=last == total, on_click=_turn, args=(at + 1,))


def _nothing_yet() -> None:
    with st.container(border=True, key="card_empty"):
        more = N_("What you hand in is kept here: its report, its text, and how it went over time.")
        st.html(part(f"<h2>{text(N_('Nothing here yet'))}</h2><p>{text(more)}</p>"))
        st.page_link(pages.path("submit"), label=text(N_("Hand something in")), icon=":material/upload_file:")


def _refused() -> None:
    kept = st.session_state.pop("past_refused", None)
    if kept is not None:
        notice("error", text(Say.from_json(kept)))


@st.fragment(run_every=LOOK_S)
def _watch(states: dict[str, str]) -> None:
    """Show the list anew once something has changed in it."""
    now = {one.id: one.state for one in desks.desk().submissions(person()) if one.id in states}
    if now != states:
        st.rerun()


def _turn(page: int) -> None:
    st.session_state.past_page = page


def _first_page() -> None:
    st.session_state.past_page = 0


show()
