"""Are the two halves of a text the same lesson? Same figures and code in the same order, same claims, same shape."""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from grader.lesson.data import AfterPass, Code, Figure, Part, Prose
from grader.lesson.text import links, numbers
from grader.words import N_, Say


class Piece(NamedTuple):
    """One thing that must stand in both halves: what it is, and what must be the same about it."""

    what: str
    same: object
    line: int


def parted(en: tuple[Part, ...], zh: tuple[Part, ...]) -> tuple[Piece | None, Piece | None] | None:
    """Where the halves of a page part first, or None."""
    ours, theirs = list(_pieces(en)), list(_pieces(zh))
    for one, other in zip(ours, theirs, strict=False):
        if one[:2] != other[:2]:
            return one, other
    if len(ours) != len(theirs):
        longer = ours if len(ours) > len(theirs) else theirs
        first = longer[min(len(ours), len(theirs))]
        return (first, None) if longer is ours else (None, first)
    return None


def told(piece: Piece | None) -> Say:
    """A piece in words."""
    if piece is None:
        return Say(N_("nothing more"))
    return Say("{what} {same}", what=Say(piece.what), same=_short(piece.same))


def facts(text: str) -> tuple[object, ...]:
    """What a passage must have in common with its other half, in whatever order: targets of links, bare numbers, code
    with numbers in it."""
    targets = Counter(f"{link.kind}:{link.to}" for link in links(text))
    bare = Counter(number.text for number in numbers(text) if number.place != "fence")
    return tuple(sorted(targets.items())), tuple(sorted(bare.items()))


def _short(same: object) -> str:
    text = str(same)
    return text if len(text) < 120 else text[:119] + "…"


def _pieces(parts: tuple[Part, ...]) -> Iterator[Piece]:
    for part in parts:
        if isinstance(part, Figure):
            words = [part.name, part.value, *(f"{key}={value}" for key, value in part.args.items())]
            yield Piece(N_("figure"), " ".join(word for word in words if word), part.line)
        elif isinstance(part, Code):
            yield Piece(N_("code"), without_comments(part.source), part.line)
        elif isinstance(part, AfterPass):
            yield Piece(N_("figure"), "after-pass", part.line)
            yield from _pieces(part.parts)
            yield Piece(N_("figure"), "end", part.line)
        elif isinstance(part, Prose):
            yield from _paragraphs(part)


def _paragraphs(prose: Prose) -> Iterator[Piece]:
    for start, text in blocks(prose.text):
        line = prose.line + start
        kind, size = _kind(text)
        if kind == N_("code"):
            yield Piece(kind, without_comments("\n".join(text.splitlines()[1:-1])), line)
        else:
            yield Piece(kind, size, line)
        yield Piece(N_("links and numbers"), _readable(facts(text)), line)


def _readable(found: tuple[object, ...]) -> str:
    rows = [f"{name} ×{times}" if times > 1 else name for group in found for name, times in group]  # type: ignore[attr-defined]
    return ", ".join(rows) or "-"


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a passage with the line each begins in, from 0; a fence is one, a heading is one."""
    block: list[str] = []
    begun, mark = 0, ""
    for number, line in enumerate([*text.splitlines(), ""]):
        fence = re.match(r"(`{3,}|~{3,})", line)
        if mark:
            block.append(line)
            if line.strip() == mark:
                yield begun, "\n".join(block)
                block, mark = [], ""
            continue
        if block and (fence or not line.strip() or line.startswith("#")):
            yield begun, "\n".join(block)
            block = []
        if not line.strip():
            continue
        if not block:
            begun = number
        block.append(line)
        if fence:
            mark = fence[1]
        elif line.startswith("#"):
            yield begun, line
            block = []


def _kind(text: str) -> tuple[str, int]:
    """What kind of paragraph it is, and its size where that must be the same: level, items, rows."""
    first, lines = text.lstrip(), text.splitlines()
    if first.startswith(("```", "~~~")):
        return N_("code"), 0
    if first.startswith("#"):
        return N_("heading of level"), len(first) - len(first.lstrip("#"))
    if re.match(r"([-*+]|\d+\.) ", first):
        return N_("list of items"), sum(bool(re.match(r" *([-*+]|\d+\.) ", line)) for line in lines)
    if first.startswith("|"):
        return N_("table with lines"), len(lines)
    if first.startswith(">"):
        return N_("quotation"), 0
    return N_("paragraph"), 0


def without_comments(source: str) -> str:
    """Code with its comments taken out: they are translated."""
    try:
        tokens = [token for token in tokenize.generate_tokens(io.StringIO(source).readline)
                  if token.type not in (tokenize.COMMENT, tokenize.NL)]  # fmt: skip
        return " ".join(token.string if token.string.strip() else str(token.type) for token in tokens)
    except (tokenize.TokenError, SyntaxError):
        return "\n".join(line.partition("#")[0].rstrip() for line in source.splitlines())
