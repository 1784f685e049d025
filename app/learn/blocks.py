"""What a lesson shows beside text and figures: hints by check, the classic mistakes, one's own state."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from app import pages
from app.desk import desk
from app.label import label
from app.learn.progress import Progress
from app.learn.record import Record
from app.person import person
from app.report.hint import Opened, hint_button, hints_opened
from app.report.style import style
from app.words import lang, text, words
from grader.desk.submission import Submission
from grader.exercise import Exercise
from grader.hints import hints
from grader.render.web import groups, part
from grader.words import N_, Say

AFTER = "after-pass"


def hints_by_check(exercise: Exercise, mission: str, failing: list[str], key: str) -> None:
    """One check is chosen, the first that fails where one does; then its hints, level by level."""
    rows = {hint.check: hint for hint in hints(exercise) if not mission or hint.mission == mission}
    order = [*(check for check in failing if check in rows), *(check for check in rows if check not in failing)]
    if not order:
        return

    def shown(check: str) -> str:
        title = text(rows[check].title)
        return label(text(Say("fails: {title}", title=title)) if check in failing else title)

    style()
    with st.container(border=True, key=f"card_hints_{key}"):
        st.html(f'<p class="kv-head">{escape(text(N_("Hints, when you want them")))}</p>')
        check = st.selectbox(text(N_("For which check?")), order, format_func=shown, key=f"check_{key}")
        opened = Opened(exercise)
        hints_opened(check, opened)
        hint_button(check, opened, key)


def to_submit(exercise: Exercise, word: str) -> None:
    """The way to the screen where the whole file is handed in."""
    st.page_link(pages.path("submit"), label=text(word), icon=":material/upload_file:",
                 query_params={"exercise": exercise.id})  # fmt: skip


def mistake_list(exercise: Exercise) -> None:
    """The classic mistakes, each a link to its place in the gallery."""
    try:
        from solutions.mistakes import MISTAKES
    except ImportError:
        st.html(f'<p class="kv-more">{escape(text(N_("The mistakes are not here: they lie in solutions/.")))}</p>')
        return
    rows = [one for one in MISTAKES if one.exercise == exercise.id]
    st.markdown("\n".join(
        f"{one.number}. [{label(text(one.what))}](mistakes?mistake={one.id}&lang={lang()})" for one in rows
    ))  # fmt: skip


def state_of(exercise: Exercise, progress: Progress, waiting: Submission | None, key: str) -> None:
    """One's own state in a sentence or two, and the way on to Submit."""
    with st.container(border=True, key=f"card_grade_{key}"):
        st.html(f'<p class="kv-head">{escape(text(N_("Your file")))}</p>')
        st.html("".join(f"<p>{escape(text(say))}</p>" for say in _state(exercise, progress, waiting)))
        word = N_("Hand in your file") if progress.last is None else N_("Hand in again")
        to_submit(exercise, word)
        report = None if progress.last is None else desk().report(person(), progress.last.id)
        if report is not None:
            style()
            with st.expander(text(N_("Check by check")), key=f"checks_{key}"):
                st.html(part(groups(report.to_json(lang())["checks"], words().text)))


def _state(exercise: Exercise, progress: Progress, waiting: Submission | None) -> list[Say]:
    last, said = progress.last, list[Say]()
    if waiting is not None:
        said.append(Say("One of your submissions is being graded right now."))
    if progress.passed:
        said.append(Say("You have passed {exercise}.", exercise=exercise.id))
    if last is not None:
        said.append(Say("In your last submission {n} of {all} acceptance checks pass, and {stars} of {most} stars are "
                        "earned.", n=last.passed, all=last.total, stars=last.stars, most=last.stars_total))  # fmt: skip
    elif waiting is None:
        said.append(Say("You have not handed in anything here yet. From the command line: {command}",
                        command=f"./check.sh {exercise.id}"))  # fmt: skip
    return said


def after_pass(passed: bool, record: Record, show: Callable[[], None], key: str) -> None:
    """``show`` what is for after a pass: to whoever has passed, and to whoever wants it anyway."""
    if passed or record.of(AFTER).get("shown"):
        show()
        return
    with st.container(border=True, key=f"card_after_{key}"):
        said = text(N_("This part opens once your file passes. It gives some of the answers away."))
        st.html(f"<p>{escape(said)}</p>")
        st.button(text(N_("Show it anyway")), key=f"after_{key}", on_click=_show, args=(record.exercise,))


def _show(exercise: str) -> None:
    Record(exercise).keep(AFTER, shown=True)
