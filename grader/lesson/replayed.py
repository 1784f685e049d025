"""The fields of a claim on a block manager's story, read from the contract's own trace under every reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from grader.lesson.claims import Unclear, no_field, picked
from grader.replay.events import Event
from grader.replay.explain import READINGS, Reading
from grader.replay.op import Story
from grader.replay.result import Result, raised, shown
from grader.replay.state import State
from grader.replay.trace import Trace, run
from grader.words import Say


class Moment(NamedTuple):
    """After an op: the state, what the op gave, what happened in it."""

    state: State
    result: Result
    events: tuple[Event, ...]


Args = tuple[str, ...]


def values(story: Story, op: int, field: str, args: Args) -> list[Any]:
    """The field after op ``op`` in each of the eight readings. Raises Unclear."""
    if field not in FIELDS:
        raise no_field(field, FIELDS)
    return [FIELDS[field](moment, args) for moment in _moments(_Key(story), op)]


class _Key:
    """A story as a key: equal for the same object alone."""

    def __init__(self, story: Story) -> None:
        self.story = story

    def __hash__(self) -> int:
        return id(self.story)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.story is other.story


@lru_cache(maxsize=64)
def _trace(key: _Key, reading: Reading) -> Trace:
    return run(key.story, reading)


@lru_cache(maxsize=256)
def _moments(key: _Key, op: int) -> list[Moment]:
    found = []
    for reading in READINGS:
        trace = _trace(key, reading)
        state = trace.at(op - 1)
        assert state is not None
        step = trace.steps[op - 1] if op else None
        found.append(Moment(state, step.result if step else None, step.events if step else ()))
    return found


def _seq(moment: Moment, args: Args) -> Any:
    """The sequence that ``args`` begin with."""
    for seq in moment.state.tables:
        if args and str(seq) == args[0]:
            return seq
    live = ", ".join(str(seq) for seq in moment.state.tables) or "-"
    raise Unclear(Say("{name} is not live there. Live are: {names}", name=args[0] if args else "-", names=live))


def _number(args: Args, below: int) -> int:
    if len(args) != 1 or not args[0].isdecimal() or int(args[0]) >= below:
        raise Unclear(Say("{place} must be a number below {n}", place="/".join(args) or "-", n=below))
    return int(args[0])


def _result(moment: Moment, args: Args) -> Any:
    if raised(moment.result):
        return shown(moment.result)
    return picked(moment.result, args) if type(moment.result) is list else moment.result


def _slot(moment: Moment, args: Args) -> int:
    seq = _seq(moment, args)
    pos, size = _number(args[1:], len(moment.state.tokens[seq])), moment.state.block_size
    return moment.state.tables[seq][pos // size] * size + pos % size


def _capacity(place: int) -> Callable[[Moment, Args], int]:
    """``needed`` or ``available``, as the capacity check of an allocate saw them."""

    def read(moment: Moment, args: Args) -> int:
        for event in moment.events:
            if event[0] == "capacity":
                return int(event[place])
        raise Unclear(Say("there is no capacity check in this op: it is no allocate"))

    return read


def _fits(moment: Moment, args: Args) -> bool:
    state = moment.state
    return -(-_number(args, 1 << 31) // state.block_size) <= state.num_free_blocks


FIELDS: Mapping[str, Callable[[Moment, Args], Any]] = {
    "result": _result,
    "free": lambda moment, args: moment.state.num_free_blocks,
    "table": lambda moment, args: picked(moment.state.tables[_seq(moment, args)], args[1:]),
    "blocks": lambda moment, args: len(moment.state.tables[_seq(moment, args)]),
    "length": lambda moment, args: len(moment.state.tokens[_seq(moment, args)]),
    "cached": lambda moment, args: moment.state.cached[_seq(moment, args)],
    "slot": _slot,
    "ref": lambda moment, args: moment.state.ref[_number(args, moment.state.num_blocks)],
    "hashed": lambda moment, args: moment.state.block_hash[_number(args, moment.state.num_blocks)] is not None,
    "free_list": lambda moment, args: picked(list(moment.state.free_list), args),
    "evictable": lambda moment, args: picked(list(moment.state.evictable), args),
    "on_free_list": lambda moment, args: len(moment.state.free_list),
    "on_cart": lambda moment, args: len(moment.state.evictable),
    "fits": _fits,
    "needed": _capacity(2),
    "available": _capacity(3),
    "num_blocks": lambda moment, args: moment.state.num_blocks,
    "block_size": lambda moment, args: moment.state.block_size,
}
