"""Submit: write or upload a solution, watch it being graded, and see what failed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app import desk as desks
from app import pages
from app.browser import ask
from app.notice import notice
from app.person import only_this_tab, person
from app.report.style import style
from app.report.view import show_run
from app.submit import drafts
from app.submit.editor import editor
from app.submit.handing_in import forget_refusal
from app.submit.upload import upload
from app.times import when
from app.words import text, words
from grader.checklist import checklist
from grader.desk.submission import Submission
from grader.exercise import Exercise, discover
from grader.render.web import part
from grader.words import N_, Say


def show() -> None:
    style()
    st.html(Path(__file__).with_name("submit.css"))
    exercise = _exercise()
    problem, idle = desks.desk_problem(), desks.judges_problem()
    if problem is not None:
        notice("error", text(N_("Nothing can be handed in here now.")), text(problem))
    elif idle is not None:
        notice("error", text(N_("Nothing can be graded here.")), text(idle))
    only_this_tab()
    made = desks.desk().submissions(person(), exercise.id)
    with st.container(border=True, key="card_file"):
        _file(exercise, made, closed=problem is not None or idle is not None)
    card, below = st.container(border=True, key="card_result"), st.container(key="below")
    with card:
        _result(exercise, made, below)
    ask("browser_submit_look", look={"at": "card_result", "n": st.session_state.get("submit_look", 0)})


def _exercise() -> Exercise:
    """The exercise that is chosen; it stands in the address, so that a reload finds it."""
    found, state = discover(), st.session_state
    asked = st.query_params.get("exercise")
    if asked in found and state.get("submit_asked") != asked:
        state.submit_asked = state.submit_kept = state.submit_exercise = asked
    kept = state.get("submit_kept") if state.get("submit_kept") in found else next(iter(found))
    # In every run: what an interrupted one seeded never reaches the browser.
    state.submit_exercise = state.get("submit_exercise") or kept
    head = st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="submit_head"
    )
    with head:
        st.segmented_control(
            text(N_("Exercise")), list(found), format_func=lambda one: f"{one} · {words().text(found[one].title)}",
            key="submit_exercise", required=True, label_visibility="collapsed", on_change=forget_refusal,
            wrap=True,
        )  # fmt: skip
        st.page_link(pages.path("history"), label=text(N_("All my submissions")), icon=":material/history:")
    chosen = str(state.submit_exercise)
    state.submit_kept = state.submit_asked = chosen
    if asked != chosen:
        st.query_params["exercise"] = chosen
    return found[chosen]


def _file(exercise: Exercise, made: Sequence[Submission], closed: bool) -> None:
    write, send = st.tabs([text(N_("Write")), text(N_("Upload"))], key="submit_tabs")
    with write:
        editor(exercise, made, closed)
    with send:
        upload(exercise, made, closed)


def _result(exercise: Exercise, made: Sequence[Submission], below: Any) -> None:
    """The newest submission as it stands: in whatever tab it was handed in, whenever this page was opened."""
    if not made:
        _nothing_yet(exercise)
        return
    latest = made[0]
    about = f"{drafts.shown_name(latest.name)} · {when(latest.created)}"
    if latest.sha256 != drafts.digest(drafts.text_of(exercise.id)):
        about += " · " + text(N_("the editor has another text now"))
    st.html(part(f'<p class="quiet small kvr-about">{escape(about)}</p>'))
    show_run(latest.id, f"run_{exercise.id}", below)


def _nothing_yet(exercise: Exercise) -> None:
    """What will happen, for whoever has handed in nothing yet."""
    checks = checklist(exercise)
    deciding = sum(check.group != "stretch" for check in checks)
    rows: list[tuple[str | Say, str]] = [
        (
            Say("{n} checks decide", n=deciding),
            N_("The contract, the worked examples, the classic mistakes, and long random runs."),
        ),
        (Say("{n} more earn stars", n=len(checks) - deciding), N_("They fail nobody.")),
        (
            N_("Your file runs in a sandbox"),
            N_("Without a network or files, with limits on time and memory: whatever it does, it does it there."),
        ),
        (
            N_("What fails is explained"),
            N_("The call, what was expected, why it matters, hints when you ask, and a replay in the hotel."),
        ),
    ]
    items = "".join(f"<li><b>{escape(text(head))}</b><span>{escape(text(more))}</span></li>" for head, more in rows)
    heading = escape(text(N_("Press Grade, and this is what happens")))
    st.html(part(f'<h2 class="submit-first">{heading}</h2><ol class="submit-steps">{items}</ol>'))


show()
