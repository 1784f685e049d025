"""The fields of a claim on one of l22's stories, read from the contract's model; no torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grader.exercises.l22.model import Model, Request
from grader.lesson.claims import Unclear, no_field, picked
from grader.replay.op import Story, p06_story
from grader.replay.result import raised
from grader.words import Say

Args = tuple[str, ...]

PARAMS = ("num_blocks", "block_size", "head_dim")


def values(story: Story, op: int, field: str, args: Args) -> list[Any]:
    """The field after op ``op``: every value that is right there. Raises Unclear."""
    model, results = Model(story), [None]
    for one in story.ops[:op]:
        results = list(model.step(one, None))
    if field == "result":
        return [_result(result, args) for result in results]
    if field not in FIELDS:
        raise no_field(field, {"result": None, **FIELDS})
    return FIELDS[field](model, args)


def hotel(story: Story) -> tuple[Story, list[int]] | None:
    """The story as a block manager without a cache plays it, and how many of its ops are over after each of these.

    A prefill is an allocate, a decode an append; questions are left out. None for a story with a table of somebody's
    choice: no block manager would have given it.
    """
    rows: list[list[Any]] = []
    over, lengths = [0], dict[Any, int]()
    for op in story.ops:
        if op.name == "request":
            return None
        if op.name == "prefill":
            name, lengths[name] = op.args
            rows.append(["allocate", name, list(range(1, lengths[name] + 1))])
        elif op.name == "decode":
            lengths[op.args[0]] += 1
            rows.append(["append_slot", op.args[0], lengths[op.args[0]]])
        over.append(len(rows))
    params = story.params
    return p06_story(params["num_blocks"], params["block_size"], rows, cache=False, id=story.id), over


def _result(result: Any, args: Args) -> Any:
    """A list, a number, OOM; of a tensor its shape."""
    if raised(result):
        return "OOM"
    if type(result) is dict and "tensor" in result:
        return picked(result["tensor"]["shape"], args)
    return picked(result, args) if type(result) is list else result


def _request(model: Model, args: Args) -> Request:
    for name, request in model.requests.items():
        if args and str(name) == args[0]:
            return request
    names = ", ".join(str(name) for name in model.requests) or "-"
    raise Unclear(Say("{name} is not live there. Live are: {names}", name=args[0] if args else "-", names=names))


def _rows(model: Model, args: Args) -> list[Any]:
    """How many rows of the result each block of the table gives."""
    request, size = _request(model, args), model.block_size
    return [
        picked([min(size, length - start) for start in range(0, length, size)], args[1:]) for length in request.lengths
    ]


FIELDS: Mapping[str, Callable[[Model, Args], list[Any]]] = {
    "table": lambda model, args: [picked(_request(model, args).table, args[1:])],
    "blocks": lambda model, args: [len(_request(model, args).table)],
    "seq_len": lambda model, args: list(_request(model, args).lengths),
    "free_blocks": lambda model, args: [picked(model.free, args)],
    "free": lambda model, args: [len(model.free)],
    "shape": lambda model, args: [
        picked([length, model.head_dim], args[1:]) for length in _request(model, args).lengths
    ],
    "joined": lambda model, args: [
        picked([len(_request(model, args).table) * model.block_size, model.head_dim], args[1:])
    ],
    "rows": _rows,
    "num_blocks": lambda model, args: [model.num_blocks],
    "block_size": lambda model, args: [model.block_size],
    "head_dim": lambda model, args: [model.head_dim],
}
