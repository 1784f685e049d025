"""The three missions of l22 as pictures in html: boxes for blocks, small squares for numbers, shapes in words.

Colours stand for blocks and always come with the block's id; nothing is told by colour alone.
"""

from __future__ import annotations

from html import escape

from app.paged import Decode, Prefill, Sizes
from app.words import text
from grader.words import N_, Say

_COLUMNS = 8
_ROWS = 24
_HUES = 6


def prefill_picture(sizes: Sizes, found: Prefill) -> str:
    """The prompt's tokens, the blocks they need, the front of the pool that goes to the table."""
    size = sizes.block_size
    boxes = []
    for i in range(min(found.needed, _ROWS)):
        tokens = range(i * size, min((i + 1) * size, sizes.prompt))
        boxes.append(_box(i, found.table[i] if found.fits else None, tokens, size))
    count = Say("{prompt} tokens in blocks of {size}: {needed} needed, rounded up", prompt=sizes.prompt, size=size,
                needed=found.needed)  # fmt: skip
    lines = [_line(text(count), f"-(-{sizes.prompt} // {size}) == {found.needed}")]
    if sizes.prompt % size and sizes.prompt // size < found.needed:
        few = Say("rounded down it would be {few}: the last tokens would have no place", few=sizes.prompt // size)
        lines.append(_line(text(few), f"{sizes.prompt} // {size} == {sizes.prompt // size}", "quiet"))
    have = len(found.before)
    if found.fits:
        say = Say("{have} are free: enough, so now they move", have=have)
        lines.append(_line(text(say), f"{found.needed} <= {have}"))
    else:
        say = Say("only {have} are free: RuntimeError with OOM in its text, before anything has moved", have=have)
        lines.append(_line(text(say), f"{found.needed} > {have}", "wrong"))
    return (
        _part(N_("The prompt, cut into blocks"), f'<div class="l22-boxes">{"".join(boxes)}</div>', *lines)
        + _part(N_("free_blocks before"), _ids(found.before, found.needed if found.fits else 0))
        + _part(N_("free_blocks after"), _ids(found.after))
        + _part(N_("block_table"), _ids(found.table, len(found.table)))
    )


def decode_picture(sizes: Sizes, rows: list[Decode]) -> str:
    """A line for each generated token: does it open a block?"""
    size = sizes.block_size
    head = [N_("length with the new token"), f"% {size}", N_("new block?"), N_("block_table"), N_("free")]
    body = []
    for row in rows:
        if row.refused:
            said, kind = text(N_("needed, none left: OOM")), "wrong"
        elif row.opens:
            said, kind = text(Say("yes: block {id}", id=row.new or 0)), "new"
        else:
            said, kind = text(N_("no, the last block has room")), ""
        left = row.length % size
        table = _ids(row.table, len(row.table), row.new)
        cells = [_lengths(row.length, size), str(left), escape(said), table, str(len(row.free))]
        body.append(f'<tr class="{kind}">' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    heads = "".join(f'<th scope="col">{escape(text(cell))}</th>' for cell in head)
    rule = text(N_("The length is counted up first. A new token opens a block when it is the first one in it."))
    code = f"seq_len % {size} == 1" if size > 1 else "len(block_table) * 1 < seq_len"
    table_html = (
        f'<div class="l22-scroll" tabindex="0"><table class="l22-steps"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )
    one = text(N_("With blocks of 1 every token opens one, and the rule with % 1 never fires: compare with the table."))
    extra = [_line(one, "", "wrong")] if size == 1 else []
    return _part(N_("Decode, one token a step"), table_html, _line(rule, code), *extra)


def gather_picture(sizes: Sizes, table: list[int], length: int) -> str:
    """Pieces in the order of the table, joined along the tokens, cut to the length."""
    size, dim = sizes.block_size, sizes.head_dim
    pieces = "".join(
        f'<div class="l22-piece"><span>physical_kv_cache[{block}]</span> {_shape(size, dim)}'
        f"{_matrix(size, dim, [i] * size)}</div>"
        for i, block in enumerate(table[:6])
    )
    if len(table) > 6:
        pieces += f'<div class="l22-piece">{escape(text(Say("and {n} more", n=len(table) - 6)))}</div>'
    owners = [i for i in range(len(table)) for _ in range(size)]
    joined = _shape(len(owners), dim) + _matrix(len(owners), dim, owners)
    cut = _shape(length, dim) + _matrix(len(owners), dim, owners, keep=length)
    ids = ", ".join(map(str, table))
    order = text(N_("In the order of the table: its places are the order of the tokens, the ids are only addresses."))
    tail = text(
        Say(
            "{n} row of the last block was never written",
            plural="{n} rows of the last block were never written",
            n=len(owners) - length,
        )
    )
    return (
        '<div class="l22-flow">'
        + _part(N_("1. Pieces"), _line(order, f"block_table == [{ids}]"), f'<div class="l22-row">{pieces}</div>')
        + _part(N_("2. Joined"), _line(text(N_("Along dim 0, the tokens.")), "torch.cat(pieces, dim=0)"), joined)
        + _part(N_("3. Cut"), _line(tail, f"[:{length}]"), cut)
        + "</div>"
    )


def _part(title: str, *inner: str) -> str:
    return f'<section class="l22-part"><h3>{escape(text(title))}</h3>{"".join(inner)}</section>'


def _line(said: str, code: str, kind: str = "") -> str:
    shown = f" <code>{escape(code)}</code>" if code else ""
    return f'<p class="l22-line {kind}">{escape(said)}{shown}</p>'


def _box(index: int, block: int | None, tokens: range, size: int) -> str:
    beds = "".join(f"<i>{token}</i>" for token in tokens) + '<i class="none"></i>' * (size - len(tokens))
    where = f"→ {block}" if block is not None else "→ ?"
    kind = f"hue{index % _HUES}" if block is not None else "none"
    label = escape(text(Say("logical {i}", i=index)))
    return f'<div class="l22-box {kind}"><b>{label} <em>{where}</em></b><div>{beds}</div></div>'


def _ids(ids: list[int], taken: int = 0, new: int | None = None) -> str:
    """Ids in order; the first ``taken`` in the colours of their places in a table."""
    if not ids:
        return f'<div class="l22-ids"><span class="none">{escape(text(N_("empty")))}</span></div>'
    shown = [
        f'<span class="{f"hue{i % _HUES}" if i < taken else ""}{" fresh" if block == new else ""}">{block}</span>'
        for i, block in enumerate(ids[:_ROWS])
    ]
    more = f"<span>+{len(ids) - _ROWS}</span>" if len(ids) > _ROWS else ""
    return f'<div class="l22-ids">{"".join(shown)}{more}</div>'


def _lengths(length: int, size: int) -> str:
    """The length, and the last block's beds as far as they are taken."""
    last = (length - 1) % size + 1
    beds = '<i class="on"></i>' * (last - 1) + '<i class="on now"></i>' + "<i></i>" * (size - last)
    return f'<b>{length - 1} → {length}</b> <span class="l22-beds">{beds}</span>' if size <= 16 else f"<b>{length}</b>"


def _matrix(rows: int, dim: int, owners: list[int], keep: int | None = None) -> str:
    """Numbers as squares, a row a token, in the colour of the block it comes from; rows from ``keep`` on struck out."""
    columns = min(dim, _COLUMNS)
    lines = []
    for row in range(min(rows, 2 * _ROWS)):
        gone = keep is not None and row >= keep
        cells = "<u></u>" * columns + ("<s>…</s>" if dim > columns else "")
        kind = f"hue{owners[row] % _HUES}" + (" gone" if gone else "")
        lines.append(f'<div class="{kind}"><small>{row}</small>{cells}</div>')
    if rows > 2 * _ROWS:
        lines.append("<div><small>…</small></div>")
    return f'<div class="l22-matrix" aria-hidden="true">{"".join(lines)}</div>'


def _shape(rows: int, dim: int) -> str:
    return f'<code class="l22-shape">[{rows}, {dim}]</code>'
