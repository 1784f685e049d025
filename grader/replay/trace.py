"""What happened in a story, op by op: the results, and the events that lead from one state to the next.

A trace keeps differences, not copies: the states come from playing the events on the first one. Written and read by
``record``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from grader.replay.caller import OF_THE_CALLER, Caller
from grader.replay.events import Event, apply
from grader.replay.explain import READINGS, Reading, explain
from grader.replay.invariants import Broken
from grader.replay.op import Op, Story
from grader.replay.result import Result
from grader.replay.state import State
from grader.replay.view import Change, View, changed


@dataclass(frozen=True, slots=True)
class Step:
    """One op of a trace.

    ``events`` lead to the state after it. Where the manager did what the contract does from its own previous state
    (``agree``), they are the contract's, reads included; else they are what was observed, and ``explained`` and
    ``expected`` are the contract's events and result.

    Where the inside is not ``readable``, ``events`` are empty, and ``explained`` and ``expected`` come from the
    contract stepped beside the manager. Once a result or view is not the contract's, there is nothing left to hold it
    against: ``agree`` is None from then on.

    ``broken``: the invariants that do not hold after it. ``view``: how the public view differs from what the state
    (where unreadable: the view before) tells.
    """

    op: Op
    result: Result
    events: tuple[Event, ...] = ()
    broken: tuple[Broken, ...] = ()
    agree: bool | None = True
    explained: tuple[Event, ...] = ()
    expected: Result = None
    readable: bool = True
    view: Change | None = None


@dataclass(frozen=True)
class Trace:
    """A story and what a manager made of it. ``initial``: the state it began in, None if its inside cannot be read.

    There may be fewer steps than ops: a story ends where an op raised what it may not, or never returned. ``opening``:
    how the first public view differs from what ``initial`` (a fresh pool, where None) tells.
    """

    story: Story
    steps: tuple[Step, ...]
    initial: State | None
    opening: Change | None = None

    def states(self) -> Iterator[State | None]:
        """The state after each step, None from where the inside cannot be read. One object throughout: copy to keep."""
        state = None if self.initial is None else self.initial.copy()
        for step in self.steps:
            if state is not None:
                state = apply(state, step.events) if step.readable else None
            yield state

    def views(self) -> Iterator[View | None]:
        """What contract calls alone told after each step, None where they did not."""
        fresh = State(**self.story.params).view()  # type: ignore[arg-type]
        view = changed(fresh if self.initial is None else self.initial.view(), self.opening)
        for step, state in zip(self.steps, self.states(), strict=True):
            view = changed(view if state is None else state.view(), step.view)
            yield view

    def at(self, index: int) -> State | None:
        """The state after step ``index`` (-1: before the first), or None."""
        state = None if self.initial is None else self.initial.copy()
        for state in islice(self.states(), index + 1):  # noqa: B007
            pass
        return state


def run(story: Story, reading: Reading = READINGS[0]) -> Trace:
    """The contract's own trace in one reading, from explain and apply alone: O(blocks touched) an op.

    ``broken`` is not computed: from a sound state the contract leaves a sound one (the tests hold it to that).
    """
    state, caller = State(**story.params), Caller()  # type: ignore[arg-type]
    steps = []
    for op in story.ops:
        told = explain(state, op, reading)
        result = caller.answer(op) if op.name in OF_THE_CALLER else told.result
        caller.note(op, result)
        apply(state, told.events)
        steps.append(Step(op, result, tuple(told.events)))
    return Trace(story, tuple(steps), State(**story.params))  # type: ignore[arg-type]
