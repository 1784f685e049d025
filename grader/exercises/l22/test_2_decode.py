"""Mission decode: the new length first, then at most one block, and only where the new token opens it."""

from __future__ import annotations

from grader.checks import check
from grader.exercises.l22.generate import random_stories
from grader.exercises.l22.stories import DECODE, TURNS, Rows, decoded, l22_story, look
from grader.subject import Subject
from grader.words import N_

EARLY = N_("A block taken ahead of need is missing elsewhere: with many requests the pool is empty too early.")
BOUNDARY = N_("Without its block the token that opens it has no place, and its K and V are lost.")
ONCE = N_("seq_len says how many tokens there are; if it runs ahead, every later boundary is wrong.")
REFUSED = N_("The engine makes room and tries again: what a refused step left behind would be lost.")
TURN = N_("All requests draw from one pool; what is known about a request lives in the request.")
LONG = N_("Hundreds of requests decode in turn, thousands of steps: one block too many or too few adds up.")


@check(
    "decode-not-early",
    N_("a decode step takes no block before one is needed"),
    mission="decode",
    hint="decode-boundary",
    why=EARLY,
)
def test_not_early(subject: Subject) -> None:
    stories = [
        l22_story(4, size, [["prefill", "r", size + start], *decoded("r", size - start)])
        for size in (4, 2, 3, 16)
        for start in range(1, size)
    ]
    subject.agrees([l22_story(10, 4, [["prefill", "r", 6], *decoded("r", 2)]), *stories], EARLY)


@check(
    "decode-at-boundary",
    N_("the token that opens a block brings exactly one block"),
    mission="decode",
    hint="decode-boundary",
    why=BOUNDARY,
)
def test_at_boundary(subject: Subject) -> None:
    stories = [l22_story(6, size, [["prefill", "r", 2 * size], *decoded("r", size + 2)]) for size in (4, 2, 3, 16)]
    long = l22_story(10, 4, [["prefill", "r", 1], *decoded("r", 38)])
    subject.agrees([DECODE, *stories, long], BOUNDARY)


@check(
    "decode-counts-once",
    N_("a decode step adds exactly one to seq_len"),
    mission="decode",
    hint="decode-boundary",
    why=ONCE,
)
def test_counts_once(subject: Subject) -> None:
    rows: Rows = [
        ["prefill", "r", 6],
        ["seq_len", "r"],
        *[row for _ in range(8) for row in (["decode", "r"], ["seq_len", "r"])],
    ]
    subject.agrees(l22_story(10, 4, rows), ONCE)


@check(
    "decode-oom",
    N_("no block left for a step that needs one: RuntimeError with OOM, pool and table unchanged"),
    mission="decode",
    hint="decode-oom",
    why=REFUSED,
)
def test_oom(subject: Subject) -> None:
    inside: Rows = [["prefill", "r", 7], *decoded("r", 2)]
    other: Rows = [["prefill", "a", 8], ["prefill", "b", 3], ["decode", "a"], *look("a", "b"), *decoded("b", 2)]
    stories = [
        l22_story(2, 4, inside),
        l22_story(3, 4, other),
        l22_story(1, 2, [["prefill", "r", 2], *decoded("r", 1)]),
    ]
    subject.agrees(stories, REFUSED)


@check(
    "decode-interleaved",
    N_("several requests in turn: each keeps its own table, all share the pool"),
    mission="decode",
    hint="interleaved",
    why=TURN,
)
def test_interleaved(subject: Subject) -> None:
    names = ("a", "b", "c")
    rows: Rows = [["prefill", name, length] for name, length in zip(names, (3, 4, 9), strict=True)]
    for _ in range(6):
        rows += [row for name in names for row in (["decode", name], ["table", name])]
        rows += look(*names)
    turns = TURNS.with_ops(op for op in TURNS.ops if op.name not in ("fill", "gather"))
    subject.agrees([turns, l22_story(12, 4, rows), l22_story(8, 4, rows)], TURN)


@check(
    "decode-many",
    N_("long runs of many requests, compared step by step"),
    mission="decode",
    hint="interleaved",
    why=LONG,
)
def test_many(subject: Subject) -> None:
    subject.agrees(random_stories("decode", 96), LONG)
