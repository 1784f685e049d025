"""The eight readings of the contract in step: which of them a manager can still be following.

Most of a story is the same under all eight. So readings that have not parted yet share one state (a *world*), and a
world is split only at an op where they would really differ: a block whose chain the map already knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from grader.replay.caller import OF_THE_CALLER, Caller
from grader.replay.events import Event, apply
from grader.replay.explain import READINGS, Explained, Reading, explain
from grader.replay.op import Op, Story
from grader.replay.result import ANY, Parting, Result, same
from grader.replay.state import State


class World(NamedTuple):
    readings: tuple[Reading, ...]
    state: State


class Worlds:
    """Every way the contract allows, stepped together. ``step`` keeps the worlds that agree with what was seen."""

    def __init__(self, story: Story, readings: Iterable[Reading] = READINGS) -> None:
        self.worlds = [World(tuple(readings), State(**story.params))]  # type: ignore[arg-type]
        self.caller = Caller()

    @property
    def readings(self) -> tuple[Reading, ...]:
        return tuple(reading for world in self.worlds for reading in world.readings)

    @property
    def state(self) -> State:
        """The state of the first world still standing."""
        return self.worlds[0].state

    def expected(self, op: Op) -> list[tuple[World, Explained]]:
        """What each world does with ``op``, worlds split where their readings part here. Nothing is changed yet."""
        rows: list[tuple[World, Explained]] = []
        for world in self.worlds:
            for number, (readings, told) in enumerate(explanations(world.state, op, world.readings)):
                rows.append((World(readings, world.state.copy() if number else world.state), told))
        if op.name in OF_THE_CALLER:
            answer = self.caller.answer(op)
            rows = [(world, Explained([], answer)) for world, _ in rows]
        return rows

    def step(self, op: Op, actual: Result) -> tuple[Result, ...]:
        """Take ``op`` with what the manager answered. Returns () and moves on, or what was expected, and stays."""
        rows = self.expected(op)
        kept = [(world, told) for world, told in rows if same(told.result, actual)]
        if not kept:
            return distinct(told.result for _, told in rows)
        self.move(op, kept)
        return ()

    def play(self, op: Op) -> Result:
        """Take ``op`` without a manager: every world moves on; the first one's result is returned."""
        rows = self.expected(op)
        self.move(op, rows)
        return rows[0][1].result

    def move(self, op: Op, rows: list[tuple[World, Explained]]) -> None:
        """Go on with ``rows``, some of what ``expected`` gave for ``op``."""
        self.worlds = [world for world, _ in rows]
        for world, told in rows:
            apply(world.state, told.events)
        self.caller.note(op, rows[0][1].result)


def explanations(state: State, op: Op, readings: tuple[Reading, ...]) -> list[tuple[tuple[Reading, ...], Explained]]:
    """What the contract does from ``state`` in each of ``readings``, those that do not part here together."""
    told = explain(state, op, readings[0])
    parts = _split(readings, told.events) if len(readings) > 1 else [readings]
    return [(parts[0], told), *((part, explain(state, op, part[0])) for part in parts[1:])]


def distinct(results: Iterable[Result]) -> tuple[Result, ...]:
    """Each different result once, in order of appearance."""
    found: list[Result] = []
    for result in results:
        if not any(result is other or (result is not ANY and same(other, result)) for other in found):
            found.append(result)
    return tuple(found)


def _split(readings: Sequence[Reading], events: Iterable[Event]) -> list[tuple[Reading, ...]]:
    """Group ``readings`` by the choices that matter in an op with these ``events`` (told by any one of them)."""
    filled = {event[3] for event in events if event[0] == "fill"}
    if not filled:
        return [tuple(readings)]
    appends = any(event[0] == "append" for event in events)
    late = any(event[0] == "evict" and event[4] and event[3] in filled for event in events)
    twice = late or any(event[0] == "duplicate" or (event[0] == "register" and not event[3]) for event in events)
    if not twice:
        return [tuple(readings)]
    groups: dict[tuple[bool, ...], list[Reading]] = {}
    for reading in readings:
        if appends:
            key: tuple[bool, ...] = (reading.append_duplicates_carry,)
        else:
            key = (reading.allocate_duplicates_carry, reading.register_late)
        groups.setdefault(key, []).append(reading)
    return [tuple(group) for group in groups.values()]


def follow(story: Story, results: Sequence[Result], readings: Iterable[Reading] = READINGS) -> Parting | Worlds:
    """Hold a manager's ``results`` against the contract: the first op where no reading agrees, or the worlds left.

    Fewer results than ops: what is there is judged.
    """
    worlds = Worlds(story, readings)
    for index, (op, actual) in enumerate(zip(story.ops, results, strict=False)):
        expected = worlds.step(op, actual)
        if expected:
            return Parting(index, expected, actual)
    return worlds
