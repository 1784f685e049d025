"""A trace as JSON, small enough to send whole to a browser, and back.

Numbers from 2**53 on travel as strings of digits (JavaScript would round them); a string that looks like one gets an
apostrophe in front. ::

    {"schema": 1, "story": {params…, "ops": […]}, "words": {"id": …, "title": …, …},
     "kinds": [event kinds], "tags": [chain tags],
     "initial": events that make it of a fresh pool, or null (the inside is not readable),
     "opening": how the first view differs, or null,
     "steps": [[result, events] or [result, events, {what is not as usual: "agree", "explained", "expected", "broken",
                                                     "readable", "view"}]]}

An event is its kind's place in ``kinds``, then its fields without what the op says already (sequence, prompt, token). A
chain tag is its place in ``tags``. ``entry`` is left out where it is true, ``opens`` where false. A ``fill`` and the
``register`` or ``duplicate`` that follows from it are one event of kind "fill register" or "fill duplicate".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from grader.replay.events import Event, apply
from grader.replay.invariants import Broken
from grader.replay.observe import differences
from grader.replay.op import Op, Story
from grader.replay.state import State, Tag
from grader.replay.trace import Step, Trace

_SAFE = 2**53
_DIGITS = re.compile(r"-?\d{16,}")
_QUOTED = re.compile(r"'+-?\d{16,}")

#: The fields of each kind of event, in order; the frequent kinds first. ``seq``, ``prompt`` and ``new token`` are the
#: op's own, ``tag`` is looked up.
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "fill register": ("block", "tag", "entry"),
    "fill duplicate": ("block", "tag", "older"),
    "to_cart": ("seq", "block", "tag"),
    "evict": ("seq", "block", "tag", "entry"),
    "boundary": ("seq", "pos", "opens"),
    "append": ("seq", "new token", "slot"),
    "hit": ("seq", "i", "tag", "block"),
    "share": ("seq", "block", "ref", "tag"),
    "unshare": ("seq", "block", "ref"),
    "take": ("seq", "block"),
    "to_free": ("seq", "block"),
    "revive": ("seq", "block", "tag"),
    "miss": ("seq", "i", "tag"),
    "limit": ("seq", "i"),
    "capacity": ("seq", "needed", "available"),
    "refused": ("seq", "needed", "available"),
    "arrive": ("seq", "prompt"),
    "leave": ("seq",),
    "fill": ("seq", "block", "tag"),
    "register": ("block", "tag", "entry"),
    "duplicate": ("block", "tag", "older"),
    "changed": ("field", "key", "old", "new"),
}
_WORDS = ("id", "title", "note", "hint")
_USUAL = {"entry": True, "opens": False}  # left out, where last in the row
_OF_THE_OP = ("seq", "prompt", "new token")
_KINDS = tuple(_FIELDS)
_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}


def to_json(trace: Trace) -> dict[str, Any]:
    """Plain data for json.dumps (use ``separators=(",", ":")``); ``from_json`` makes an equal trace of it."""
    story, tags = trace.story, _Tags()
    initial = None
    if trace.initial is not None:
        fresh = State(**story.params)  # type: ignore[arg-type]
        initial = _rows(tags, differences(fresh, trace.initial))
    steps = [_step(tags, step) for step in trace.steps]
    data = {
        "schema": 1,
        "story": story.to_json(),
        "words": {name: getattr(story, name) for name in _WORDS if getattr(story, name)},
        "kinds": list(_KINDS),
        "tags": list(tags.places),
        "initial": initial,
        "opening": trace.opening,
        "steps": steps,
    }
    return {key: wide(value) for key, value in data.items()}


def from_json(data: Mapping[str, Any]) -> Trace:
    """The trace that ``to_json`` wrote. KeyError, IndexError, TypeError or ValueError if it is none."""
    if data["schema"] != 1:
        raise ValueError("a trace of another schema")
    plain = {key: narrow(value) for key, value in data.items()}
    story, tags, kinds = Story.from_json(plain["story"], **plain["words"]), plain["tags"], plain["kinds"]
    initial = None
    if plain["initial"] is not None:
        fresh = State(**story.params)  # type: ignore[arg-type]
        initial = apply(fresh, _events(Op(""), plain["initial"], tags, kinds))
    steps = []
    for op, (result, events, *rest) in zip(story.ops, plain["steps"], strict=False):
        extra = dict(rest[0]) if rest else {}
        steps.append(
            Step(
                op,
                result,
                _events(op, events, tags, kinds),
                tuple(Broken.from_json(row) for row in extra.get("broken", ())),
                extra.get("agree", True),
                _events(op, extra.get("explained", ()), tags, kinds),
                extra.get("expected"),
                extra.get("readable", True),
                extra.get("view"),
            )
        )
    return Trace(story, tuple(steps), initial, plain["opening"])


class _Tags:
    """Each chain tag once, in order of appearance."""

    def __init__(self) -> None:
        self.places: dict[Tag, int] = {}

    def place(self, tag: Tag | None) -> int | None:
        return None if tag is None else self.places.setdefault(tag, len(self.places))


def _step(tags: _Tags, step: Step) -> list[Any]:
    row: list[Any] = [step.result, _rows(tags, step.events)]
    extra: dict[str, Any] = {}
    if step.agree is not True:
        extra["agree"] = step.agree
    if step.explained:
        extra["explained"] = _rows(tags, step.explained)
    if step.expected is not None:
        extra["expected"] = step.expected
    if step.broken:
        extra["broken"] = [one.to_json() for one in step.broken]
    if not step.readable:
        extra["readable"] = False
    if step.view is not None:
        extra["view"] = step.view
    return [*row, extra] if extra else row


def _rows(tags: _Tags, events: Sequence[Event]) -> list[list[Any]]:
    rows: list[list[Any]] = []
    filled: Event | None = None
    for event, after in zip_longest(events, events[1:]):
        kind = event[0]
        if kind == "fill" and after is not None and after[0] in ("register", "duplicate") and after[1:3] == event[2:]:
            filled = event
            continue
        if filled is not None:
            kind, filled = "fill " + kind, None
        row: list[Any] = [_NUMBER[kind]]
        for field, value in zip(_FIELDS[kind], event[1:], strict=True):
            if field == "tag":
                row.append(tags.place(value))
            elif field not in _OF_THE_OP and value is not _USUAL.get(field, ...):
                row.append(value)
        rows.append(row)
    return rows


def _events(op: Op, rows: Iterable[Sequence[Any]], tags: Sequence[Tag], kinds: Sequence[str]) -> tuple[Event, ...]:
    events: list[Event] = []
    for row in rows:
        *_, kind = kinds[row[0]].split(" ")
        values = iter(row[1:])
        event: list[Any] = [kind]
        for field in _FIELDS[kind]:
            if field == "tag":
                place = next(values)
                event.append(None if place is None else tags[place])
            elif field in _OF_THE_OP:
                event.append(op.seq if field == "seq" else op.args[1])
            else:
                event.append(next(values, _USUAL[field]) if field in _USUAL else next(values))
        if kind != kinds[row[0]]:
            events.append(("fill", op.seq, event[1], event[2]))
        events.append(tuple(event))
    return tuple(events)


def wide(value: Any) -> Any:
    """``value`` with every number that JavaScript would round as a string."""
    kind = type(value)
    if kind is int:
        return value if -_SAFE < value < _SAFE else str(value)
    if kind is str:
        return "'" + value if _DIGITS.fullmatch(value) or _QUOTED.fullmatch(value) else value
    if kind is list or kind is tuple:
        return [wide(item) for item in value]
    if kind is dict:
        return {key: wide(item) for key, item in value.items()}
    return value


def narrow(value: Any) -> Any:
    """What ``wide`` was given, with lists for tuples."""
    kind = type(value)
    if kind is str:
        if _DIGITS.fullmatch(value):
            return int(value)
        return value[1:] if _QUOTED.fullmatch(value) else value
    if kind is list:
        return [narrow(item) for item in value]
    if kind is dict:
        return {key: narrow(item) for key, item in value.items()}
    return value
