"""What an op gave, in the form in which it crosses the link.

A plain value (None, bool, int, str, list of int) stands for itself. The rest are small dicts:

- ``{"raise": [class names, most derived first], "text": str, "refused": bool, "stack": str}``: it raised; ``refused``
  says that the exception is the contract's own (OutOfBlocks; for l22 a RuntimeError that says OOM)
- ``{"odd": type name, "text": str}``: it returned something the contract does not know
- ``{"skip": True}``: not asked, because the sequence was not live (or, for allocate, was)
- ``{"tensor": {"dtype": str, "shape": [int], "data": bytes}}``; the bytes travel beside the frame, where their number
  stands in their place. ``rows``, only in what is shown: where each row comes from
- ``{"content": {…}}``: every answer was plausible, but a sequence reads back K and V that are not its own
- ``{"trouble": kind, …}``: no answer came, the worker was lost in this op
"""

from __future__ import annotations

from typing import Any, NamedTuple

Result = Any

REFUSED: Result = {"raise": ["OutOfBlocks"], "text": "", "refused": True, "stack": ""}
SKIPPED: Result = {"skip": True}
ANY: Result = "*"


class Parting(NamedTuple):
    """Where a manager left the contract: the op's index, what was possible there, what came."""

    step: int
    expected: tuple[Result, ...]
    actual: Result


def refused(result: Result) -> bool:
    """Did the call raise what the contract lets it raise?"""
    return type(result) is dict and result.get("refused") is True


def raised(result: Result) -> bool:
    return type(result) is dict and "raise" in result


def same(expected: Result, actual: Result) -> bool:
    """Is ``actual`` what the contract gives? Types count: True is not 1. A refusal is any subclass of OutOfBlocks."""
    if expected is ANY:
        return True
    kind = type(expected)
    if kind is dict:
        if type(actual) is not dict:
            return False
        return refused(actual) if refused(expected) else bool(expected == actual)
    if kind is not type(actual) or expected != actual:
        return False
    return kind is not list or all(type(item) is int for item in actual)


def shown(result: Result) -> str:
    """One short line for people: ``[0, 1]``, ``OutOfBlocks``, ``TypeError: …``, ``tuple (0, 1)``; a long list is cut."""
    if type(result) is list and len(result) > 24:
        return f"[{', '.join(map(str, result[:10]))}, … {len(result) - 14} more …, {', '.join(map(str, result[-4:]))}]"
    if type(result) is not dict:
        return repr(result)
    if "raise" in result:
        text = str(result.get("text") or "")
        return f"{result['raise'][0]}: {text}" if text else str(result["raise"][0])
    if "odd" in result:
        text = str(result.get("text") or "")
        return f"{result['odd']} {text}".strip()
    if "tensor" in result:
        tensor = result["tensor"]
        rows = f" = {tensor['rows']}" if "rows" in tensor else ""
        return f"{tensor['dtype']} {tensor['shape']}{rows}"
    if "content" in result:
        return "K, V"
    if "trouble" in result:
        return str(result["trouble"])
    return "—"
