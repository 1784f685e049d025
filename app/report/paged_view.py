"""Both sides after an op of l22 as pictures in html: the pool, the tables with their tokens, the tensor that came back.

A block has its own colour on both sides, and its id always stands beside it.
"""

from __future__ import annotations

from html import escape
from typing import Any

from app.words import text
from grader.playing_paged import Look, Request, Side
from grader.render.web import part
from grader.words import N_, Say

_HUES = 6
_CHIPS, _BOXES, _BEDS, _ROWS, _COLUMNS = 24, 8, 16, 20, 8
YOURS = N_("Yours")


def sides(look: Look, block_size: int, who: str = YOURS) -> str:
    """Yours, or whose else it is, beside the reference's, what is not the same marked."""
    mine = _side(who, look.mine, look.reference, look.answered, block_size)
    reference = _side(N_("Reference"), look.reference, look.mine, look.answered, block_size)
    note = ""
    if look.mine.free is None:
        hidden = text(N_("Your lists cannot be read: only the answers are compared."))
        note = f'<p class="quiet small">{escape(hidden)}</p>'
    return part(f'<div class="kvr-sides">{mine}{reference}</div>{note}')


def _side(title: str, side: Side, other: Side, answered: bool, size: int) -> str:
    rows = [_answer(side, answered)]
    if side.free is not None:
        rows.append(_part(N_("free_blocks"), _chips(side.free), _apart(side.free, other.free)))
    for request in side.requests or []:
        rows.append(_request(request, dict_of(other.requests).get(request[0]), size))
    if side.shape is not None and len(side.shape) == 2:
        rows.append(_tensor(side, size, not answered))
    return f'<section class="kvr-side"><h4>{escape(text(title))}</h4>{"".join(rows)}</section>'


def dict_of(requests: list[Request] | None) -> dict[Any, Request]:
    return {request[0]: request for request in requests or []}


def _answer(side: Side, answered: bool) -> str:
    given = N_("returned nothing") if side.answer == "None" else None
    shown = f"<span class=\"quiet\">{escape(text(given))}</span>" if given else f"<code>{escape(side.answer)}</code>"
    return _part(N_("it gave"), shown, not answered)


def _request(request: Request, other: Request | None, size: int) -> str:
    name, length, table = request
    boxes = "".join(_box(i, block, length, size) for i, block in enumerate(table[:_BOXES]))
    if len(table) > _BOXES:
        boxes += f'<div class="quiet">{escape(text(Say("and {n} more", n=len(table) - _BOXES)))}</div>'
    if not table:
        boxes = f'<div class="quiet">{escape(text(N_("no block yet")))}</div>'
    lost = length - len(table) * size
    if lost > 0:
        homeless = Say("{n} token without a place", plural="{n} tokens without a place", n=lost)
        boxes += f'<div class="bad">{escape(text(homeless))}</div>'
    head = Say("{name}: seq_len {length}", name=str(name), length=length)
    return _part(head, f'<div class="kvr-boxes">{boxes}</div>', other is not None and request[1:] != other[1:])


def _box(index: int, block: int, length: int, size: int) -> str:
    tokens = range(index * size, max(index * size, min((index + 1) * size, length)))
    beds = "".join(f"<i>{token}</i>" for token in tokens[:_BEDS])
    beds += '<i class="none"></i>' * min(size - len(tokens), _BEDS - min(len(tokens), _BEDS))
    place = escape(text(Say("logical {i}", i=index)))
    return f'<div class="l22-box hue{block % _HUES}"><b>{place} <em>→ {block}</em></b><div>{beds}</div></div>'


def _chips(ids: list[int]) -> str:
    if not ids:
        return f'<div class="l22-ids"><span class="none">{escape(text(N_("empty")))}</span></div>'
    chips = "".join(f'<span class="hue{block % _HUES}">{block}</span>' for block in ids[:_CHIPS])
    more = f"<span>+{len(ids) - _CHIPS}</span>" if len(ids) > _CHIPS else ""
    return f'<div class="l22-ids">{chips}{more}</div>'


def _tensor(side: Side, size: int, apart: bool) -> str:
    """A row a token: its place in the result, numbers as squares, and the row of the cache it is."""
    assert side.shape is not None
    rows, dim = side.shape
    columns = "<u></u>" * min(dim, _COLUMNS) + ("<s>…</s>" if dim > _COLUMNS else "")
    lines = []
    for row in range(min(rows, _ROWS)):
        place = None if side.origins is None else side.origins[row]
        kind = "none" if place is None or place < 0 else f"hue{place // size % _HUES}"
        where = "" if place is None else f"cache[{place // size}][{place % size}]" if place >= 0 else "?"
        lines.append(f'<div class="{kind}"><small>{row}</small>{columns}<code>{where}</code></div>')
    if rows > _ROWS:
        lines.append('<div><small>…</small></div>')
    drawn = f'<div class="l22-matrix">{"".join(lines)}</div>' if lines else ""
    return _part(Say("the rows of [{rows}, {dim}]", rows=rows, dim=dim), drawn, apart)


def _part(title: str | Say, inner: str, apart: bool) -> str:
    mark = '<b class="bad">≠</b> ' if apart else ""
    kind = "kvr-piece differs" if apart else "kvr-piece"
    return f'<div class="{kind}"><p class="small">{mark}{escape(text(title))}</p>{inner}</div>'


def _apart(one: Any, other: Any) -> bool:
    return None not in (one, other) and bool(one != other)
