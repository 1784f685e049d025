"""Stars: what a careful engineer adds. None of these decides a verdict."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

from grader.checks import CheckFailed, check
from grader.replay.op import Op, Row, Story, p06_story
from grader.replay.result import Parting, raised, shown
from grader.report import Failure
from grader.sandbox.remote import Played
from grader.sandbox.replies import stops
from grader.subject import Subject, learner_stack
from grader.wording import lost
from grader.words import N_, Say

SLOWER = 8.0
PATIENCE_S = 12.0  # stars must not use up the time of a grading; a busy machine is not the learner's doing
ROUNDS, PART = 10_000, 1_000
LEFT = 1_000
CLEAR = {"AttributeError", "TypeError", "IndexError", "AssertionError", "UnboundLocalError", "NotImplementedError"}


@check(
    "stretch-speed",
    N_("an op costs the same at 1,000 and at 100,000 blocks"),
    group="stretch",
    hint="speed",
    why=N_("A real pool has tens of thousands of blocks, and every step of every request passes through here."),
)
def test_speed(subject: Subject) -> None:
    why = N_("A real pool has tens of thousands of blocks, and every step of every request passes through here.")
    pools = (1_000, 100_000)
    sessions = [_full_of_evictable(subject, blocks, why) for blocks in pools]
    spent: dict[int, list[float]] = {blocks: [] for blocks in pools}
    for turn in range(7):
        for blocks, (key, story) in zip(pools, sessions, strict=True):
            ops = _touch(blocks, turn)
            began = time.perf_counter()
            played = subject.remote.go_on(key, story.with_ops(ops))
            spent[blocks].append(time.perf_counter() - began)
            _expect_served(subject, story.with_ops(ops), played.results)
        if sum(map(sum, spent.values())) > PATIENCE_S:
            break
    small, large = (sorted(spent[blocks])[len(spent[blocks]) // 2] for blocks in pools)
    if large > SLOWER * small:
        # No figure: the same file must get the same words every time.
        text = N_(
            "an op takes many times as long at {large} blocks as at {small}: look for list.pop(0), deque.remove, `in` "
            "on a list, or a loop over all blocks"
        )
        raise subject.too_slow(Say(text, small=f"{pools[0]:,}", large=f"{pools[1]:,}"), why)


def _full_of_evictable(subject: Subject, blocks: int, why: str) -> tuple[str, Story]:
    """A session whose pool is all on the cart, in the order of many sequences."""
    began = time.perf_counter()
    story = p06_story(blocks, 1, [])
    key = _opened(subject, story)
    for part, played in subject.remote.go_on_each(key, map(story.with_ops, _filling(blocks))):
        _expect_served(subject, part, played.results)
        if time.perf_counter() - began > PATIENCE_S:
            text = N_("filling and freeing a pool of {blocks} blocks takes more than {seconds:g} s")
            raise subject.too_slow(Say(text, blocks=f"{blocks:,}", seconds=PATIENCE_S), why)
    return key, story


@cache
def _filling(blocks: int) -> list[list[Op]]:
    """100 sequences that together fill the pool, each allocated and freed, a few at a time."""
    size = blocks // 100
    ops = [
        one
        for number in range(100)
        for one in (
            Op("allocate", (f"f{number}", list(range(number * size, (number + 1) * size)))),
            Op("free", (f"f{number}",)),
        )
    ]
    return [ops[start : start + 10] for start in range(0, len(ops), 10)]


@cache
def _touch(blocks: int, turn: int) -> list[Op]:
    """400 small ops that revive from the middle of the cart, append, evict and free."""
    ops: list[Op] = []
    size = blocks // 100
    for i in range(100):
        first = (i * 37 + turn) % 100 * size
        name = f"t{turn}-{i}"
        ops += [Op("allocate", (name, [first, first + 1, first + 2])), Op("append_slot", (name, 10**6 + i))]
        ops += [Op("append_slot", (name, 10**6)), Op("free", (name,))]
    return ops


def _opened(subject: Subject, story: Story) -> str:
    """A session of ``story``; CheckFailed if no manager can be constructed."""
    key, played = subject.remote.open(story)
    if played.created is not None:
        raise subject.explained(story, played, Parting(-1, (), played.created), "")
    return key


def _expect_served(subject: Subject, story: Story, results: list[Any]) -> None:
    """CheckFailed where an op raised, was refused or gave something of another shape: no star for no work."""
    size = int(story.params["block_size"])
    for op, result in zip(story.ops, results, strict=False):
        due: Any = type(result) is int
        if op.name == "allocate":
            due = type(result) is list and len(result) == -(-len(op.args[1]) // size)
        elif op.name == "free":
            due = result is None
        if stops(result):
            raise subject.explained(story.with_ops([op]), Played(results=[result]), Parting(0, (), result), "")
        if not due:
            message = Say("{call} returned {value}: that is no answer", call=op.call(), value=shown(result))
            raise CheckFailed(message, Failure(called=op.call(), actual=shown(result)))


@check(
    "stretch-leaves-nothing",
    N_("10,000 rounds of allocate, append and free leave nothing behind"),
    group="stretch",
    hint="leftovers",
    why=N_("A server runs for weeks: what each request leaves behind adds up until the process is killed."),
)
def test_leaves_nothing(subject: Subject) -> None:
    why = N_("A server runs for weeks: what each request leaves behind adds up until the process is killed.")
    story = p06_story(16, 4, [])
    key = _opened(subject, story)
    held: list[int] = []
    began = time.perf_counter()
    for part, played in subject.remote.go_on_each(key, map(story.with_ops, _rounds())):
        _expect_served(subject, part, played.results)
        if time.perf_counter() - began > PATIENCE_S:
            text = N_("{rounds} rounds take more than {seconds:g} s")
            raise subject.too_slow(Say(text, rounds=f"{ROUNDS:,}", seconds=PATIENCE_S), why)
        held.append(played.results[-1])
    if held[-1] - held[1] > LEFT:
        text = N_("after {rounds} rounds on an idle pool the manager holds thousands of objects more than before")
        raise CheckFailed(Say(text, rounds=f"{ROUNDS:,}"), Failure(why=Say(why)))


@cache
def _rounds() -> list[list[Op]]:
    """Two parts in which the worker itself settles, then ROUNDS rounds. Each ends with a count of objects; they are
    of one size, because the answers of a part are counted with it."""
    parts = []
    for first in range(0, 2 * PART + ROUNDS, PART):
        ops: list[Op] = []
        for number in range(first, first + PART):
            name, token = f"request {number}", 1_000 + 7 * number
            ops += [Op("allocate", (name, [token, 1, 2, 3, 4, 5, token])), Op("append_slot", (name, token))]
            ops.append(Op("free", (name,)))
        parts.append([*ops, Op("allocated")])
    return parts


@check(
    "stretch-collisions",
    N_("a crafted hash collision does not hit"),
    group="stretch",
    hint="collisions",
    why=N_(
        "Python's hash(-1) is hash(-2) and hash(0) is hash(2**61 - 1): real engines served one user another's cache."
    ),
)
def test_collisions(subject: Subject) -> None:
    why = N_(
        "Python's hash(-1) is hash(-2) and hash(0) is hash(2**61 - 1): real engines served one user another's cache."
    )
    pairs = ((-1, -2), (0, 2**61 - 1), (5, 5 + 2**61 - 1))
    stories = []
    for one, other in pairs:
        rows: list[Row] = [["allocate", "a", [one, 7, 9]], ["allocate", "b", [other, 7, 9]], ["num_cached_tokens", "b"]]
        filled: list[Row] = [["allocate", "c", [one]], ["append_slot", "c", 8], ["allocate", "d", [other, 8, 9]]]
        stories.append(p06_story(12, 2, [*rows, *filled, ["num_cached_tokens", "d"]]))
    subject.agrees(stories, why)


@check(
    "stretch-errors",
    N_("an unknown id and an id allocated twice raise a clear error"),
    group="stretch",
    hint="errors",
    why=N_("A double free that passes silently gives one block to two sequences, much later and elsewhere."),
)
def test_errors(subject: Subject) -> None:
    why = N_("A double free that passes silently gives one block to two sequences, much later and elsewhere.")
    start = [Op("allocate", ("guest", [1, 2, 3])), Op("allocate", ("gone", [7])), Op("free", ("gone",))]
    wrong = [
        Op("free", ("gone",)),
        Op("free", ("nobody",)),
        Op("append_slot", ("nobody", 1)),
        Op("slot", ("nobody", 0)),
    ]
    wrong += [Op("num_cached_tokens", ("nobody",)), Op("allocate", ("guest", [1, 2, 3]))]
    params = {"num_blocks": 6, "block_size": 2, "enable_prefix_cache": True, "raw": True}
    for op in wrong:
        story = Story(params, (*start, op))
        key = _opened(subject, story.with_ops(start))
        answer = subject.remote.go_on(key, story.with_ops([op])).results[-1]
        if type(answer) is dict and "trouble" in answer:
            message = lost(answer, op.call(), subject.limits, subject.memory_mib)
            raise CheckFailed(message, Failure(called=op.call(), why=Say(why), stack=learner_stack(answer)))
        after = subject.remote.go_on(key, story.with_ops([Op("num_free_blocks"), Op("slot", ("guest", 2))])).results
        unclear = _unclear(op, answer) or _touched(op, after)
        if unclear is not None:
            shown_story = {**story.to_json()}
            del shown_story["raw"]
            failure = Failure(called=op.call(), actual=shown(answer), why=Say(why), story=shown_story, step=len(start))
            raise CheckFailed(unclear, failure)


def _unclear(op: Op, answer: Any) -> Say | None:
    seq = str(op.seq)
    if not raised(answer):
        return Say("{call} passed silently: raise an error that names the sequence", call=op.call())
    name, text = answer["raise"][0], answer["text"]
    if name in CLEAR or seq not in text:
        text = N_("{call} raised {error}: raise one that names the sequence and says what is wrong with it")
        return Say(text, call=op.call(), error=shown(answer))
    return None


def _touched(op: Op, after: list[Any]) -> Say | None:
    if after == [4, 2]:
        return None
    return Say("{call} raised an error, but what is live was changed by it", call=op.call())
