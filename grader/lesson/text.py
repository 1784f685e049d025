"""What a passage of Markdown says: its links, its claims, and the numbers that stand in it without one.

A claim is a link whose target begins with ``ref:``; the number in it is what the reference gives there.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_NESTED = r"(?:[^()\s]|\((?:[^()\s]|\((?:[^()\s]|\([^()\s]*\))*\))*\))*"
_LINK = re.compile(rf"\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\(({_NESTED})\)")
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1 *$", re.M | re.S)
_CODE = re.compile(r"(`+)(.+?)\1")
_MARKER = re.compile(r"^([ >]*)\d+\.(?= )", re.M)
_NUMBER = re.compile(r"(?<![A-Za-z_0-9.])\d+(?:\.\d+)*")


class Link(NamedTuple):
    """``kind`` is what stands before the first colon of the target, ``to`` what stands after it."""

    shown: str
    kind: str
    to: str
    line: int


class Number(NamedTuple):
    """A number in plain prose, or a piece of code (in a line, or a line of a fence) with one in it."""

    text: str
    line: int
    place: Literal["prose", "code", "fence"]


def links(text: str) -> list[Link]:
    """Every link outside code, in order; lines are counted from 0."""
    bare = _blank(_FENCE, text)
    found = []
    for match in _LINK.finditer(bare):
        kind, _, to = match[2].partition(":")
        found.append(Link(match[1], kind, to, bare.count("\n", 0, match.start())))
    return found


def replace(text: str, by: dict[str, str]) -> str:
    """``text`` with the targets of its links replaced; a target that becomes "" leaves only what is shown."""

    def one(match: re.Match[str]) -> str:
        target = by.get(match[2], match[2])
        return f"[{match[1]}]({target})" if target else match[1]

    return _LINK.sub(one, text)


def numbers(text: str) -> list[Number]:
    """Numbers that no claim covers, with their lines from 0. What is part of a name (``h0``, ``L1``) is none.

    A link to a story may name the op it opens.
    """
    found = []
    for match in _FENCE.finditer(text):
        at = text.count("\n", 0, match.start())
        rows = match[0].splitlines()[1:-1]
        found += [Number(row.strip(), at + 1 + i, "fence") for i, row in enumerate(rows) if _NUMBER.search(row)]
    rest = _LINK.sub(_left_of_link, _blank(_FENCE, text))
    for match in _CODE.finditer(rest):
        if _NUMBER.search(match[2]):
            found.append(Number(match[2].strip(), rest.count("\n", 0, match.start()), "code"))
    rest = _MARKER.sub(r"\1", _blank(_CODE, rest))
    found += [Number(match[0], rest.count("\n", 0, match.start()), "prose") for match in _NUMBER.finditer(rest)]
    return sorted(found, key=lambda number: number.line)


def inside(code: str) -> list[str]:
    """The numbers in a piece of code."""
    return [match[0] for match in _NUMBER.finditer(code)]


def _left_of_link(match: re.Match[str]) -> str:
    """What of a link is prose: nothing of a claim, and of a story's link not the number of the op."""
    kind, _, to = match[2].partition(":")
    if kind == "ref":
        return ""
    if kind == "story":
        return re.sub(rf"(?<!\d){to.partition('/')[2] or 'x'}(?!\d)", "", match[1])
    return match[1]


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """``text`` with what matches taken out, its lines kept."""
    return pattern.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
