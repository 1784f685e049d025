"""A manager's trace, made of what a worker reported of it: results, and views where they were asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grader.replay.caller import OF_THE_CALLER, Caller
from grader.replay.events import apply
from grader.replay.explain import READINGS, Explained, Reading
from grader.replay.invariants import Broken, broken, broken_outside
from grader.replay.observe import observe
from grader.replay.op import Op, SeqId, Story
from grader.replay.result import Result, same
from grader.replay.state import State
from grader.replay.trace import Step, Trace
from grader.replay.view import View, change, same_view
from grader.replay.witness import Witness
from grader.replay.worlds import Worlds, explanations


def from_replies(
    story: Story, results: Sequence[Result], views: Sequence[Any] = (), readings: Iterable[Reading] = READINGS
) -> Trace:
    """The trace of a manager that gave ``results``. ``views[0]``: as constructed; ``views[i + 1]``: after op i.

    Judged from inside as long as that can be read, from outside from the first op where it cannot. Never raises,
    whatever the results and views are. O(num_blocks) an op where the inside is read.
    """
    watch = _Watch(story, tuple(readings))
    initial = watch.begin(views[0] if views else None)
    opening = change(watch.fresh if initial is None else initial.view(), watch.view)
    steps = tuple(
        watch.step(op, result, views[i + 1] if i + 1 < len(views) else None)
        for i, (op, result) in enumerate(zip(story.ops, results, strict=False))
    )
    return Trace(story, steps, initial, opening)


class _Watch:
    def __init__(self, story: Story, readings: tuple[Reading, ...]) -> None:
        self.witness = Witness(story)
        self.worlds: Worlds | None = Worlds(story, readings)  # None once the manager has left them all
        self.readings = readings  # those in which it did the contract's from its own state, so far
        self.caller = Caller()
        self.prompts: dict[SeqId, int] = {}
        self.fresh = self.witness.state.view()
        self.state: State | None = None
        self.view: View | None = None

    def begin(self, view: Any) -> State | None:
        self.state = self.witness.see(None, None, view)
        self.view = self.witness.public
        return self.state

    def step(self, op: Op, result: Result, view: Any) -> Step:
        seen, before = self.witness.see(op, result, view), self.state
        self.state = seen if before is not None else None  # an inside that was once unreadable stays so
        if op.name == "allocate" and type(result) is list:
            self.prompts[op.args[0]] = len(op.args[1])
        previous, self.view = self.view, self.witness.public
        inside = before is not None and self.state is not None
        contract = self._beside(op, result, None if inside else self.view)
        if before is not None and self.state is not None:
            step = self._inside(op, result, before, self.state)
        else:
            step = self._outside(op, result, contract, previous)
        self.caller.note(op, step.expected if step.agree is False else result)
        return step

    def _inside(self, op: Op, result: Result, before: State, after: State) -> Step:
        rows = explanations(before, op, self.readings)
        if op.name in OF_THE_CALLER:
            rows = [(readings, Explained([], self.caller.answer(op))) for readings, _ in rows]
        right = [row for row in rows if same(row[1].result, result) and apply(before.copy(), row[1].events) == after]
        said = self.view["num_free_blocks"] if self.view else None
        wrong = tuple(broken(after, said, self.prompts))
        public = change(after.view(), self.view)
        if right:
            self.readings = tuple(reading for readings, _ in right for reading in readings)
            return Step(op, result, tuple(right[0][1].events), wrong, view=public)
        told = rows[0][1]
        events = tuple(observe(before, after, op, result))
        return Step(op, result, events, wrong, False, tuple(told.events), told.result, view=public)

    def _outside(self, op: Op, result: Result, contract: Explained | None, previous: View | None) -> Step:
        wrong: tuple[Broken, ...] = ()
        if self.view is not None:
            state = self.witness.state
            wrong = tuple(broken_outside(self.view, state.num_blocks, state.block_size, self.prompts, state.tokens))
        public = change(previous, self.view)
        if contract is None:
            return Step(op, result, (), wrong, None, readable=False, view=public)
        agree = self.worlds is not None
        return Step(op, result, (), wrong, agree, tuple(contract.events), contract.result, False, public)

    def _beside(self, op: Op, result: Result, view: View | None) -> Explained | None:
        """What the contract, stepped beside the manager, does with ``op``; None once the manager has left it."""
        if self.worlds is None:
            return None
        rows = self.worlds.expected(op)
        kept = [row for row in rows if same(row[1].result, result)]
        self.worlds.move(op, kept or rows)
        shown = [world for world in self.worlds.worlds if view is None or same_view(world.state.view(), view)]
        told = (kept or rows)[0][1]
        if kept and shown:
            self.worlds.worlds = shown
        else:
            self.worlds = None
        return told
