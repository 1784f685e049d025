"""What contract calls alone tell of a manager after an op, and how two such views differ.

A view: ``{"num_free_blocks": int, "tables": [[seq, [block]]], "cached": [[seq, int]]}``. A change is a view of only
what is different, ``None`` for a sequence that is gone.
"""

from __future__ import annotations

from typing import Any

View = dict[str, Any]
Change = dict[str, Any]

#: The change to a view that cannot be read, or was not asked for.
LOST: Change = {"lost": True}

_EMPTY: View = {"num_free_blocks": None, "tables": [], "cached": []}


def readable(public: Any) -> View | None:
    """``public`` if it is a view. It comes from the sandbox: nothing about it is taken for granted."""
    try:
        sound = (
            type(public["num_free_blocks"]) is int
            and all(_seq(seq) and _ints(row) for seq, row in public["tables"])
            and all(_seq(seq) and type(number) is int for seq, number in public["cached"])
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
    return public if sound else None


def _seq(item: Any) -> bool:
    return type(item) in (str, int)


def _ints(row: Any) -> bool:
    return type(row) is list and all(type(item) is int for item in row)


def same_view(one: View, other: View) -> bool:
    """Do both tell the same? The order of sequences does not count."""
    return one["num_free_blocks"] == other["num_free_blocks"] and all(
        dict(one[field]) == dict(other[field]) for field in ("tables", "cached")
    )


def change(old: View | None, new: View | None) -> Change | None:
    """What makes ``new`` of ``old``; None if nothing is different."""
    if new is None:
        return None if old is None else LOST
    found: Change = {}
    old = old or _EMPTY
    if old["num_free_blocks"] != new["num_free_blocks"]:
        found["num_free_blocks"] = new["num_free_blocks"]
    for field in ("tables", "cached"):
        olds, news = dict(old[field]), dict(new[field])
        rows = [[seq, news.get(seq)] for seq in dict.fromkeys([*olds, *news]) if olds.get(seq) != news.get(seq)]
        if rows:
            found[field] = rows
    return found or None


def changed(old: View | None, by: Change | None) -> View | None:
    """The view that ``by`` makes of ``old``, which stays as it is."""
    if by is None:
        return old
    if "lost" in by:
        return None
    old = old or _EMPTY
    new: View = {"num_free_blocks": by.get("num_free_blocks", old["num_free_blocks"])}
    for field in ("tables", "cached"):
        rows = {**dict(old[field]), **dict(by.get(field, ()))}
        new[field] = [[seq, row] for seq, row in rows.items() if row is not None]
    return new
