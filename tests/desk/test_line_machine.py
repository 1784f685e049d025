"""Whatever is done in whatever order: each submission ends once, attempts are counted, and the line is fair."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from grader.desk.claims import ATTEMPTS, LEASE_S, Claim, Claims
from grader.desk.desk import Desk, Refused
from grader.desk.store import Store
from grader.desk.tables import ReportRow, ResultRow, SourceRow
from grader.report import CheckResult
from grader.words import Say
from tests.desk.conftest import Clock
from tests.desk.table_tools import empty, finish, sizes, suites

PEOPLE = ("ann", "bob", "cy")
JUDGES = ("j0", "j1")
ROOM = 4


@dataclass
class Model:
    """What the desk should know of one submission."""

    person: str
    source: bytes
    number: int
    state: str = "queued"
    attempts: int = 0
    verdict: str | None = None
    stored: bool = False
    claim: Claim | None = None
    judge: str = ""
    lease: float = 0.0
    results: int = 0
    old: list[Claim] = field(default_factory=list)


class Machine(RuleBasedStateMachine):
    store: Store
    clock: Clock

    def __init__(self) -> None:
        super().__init__()
        empty(self.store)
        self.desk = Desk("", waiting=ROOM, store=self.store)
        self.claims = Claims(self.store)
        self.known: dict[str, Model] = {}
        self.turns: dict[str, int] = {}
        self.answers: dict[bytes, str] = {}
        self.number = 0

    # -- what may be done ------------------------------------------------------------------------------------------

    @rule(person=st.sampled_from(PEOPLE), which=st.integers(0, 3))
    def submit(self, person: str, which: int) -> None:
        source = b"x = %d\n" % which
        waiting = [m for m in self.known.values() if m.person == person and m.state == "queued"]
        answer = self.answers.get(source)
        try:
            made = self.desk.submit(person, "p06", source, "x.py")
        except Refused:
            assert answer is None and len(waiting) == ROOM
            return
        self.number += 1
        model = self.known[made.id] = Model(person, source, self.number)
        if answer is not None:
            model.state, model.verdict, model.stored = "done", answer, True
        else:
            assert len(waiting) < ROOM

    @rule(judge=st.sampled_from(JUDGES))
    def claim(self, judge: str) -> None:
        self.number += 1
        self.forget_lapsed()
        while (expected := self.next_in_line()) is not None and self.known[expected].source in self.answers:
            model = self.known[expected]
            model.state, model.verdict, model.stored = "done", self.answers[model.source], True
        made = self.claims.claim(judge, suites)
        assert (made and made.submission) == expected
        if made is not None:
            model = self.known[made.submission]
            assert made.source == model.source
            self.turns[model.person] = self.number
            model.state, model.claim, model.judge, model.results = "running", made, judge, 0
            model.attempts += 1
            model.lease = self.clock.now + LEASE_S

    @rule(data=st.data())
    @precondition(lambda self: self.held())
    def beat(self, data: Any) -> None:
        model, claim = self.any_claim(data)
        rows = [CheckResult(f"c{n}", "acceptance", "title", "passed") for n in range(model.results + 2)]
        there = model.claim == claim
        assert self.claims.beat(claim, rows, model.results if there else 0, (9, 1)) == there
        if there:
            model.results, model.lease = len(rows), self.clock.now + LEASE_S

    @rule(data=st.data(), verdict=st.sampled_from(["passed", "failed", "error"]))
    @precondition(lambda self: self.held())
    def finish(self, data: Any, verdict: str) -> None:
        model, claim = self.any_claim(data)
        there = model.claim == claim
        verdict = self.answers.get(model.source, verdict) if verdict != "error" else verdict
        assert finish(self.claims, claim, verdict) == there
        if there:
            self.leave(model, "done")
            model.verdict = verdict
            if verdict != "error":
                self.answers[model.source] = verdict

    @rule(data=st.data())
    @precondition(lambda self: self.held())
    def fail(self, data: Any) -> None:
        model, claim = self.any_claim(data)
        there = model.claim == claim
        assert self.claims.fail(claim, Say("trouble")) == there
        if there:
            self.lose(model)

    @rule(data=st.data())
    @precondition(lambda self: self.held())
    def give_back(self, data: Any) -> None:
        model, claim = self.any_claim(data)
        there = model.claim == claim
        assert self.claims.give_back(claim) == there
        if there:
            self.leave(model, "queued")
            model.attempts -= 1

    @rule(seconds=st.sampled_from([1.0, LEASE_S / 2, LEASE_S + 1]))
    def time_goes_on(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule(dead=st.sampled_from([(), *((judge,) for judge in JUDGES)]))
    def look_for_the_lost(self, dead: tuple[str, ...]) -> None:
        gone = [m for m in self.known.values() if m.claim and (m.judge in dead or m.lease < self.clock.now)]
        assert self.claims.lapse(lambda judge: judge in dead) == len(gone)
        for model in gone:
            self.lose(model)

    @rule(data=st.data(), person=st.sampled_from(PEOPLE))
    @precondition(lambda self: self.known)
    def cancel(self, data: Any, person: str) -> None:
        id = self.any_id(data)
        model = self.known[id]
        can = model.person == person and model.state in ("queued", "running")
        assert self.desk.cancel(person, id) == can
        if can:
            self.leave(model, "abandoned")

    @rule(data=st.data(), person=st.sampled_from(PEOPLE))
    @precondition(lambda self: self.known)
    def delete(self, data: Any, person: str) -> None:
        id = self.any_id(data)
        model = self.known[id]
        can = model.person == person
        assert self.desk.delete(person, id) == can
        if can:
            del self.known[id]
            self.number += 1
            if all(other.source != model.source for other in self.known.values()):
                self.answers.pop(model.source, None)
        else:
            self.number += 1

    # -- what must hold --------------------------------------------------------------------------------------------

    @invariant()
    def everyone_sees_their_own_as_it_is(self) -> None:
        places = {id: place for place, id in enumerate(self.line())}
        for person in PEOPLE:
            theirs = {id: model for id, model in self.known.items() if model.person == person}
            seen = self.desk.submissions(person)
            assert [one.id for one in seen] == sorted(theirs, key=lambda id: -theirs[id].number)
            for one in seen:
                model = theirs[one.id]
                assert (one.state, one.attempts, one.verdict, one.stored) == (
                    model.state, model.attempts, model.verdict, model.stored
                )  # fmt: skip
                assert one.ahead == places.get(one.id, 0)
                assert (one.reason is None) == (model.state != "abandoned")

    @invariant()
    def nothing_is_kept_that_nobody_has(self) -> None:
        sources = {model.source for model in self.known.values()}
        shown = sum(m.results for m in self.known.values() if m.state != "done")
        found = sizes(self.store, [SourceRow, ResultRow])
        assert found == [len(sources), shown]
        assert len(self.answers) <= sizes(self.store, [ReportRow])[0]

    # -- the model's own working -----------------------------------------------------------------------------------

    def line(self) -> list[str]:
        """Ids in the order in which they will be graded: one at a time, by whoever has stood longest."""
        left = {id: model for id, model in self.known.items() if model.state == "queued"}
        turns, found, number = dict(self.turns), [], self.number
        while left:
            oldest: dict[str, str] = {}
            for id in sorted(left, key=lambda id: -left[id].number):
                oldest[left[id].person] = id
            person = min(oldest, key=lambda p: max(left[oldest[p]].number, turns.get(p, 0)))
            found.append(oldest[person])
            del left[oldest[person]]
            number += 1
            turns[person] = number
        return found

    def next_in_line(self) -> str | None:
        return next(iter(self.line()), None)

    def forget_lapsed(self) -> None:
        for model in self.known.values():
            if model.claim is not None and model.lease < self.clock.now:
                self.lose(model)

    def leave(self, model: Model, state: str) -> None:
        if model.claim is not None:
            model.old.append(model.claim)
        model.claim, model.state = None, state

    def lose(self, model: Model) -> None:
        self.leave(model, "abandoned" if model.attempts >= ATTEMPTS else "queued")

    def held(self) -> bool:
        return any(model.claim or model.old for model in self.known.values())

    def any_id(self, data: Any) -> str:
        return sorted(self.known, key=lambda id: self.known[id].number)[data.draw(st.integers(0, len(self.known) - 1))]

    def any_claim(self, data: Any) -> tuple[Model, Claim]:
        """One that is held, or was once: a judge that was paused may come back with it."""
        rows = [(m, c) for m in self.known.values() for c in [*([m.claim] if m.claim else []), *m.old[-2:]]]
        return rows[data.draw(st.integers(0, len(rows) - 1))]


@pytest.mark.slow
def test_each_ends_once_and_the_line_is_fair(store: Store, clock: Clock) -> None:
    fast = store.engine.dialect.name == "sqlite"
    examples = settings(
        max_examples=20 if fast else 8, stateful_step_count=40, deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    run_state_machine_as_test(type("Here", (Machine,), {"store": store, "clock": clock}), settings=examples)
