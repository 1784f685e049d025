"""A crowd hands in, and the server and its judges are killed at random moments: what was seen at each kill."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field

from sqlalchemy import select, text

from grader.desk.desk import Desk
from grader.desk.judging import me
from grader.desk.tables import SubmissionRow
from solutions import mistakes
from tests.desk.processes import Family, end, judges_of, kill

PEOPLE = 7
JUDGES = 2
CHEAP = ("free-returns-everything", "slot-mapping", "can-allocate", "worked-2", "two-managers")
IDS = [mistake.id for mistake in mistakes.MISTAKES if mistake.exercise == "p06"]
WRITE_DOWN = {
    "sqlite": """
        CREATE TABLE ending (id TEXT, state TEXT);
        CREATE TRIGGER ended AFTER UPDATE OF state ON submission
            WHEN NEW.state IN ('done', 'abandoned') OR OLD.state IN ('done', 'abandoned')
            BEGIN INSERT INTO ending VALUES (NEW.id, NEW.state)| END;
        CREATE TRIGGER at_once AFTER INSERT ON submission WHEN NEW.state IN ('done', 'abandoned')
            BEGIN INSERT INTO ending VALUES (NEW.id, NEW.state)| END""",
    "postgresql": """
        CREATE TABLE ending (id TEXT, state TEXT);
        CREATE FUNCTION write_down() RETURNS trigger AS
            'BEGIN INSERT INTO ending VALUES (NEW.id, NEW.state)| RETURN NULL| END' LANGUAGE plpgsql;
        CREATE TRIGGER ended AFTER UPDATE OF state ON submission FOR EACH ROW
            WHEN (NEW.state IN ('done', 'abandoned') OR OLD.state IN ('done', 'abandoned'))
            EXECUTE FUNCTION write_down();
        CREATE TRIGGER at_once AFTER INSERT ON submission FOR EACH ROW
            WHEN (NEW.state IN ('done', 'abandoned')) EXECUTE FUNCTION write_down()""",
}
"""The database itself writes down each ending, and each change of one that has ended."""


@dataclass
class Kill:
    """What was killed, and what stood where just before."""

    at: float
    victim: str
    states: dict[str, int]
    running: dict[str, int]
    hit: list[str] = field(default_factory=list)


@dataclass
class Outcome:
    expected: dict[str, str]
    found: dict[str, SubmissionRow]
    endings: Counter[str]
    kills: list[Kill]
    left: list[str]
    seconds: float


def crowd(desk: Desk, count: int, chance: random.Random) -> dict[str, str]:
    """Hand in ``count`` files of several people; the verdict that each must get, by id."""
    reference = mistakes.reference_source("p06")
    expected: dict[str, str] = {}
    for n in range(count):
        kind = chance.choices(("right", "wrong", "syntax", "again", "whole"), (44, 34, 12, 6, 4))[0]
        source, only, verdict = f"{reference}\n# {n}\n", [chance.choice(CHEAP)], "passed"
        if kind == "wrong":
            mistake = chance.choice(IDS)
            source, only, verdict = f"{mistakes.source(mistake)}\n# {n}\n", [f"mistake-{mistake}"], "failed"
        elif kind == "syntax":
            source, verdict = f"class BlockManager{n}(:\n", "failed"
        elif kind == "again":
            source, only = reference, ["worked-3"]
        elif kind == "whole":
            only = []
        person = f"person {chance.randrange(PEOPLE)}"
        expected[desk.submit(person, "p06", source.encode(), f"file_{n}.py", only).id] = verdict
    return expected


def run(database: str, submissions: int, kills: int, seed: int, within_s: float) -> Outcome:
    """Let it happen. ``kills``: in a random order servers and judges, at moments spread over the work."""
    chance, began = random.Random(seed), time.monotonic()
    desk, family = Desk(database, waiting=submissions), Family()
    with desk.store.write() as session:
        for statement in WRITE_DOWN[desk.store.engine.dialect.name].split(";"):
            session.execute(text(statement.replace("|", ";")))
    expected = crowd(desk, submissions, chance)
    moments = sorted(chance.sample(range(submissions * 9 // 10), kills))
    victims = chance.sample(["server", "judge"] * kills, kills)
    victims[:2] = ["judge", "server"]  # both, however few
    told = {"database": database, "count": JUDGES}
    server = family.start("tests.desk.serving", told)
    made: list[Kill] = []
    try:
        while True:
            rows = _rows(desk)
            ended = sum(row.state in ("done", "abandoned") for row in rows.values())
            if ended == submissions:
                break
            if len(made) < kills and ended >= moments[len(made)]:
                time.sleep(chance.uniform(0, 0.4))
                done = _strike(desk, server, victims[len(made)], chance)
                if done is not None:
                    done.at = time.monotonic() - began
                    made.append(done)
            if server.poll() is not None:
                end(server)
                server = family.start("tests.desk.serving", told)
            if time.monotonic() - began > within_s:
                raise TimeoutError(f"after {within_s} s: {Counter(row.state for row in rows.values())}")
            time.sleep(0.03)
    finally:
        end(server)
        left = family.left(15)
    with desk.store.read() as session:
        endings = Counter(id for (id,) in session.execute(text("SELECT id FROM ending")))
    found = _rows(desk)
    desk.close()
    return Outcome(expected, found, endings, made, left, time.monotonic() - began)


def _rows(desk: Desk) -> dict[str, SubmissionRow]:
    with desk.store.read() as session:
        rows = session.scalars(select(SubmissionRow)).all()
        session.expunge_all()
        return {row.id: row for row in rows}


def _strike(desk: Desk, server: subprocess.Popen[bytes], victim: str, chance: random.Random) -> Kill | None:
    """Kill the server, or one of its judges, if there is one just now."""
    judges = judges_of(server.pid)
    if victim == "judge" and not judges:
        return None
    pid = server.pid if victim == "server" else chance.choice(judges)
    names = {me(judge) for judge in judges} if victim == "server" else {me(pid)}
    rows = _rows(desk)
    kill(pid)
    running = {id: row for id, row in rows.items() if row.state == "running"}
    states = dict(Counter(row.state for row in rows.values()))
    hit = [id for id, row in running.items() if row.judge in names]
    return Kill(0.0, f"{victim} {pid}", states, {id: row.attempts for id, row in running.items()}, hit)


def table(outcome: Outcome) -> str:
    """A row a kill: states at the kill, what it hit and in which attempt, and how that ended."""
    lines = [f"{'at':>6}  {'killed':<14} queued run done gone  what it hit: attempt, then how it ended"]
    for one in outcome.kills:
        counts = [one.states.get(state, 0) for state in ("queued", "running", "done", "abandoned")]
        hit = []
        for id in one.hit:
            row = outcome.found[id]
            hit.append(f"#{row.number} attempt {one.running[id]}, {row.verdict or row.state} in attempt {row.attempts}")
        said = "; ".join(hit) or "nothing was being graded"
        lines.append(
            f"{one.at:5.1f}s  {one.victim:<14} {counts[0]:>6} {counts[1]:>3} {counts[2]:>4} {counts[3]:>4}  {said}"
        )
    attempts = Counter(row.attempts for row in outcome.found.values())
    ended = Counter(row.verdict or row.state for row in outcome.found.values())
    whole = f"{len(outcome.found)} submissions in {outcome.seconds:.0f} s; in attempts {dict(sorted(attempts.items()))}"
    return "\n".join([*lines, f"{whole}; ended {dict(ended)}; processes left: {len(outcome.left)}"])
