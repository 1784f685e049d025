"""One or two traces as the data that the player in the browser plays: everything it needs, sent once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.player.words import templates
from grader.replay.compare import Difference, first_difference
from grader.replay.record import to_json, wide
from grader.replay.trace import Trace
from grader.words import Say, translator

Payload = dict[str, Any]


def payload(
    trace: Trace,
    *,
    lang: str,
    who: str | Say = "",
    reference: Trace | None = None,
    difference: Difference | None = None,
    link: str | None = None,
    start: int | None = None,
    notice: str | Say = "",
) -> Payload:
    """What the player plays, in the words of ``lang``; plain data for JSON.

    ``who`` names the manager. With a ``reference`` trace of the same story both hotels stand side by side; their first
    ``difference`` is found here if it is not given. ``link`` is the query that opens this story, without its step (None:
    there is none). ``start`` is the step to open at, in events; a number out of range is the nearest that is not.
    ``notice`` is said above the hotel.
    """
    words = translator(lang)
    record = to_json(trace)
    data: Payload = {
        "lang": lang,
        "words": templates(words),
        "title": words.text(trace.story.title),
        "note": words.text(trace.story.note),
        "who": words.text(who),
        "notice": words.text(notice),
        "link": link,
        "start": start,
        "traces": [record],
        "says": {},
        "difference": None,
    }
    if reference is not None:
        beside = to_json(reference)
        del beside["story"]  # the same as the other's
        data["traces"].append(beside)
        found = difference or first_difference(trace, reference)
        data["difference"] = None if found is None else wide(found._asdict())
    data["says"] = {msgid: words.text(msgid) for msgid in _said(trace, reference)}
    return data


def _said(*traces: Trace | None) -> Iterable[str]:
    """The msgids of all sentences about broken invariants; their numbers are in the record."""
    return dict.fromkeys(
        one.say.msgid for trace in traces if trace is not None for step in trace.steps for one in step.broken
    )
