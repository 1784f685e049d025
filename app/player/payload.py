"""One or two traces as the data that the player in the browser plays: everything it needs, sent once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, Literal

from app.player.words import DIFFERENCE, NOTHING, RESULT, templates
from grader.replay.compare import Difference, first_difference
from grader.replay.record import to_json
from grader.replay.result import shown
from grader.replay.trace import Trace
from grader.words import Say, Translator, translator

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
    after: int | Literal["difference"] | None = None,
    notice: str | Say = "",
    inset: bool = False,
) -> Payload:
    """What the player plays, in the words of ``lang``; plain data for JSON.

    ``who`` names the manager. With a ``reference`` trace of the same story both hotels stand side by side; their first
    ``difference`` is found here if it is not given. ``link`` is the query that opens this story, without its step
    (None: there is none). ``start`` is the step to open at, in events; out of range, the nearest that is not. ``after``
    says it by op instead: when that one, counted from 0, is over, or the one in which the traces part.
    ``notice`` is said above the hotel. ``inset``: it stands in a text, among others: narrower, quieter, and deaf to
    keys that are not meant for it.
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
        "inset": inset,
        "traces": [record],
        "says": {},
        "difference": None,
    }
    if reference is not None:
        beside = to_json(reference)
        del beside["story"]  # the same as the other's
        data["traces"].append(beside)
        found = difference or first_difference(trace, reference)
        if found is not None:
            data["difference"] = {"step": found.step, "text": _told(found, words)}
    if after == "difference":
        after = None if data["difference"] is None else data["difference"]["step"]
    if after is not None:
        data["start"] = _over(data["traces"], after)
    data["says"] = {msgid: words.text(msgid) for msgid in _said(trace, reference)}
    return data


def _over(records: list[Payload], op: int) -> int:
    """The step at which op number ``op``, counted from 0, is over for all of ``records``; the player counts so, too."""
    rows = [[max(1, len(step[1])) for step in record["steps"]] for record in records]
    return sum(max(counts) for counts in list(zip_longest(*rows, fillvalue=0))[: op + 1])


def _told(found: Difference, words: Translator) -> str:
    """The difference in a sentence: of a whole field, only the first entry that is not the same."""
    field, expected, actual = found.field, found.expected, found.actual
    if field in ("tables", "cached", "hash_to_block"):
        olds, news = dict(expected), dict(actual)
        key = next(key for key in [*olds, *news] if olds.get(key) != news.get(key))
        expected, actual = olds.get(key), news.get(key)
        field = f"{field}[{f'#{key[:4]}' if field == 'hash_to_block' else repr(key)}]"
    elif field in ("ref", "block_hash"):
        block = next(block for block, (old, new) in enumerate(zip(expected, actual, strict=True)) if old != new)
        expected, actual = expected[block], actual[block]
        if field == "block_hash":
            expected, actual = (None if tag is None else f"#{tag[:4]}" for tag in (expected, actual))
        field = f"{field}[{block}]"
    values = {"expected": _short(expected), "actual": _short(actual)}
    if not field:  # a result: None is not unknown, the call returns nothing
        values |= {side: words.text(NOTHING) for side, value in values.items() if value == "None"}
    return words.text(DIFFERENCE).format(op=found.step + 1, field=field or words.text(RESULT), **values)


def _short(value: Any) -> str:
    if isinstance(value, list) and len(value) > 16:
        return f"[{', '.join(map(str, value[:12]))}, … {len(value) - 12}]"
    return value if isinstance(value, str) else shown(value)


def _said(*traces: Trace | None) -> Iterable[str]:
    """The msgids of all sentences about broken invariants; their numbers are in the record."""
    return dict.fromkeys(
        one.say.msgid for trace in traces if trace is not None for step in trace.steps for one in step.broken
    )
