"""What a reply may hold: exact forms, checked by hand. Whatever else comes back is a forgery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grader.replay.result import Result, refused
from grader.sandbox.link import LinkDown, Oversized, OverTime, Stopped, Stuck


def trouble(down: LinkDown) -> Result:
    """A lost worker as the result of the op that lost it."""
    if isinstance(down, Stopped):
        return {"trouble": down.ending.kind, "code": down.ending.code}
    if isinstance(down, Stuck):
        return {"trouble": "stuck", "stack": down.stack}
    if isinstance(down, OverTime):
        return {"trouble": "overtime"}
    return {"trouble": "oversized" if isinstance(down, Oversized) else "forged"}


def stack_of(down: LinkDown) -> str:
    return down.stack if isinstance(down, Stuck) else ""


def stops(result: Result) -> bool:
    """Does a story end here? It does where something was raised that the contract does not let be raised."""
    return type(result) is dict and ("trouble" in result or ("raise" in result and not refused(result)))


def out_of_memory(result: Result) -> bool:
    return type(result) is dict and "MemoryError" in result.get("raise", ())


def valid(result: Result) -> bool:
    """Is this one of the forms in which a worker may report a result?"""
    kind = type(result)
    if result is None or kind is bool or kind is int or kind is str:
        return True
    if kind is list:
        return set(map(type, result)) <= {int}
    if kind is not dict:
        return False
    if "raise" in result:
        return valid_problem(result)
    if "odd" in result:
        return set(result) == {"odd", "text"} and type(result["odd"]) is str and type(result["text"]) is str
    if "tensor" in result:
        return set(result) == {"tensor"} and _valid_tensor(result["tensor"])
    return bool(result == {"skip": True})


def valid_problem(problem: Any) -> bool:
    if type(problem) is not dict:
        return False
    if set(problem) == {"lacks"}:
        return type(problem["lacks"]) is str
    return (
        set(problem) == {"raise", "text", "refused", "stack"}
        and type(problem["raise"]) is list
        and bool(problem["raise"])
        and all(type(name) is str for name in problem["raise"])
        and type(problem["text"]) is str
        and type(problem["refused"]) is bool
        and type(problem["stack"]) is str
    )


def _valid_tensor(tensor: Any) -> bool:
    return (
        type(tensor) is dict
        and set(tensor) == {"dtype", "shape", "bytes"}
        and type(tensor["dtype"]) is str
        and type(tensor["bytes"]) is int
        and tensor["bytes"] >= 0
        and type(tensor["shape"]) is list
        and all(type(size) is int for size in tensor["shape"])
    )


def handed_out(results: Sequence[Result], attachment: bytes) -> bool:
    """Give each tensor its bytes, which stand one after the other in the attachment. False if they do not fit it."""
    start = 0
    for result in results:
        if type(result) is dict and "tensor" in result:
            tensor = result["tensor"]
            end = start + tensor.pop("bytes")
            tensor["data"], start = attachment[start:end], end
    return start == len(attachment)


def whole(created: Result, results: Sequence[Result], asked: int) -> bool:
    """Every op answered, or the last answer is why the rest is not."""
    if created is not None:
        return not results
    return len(results) == asked or (len(results) < asked and bool(results) and stops(results[-1]))
