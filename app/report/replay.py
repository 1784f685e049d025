"""A failure replayed: the submission's own code runs again on the story, in a sandbox, beside the contract.

One replay is open at a time: the player hears the keyboard of the whole page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from app import share
from app.managers import Shown, by_file, mistakes
from app.notice import notice
from app.player.payload import Payload, payload
from app.player.player import hotel
from app.report import paged_replay
from app.words import lang, text
from grader.exercise import Exercise
from grader.replay.compare import Difference, first_difference
from grader.replay.explain import READINGS
from grader.replay.op import Story
from grader.replay.trace import Trace, run
from grader.report import CheckResult
from grader.words import N_

_WIDE = re.compile(r"-?\d{16,}")


def can_replay(result: CheckResult) -> bool:
    """Is there a story to play? A manager that could not even be built has none."""
    return result.failure is not None and bool((result.failure.story or {}).get("ops"))


def replay_button(check: str, key: str) -> None:
    """Open the replay of this check, or close it."""
    shown = st.session_state.get(f"{key}_replay") == check
    title = N_("Close the replay") if shown else N_("Replay in the hotel")
    icon = ":material/close:" if shown else ":material/play_circle:"
    st.button(text(title), key=f"{key}_play_{check}", icon=icon, type="secondary" if shown else "primary",
              on_click=_turn, args=(check, key))  # fmt: skip


def replay(result: CheckResult, exercise: Exercise, source_of: Callable[[], bytes], name: str, key: str) -> None:
    """The replay of this check, if it is the one that is open."""
    if st.session_state.get(f"{key}_replay") != result.id:
        return
    with st.spinner(text(N_("Your file is running…"))):
        source, story = source_of(), story_of(result)
        if exercise.id == "l22":
            paged_replay.show(story, source, name, f"{key}_paged")
            return
        shown = by_file(story, source, name, own=False)
    _hotel(shown, result, f"{key}_hotel")


def story_of(result: CheckResult) -> Story:
    """The story of a failure, as the managers take it: a stored report has its wide numbers as digits."""
    assert result.failure is not None and result.failure.story is not None
    story = Story.from_json(_narrow(result.failure.story), id=f"replay-{result.id}", title=result.title)
    return replace(story, note=str(result.failure.why.msgid) if result.failure.why else "")


def _hotel(shown: Shown, result: CheckResult, key: str) -> None:
    if shown.problem is not None:
        notice("error", text(shown.problem), code=shown.stack)
    if shown.trace is None:
        return
    reference = nearest(shown.trace)
    found = first_difference(shown.trace, reference)
    if found is None and shown.problem is None:
        notice("info", text(N_("Alone, this story goes as the contract says: the check says what it depends on.")))
    by = result.failure.mistake if result.failure and result.failure.mistake in mistakes() else None
    data = payload(
        shown.trace, lang=lang(), who=N_("Yours"), reference=reference, difference=found,
        link=share.query(shown.trace.story, by or share.REFERENCE, lang()),
        notice=" ".join(text(say) for say in shown.notices),
    )  # fmt: skip
    data["start"] = opening(data, found, len(shown.trace.steps))
    hotel(data, key=key)


def nearest(mine: Trace) -> Trace:
    """The contract's trace in the reading that goes with ``mine`` the longest: what it leaves open is no difference."""

    def apart(reference: Trace) -> float:
        found: Difference | None = first_difference(mine, reference)
        return float("inf") if found is None else found.step

    return max((run(mine.story, reading) for reading in READINGS), key=apart)


def opening(data: Payload, found: Difference | None, played: int) -> int:
    """The player's step at the end of the op where they part, or of the last one that was played."""
    op = played - 1 if found is None else found.step
    lengths = [[max(1, len(step[1])) for step in trace["steps"]] for trace in data["traces"]]
    return sum(max(row[at] for row in lengths if at < len(row)) for at in range(op + 1))


def _narrow(value: Any) -> Any:
    """Wide numbers as numbers again. A sequence whose name is so many digits is one, too, as in a story's text."""
    if isinstance(value, str):
        return int(value) if _WIDE.fullmatch(value) else value
    if isinstance(value, list):
        return [_narrow(item) for item in value]
    return {key: _narrow(item) for key, item in value.items()} if isinstance(value, dict) else value


def _turn(check: str, key: str) -> None:
    shown = st.session_state.get(f"{key}_replay") == check
    st.session_state[f"{key}_replay"] = None if shown else check


