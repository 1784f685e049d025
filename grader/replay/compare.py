"""Two traces of one story, up to the first difference: a manager's beside the contract's."""

from __future__ import annotations

from collections import deque
from typing import Any, Literal, NamedTuple

from grader.replay.result import same
from grader.replay.state import State
from grader.replay.trace import Trace
from grader.replay.view import View

#: What a manager keeps inside, in the order in which it is compared. What is in the blocks, and which tokens a sequence
#: has, follows from the results.
INSIDE = ("tables", "ref", "free_list", "evictable", "block_hash", "hash_to_block")


class Difference(NamedTuple):
    """Where two traces part: the step (-1: as constructed), what parts there, in which field, and both values.

    ``field`` is empty for a result. Values of ``tables``, ``cached`` and ``hash_to_block`` are lists of pairs.
    """

    step: int
    what: Literal["result", "view", "inside"]
    field: str
    expected: Any
    actual: Any


def first_difference(mine: Trace, reference: Trace) -> Difference | None:
    """The first step at which ``mine`` is not as ``reference``, both of one story; None where there is none.

    Within a step, results come first, then public views, then the insides where both can be read. Hash values are never
    compared, chain tags are. Steps that only one of them has are not compared: the one that ended early ended with a
    result of its own.
    """
    if mine.story.params != reference.story.params:
        raise ValueError("two different stories cannot be compared")
    found = _insides(-1, mine.initial, reference.initial)
    if found:
        return found
    both = zip(mine.steps, reference.steps, strict=False)
    mine_states, states, mine_views, views = mine.states(), reference.states(), mine.views(), reference.views()
    for index, (my_step, step) in enumerate(both):
        if my_step.op != step.op:
            raise ValueError("two different stories cannot be compared")
        mine_state, state, mine_view, view = next(mine_states), next(states), next(mine_views), next(views)
        if not same(step.result, my_step.result):
            return Difference(index, "result", "", step.result, my_step.result)
        found = _views(index, mine_view, view) or _insides(index, mine_state, state)
        if found:
            return found
    return None


def _views(index: int, mine: View | None, view: View | None) -> Difference | None:
    if mine is None or view is None:
        return None
    if mine["num_free_blocks"] != view["num_free_blocks"]:
        return Difference(index, "view", "num_free_blocks", view["num_free_blocks"], mine["num_free_blocks"])
    return _first(index, "view", ("tables", "cached"), view, mine)


def _insides(index: int, mine: State | None, state: State | None) -> Difference | None:
    if mine is None or state is None:
        return None
    return _first(index, "inside", INSIDE, _inside(state), _inside(mine))


def _inside(state: State) -> dict[str, Any]:
    return {field: getattr(state, field) for field in INSIDE} | {"evictable": list(state.evictable)}


def _first(
    index: int, what: Literal["view", "inside"], fields: tuple[str, ...], expected: dict[str, Any], mine: dict[str, Any]
) -> Difference | None:
    for field in fields:
        if field in ("tables", "cached", "hash_to_block"):
            same_here = dict(expected[field]) == dict(mine[field])
        else:
            same_here = expected[field] == mine[field]
        if not same_here:
            return Difference(index, what, field, _plain(expected[field]), _plain(mine[field]))
    return None


def _plain(value: Any) -> Any:
    """A copy as plain lists."""
    if isinstance(value, dict):
        return [[key, _plain(item)] for key, item in value.items()]
    return [_plain(item) for item in value] if isinstance(value, (list, deque)) else value
