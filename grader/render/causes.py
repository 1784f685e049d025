"""Which failures go together, and which of them to begin with. Read from a report alone: it says how they look.

One fault shows in many checks. What is known for certain: several look like one classic mistake, or raise one error at
the same line, or have the same shortest story but for names. What is likely: one goes wrong in the same call and in the
same way, and the other's short story is contained in its own. Everything else stays apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.words import N_, Say

ERROR = re.compile(r"[A-Za-z_]\w*(?=:|$)")  # how the text of an exception begins
PLACE = re.compile(r"^(\S.*, line \d+), in ", re.MULTILINE)
LONGEST = 24  # ops of a story that is compared with another
REFUSAL = "OutOfBlocks"

Check = Mapping[str, Any]
Deed = tuple[Any, ...]


class Cause(NamedTuple):
    """``first`` is to be read first; ``same`` go wrong as it does, ``likely`` probably for the same cause."""

    first: Check
    same: list[Check]
    likely: list[Check]
    ground: str

    @property
    def more(self) -> list[Check]:
        return [*self.same, *self.likely]

    @property
    def said(self) -> Say | None:
        """How it is known, as a sentence over the first; None where it stands alone."""
        if not self.more:
            return None
        return Say(_LIKELY if self.likely else _GROUNDS[self.ground], n=1 + len(self.more))


_LIKELY = N_("These {n} checks probably fail for one cause: the story of each contains this short one. Start with it.")
_GROUNDS = {
    "mistake": N_("These {n} checks fail just as one classic mistake makes them fail. Start with this one."),
    "place": N_("These {n} checks stop with the same error at the same line. Start with this one."),
    "story": N_("These {n} checks fail on one and the same short story, but for names. Start with this one."),
}


def causes(failed: Sequence[Check]) -> list[Cause]:
    """The failures gathered, the one with the shortest story first. Every check is in one of them, once."""
    found: dict[Any, tuple[str, list[Check]]] = {}
    for check in sorted(failed, key=_rank):
        ground, key = _key(check)
        found.setdefault(key, (ground, []))[1].append(check)
    gathered: list[Cause] = []
    for ground, rows in found.values():
        made_for = [row for row in rows if ground == "mistake" and row["id"] == f"mistake-{row['mistake']}"]
        first = next(iter(made_for), rows[0])
        rest = [row for row in rows if row is not first]
        host = None if ground == "mistake" else next((one for one in gathered if _holds(one, first)), None)
        if host is None:
            gathered.append(Cause(first, rest, [], ground))
        else:
            host.likely.extend([first, *rest])
    return gathered


def kind(check: Check) -> str:
    """The call that goes wrong, and with which error if it raises one."""
    error = ERROR.match(check["actual"] or "")
    return f"{(check['called'] or check['message'] or '').partition('(')[0]} {error.group() if error else ''}"


def _rank(check: Check) -> tuple[int, int, bool]:
    """How many ops show it (one without a story comes last), how many its own story has more, and whether it is about
    one thing alone."""
    if not check["trace"]:
        return 1 << 30, 0, False
    ops = len(check["trace"]["ops"])
    return ops, (check.get("whole") or 1 << 20) - ops, not check["id"].startswith("mistake-")


def _key(check: Check) -> tuple[str, Any]:
    if check["mistake"]:
        return "mistake", ("mistake", check["mistake"])
    places = PLACE.findall(check["stack"] or "")
    error = ERROR.match(check["actual"] or "")
    if places and error and error.group() != REFUSAL:
        return "place", (places[-1], error.group())
    deeds = _deeds(check["trace"])
    if deeds:
        params = tuple((name, value) for name, value in check["trace"].items() if name != "ops")
        return "story", (kind(check), params, tuple(deeds))
    return "alone", check["id"]


def _holds(cause: Cause, check: Check) -> bool:
    """Is the short story of ``cause`` contained in the one of ``check``, which goes wrong in the same way?"""
    if cause.ground == "mistake" or kind(cause.first) != kind(check):
        return False
    short, long = _deeds(cause.first["trace"]), _deeds(check["trace"])
    return bool(short and long) and _within(short, long, {})


def _within(short: Sequence[Deed], long: Sequence[Deed], lives: dict[int, int]) -> bool:
    """Can ``short`` be had from ``long`` by leaving ops out? ``lives``: which sequence stands for which. Both end with
    the op that goes wrong."""
    if not short:
        return True
    (name, life, _, shared), at = short[-1], len(long) - 1
    while at >= len(short) - 1:
        other_name, other_life, _, other_shared = long[at]
        fits = name == other_name and lives.get(life, other_life) == other_life
        fits = fits and (life in lives or other_life not in lives.values()) and any(shared) == any(other_shared)
        if fits and _within(short[:-1], long[:at], {**lives, life: other_life}):
            return True
        if lives == {}:
            return False  # the last op is the one that goes wrong, on both sides
        at -= 1
    return False


def _deeds(story: Mapping[str, Any] | None) -> list[Deed]:
    """A story without its names: an op's name, which sequence it is about (counted), how many tokens or which number it
    is given, and with how many of its first blocks each other sequence begins. Empty where it is too long for that."""
    if not story or len(story["ops"]) > LONGEST:
        return []
    size = story.get("block_size", 1)
    live: dict[tuple[str, Any], int] = {}
    tokens: list[list[Any]] = []
    deeds: list[Deed] = []
    for name, *args in story["ops"]:
        who = (type(args[0]).__name__, args[0]) if args and not isinstance(args[0], list) else ("", None)
        prompt = args[1] if len(args) > 1 and isinstance(args[1], list) else None
        if prompt is not None or name == "prefill":
            live[who] = len(tokens)
            tokens.append(list(prompt or []))
        life = live.get(who, -1)
        given: Any = len(prompt) if prompt is not None else tuple(args[1:] if life >= 0 else args)
        shared: tuple[int, ...] = ()
        if name == "append_slot" and life >= 0:
            tokens[life].append(args[1])
            given = 1
        if prompt is not None or name == "append_slot":
            mine = tokens[life] if life >= 0 else []
            shared = tuple(_common(mine, other) // size for n, other in enumerate(tokens) if n != life)
        if name == "free":
            live.pop(who, None)
        deeds.append((name, life, repr(given), shared))
    return deeds


def _common(one: Sequence[Any], other: Sequence[Any]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
