"""Mission gather: each block by its id, joined along tokens, the tail cut, nothing touched.

The grader fills the cache with data of its own and compares what comes back bit for bit.
"""

from __future__ import annotations

from grader.checks import check
from grader.exercises.l22.generate import random_stories
from grader.exercises.l22.stories import CUT, GATHER, ORDER, PURE, Rows, l22_story, look
from grader.subject import Subject
from grader.words import N_

ROWS = N_(
    "Attention wants one row for each token, [seq_len, head_dim]; a dimension more or less and it cannot compute."
)
TABLE = N_("Ids are addresses; only the position in the table says which tokens come first.")
TAIL = N_("Rows behind the last token hold nothing, or what an earlier request left there: attention would read them.")
BITS = N_("The cache is copied, not computed: any detour through other numbers loses bits that were there.")
READ = N_("Reading is not taking: the next step reads the same table, the same pool and the same cache.")
APART = N_("A process may hold more than one manager, one for each layer or model; none may feel the others.")
LONG = N_("Requests grow while others are read: what was right a step ago must still be right now.")


@check(
    "gather-shape",
    N_("the result is one tensor of shape [seq_len, head_dim]"),
    mission="gather",
    hint="gather-join",
    why=ROWS,
)
def test_shape(subject: Subject) -> None:
    tables = [([3], 3), ([3], 4), ([0, 1], 5), ([0, 1], 8), ([4, 1, 3], 9)]
    stories = [
        l22_story(5, 4, [["fill"], ["request", "r", length, table], ["gather", "r"]], dim)
        for dim in (8, 64, 1)
        for table, length in tables
    ]
    subject.agrees(stories, ROWS)


@check(
    "gather-order", N_("blocks are joined in the order of the table"), mission="gather", hint="gather-order", why=TABLE
)
def test_order(subject: Subject) -> None:
    tables = [[2, 1], [9, 0], [3, 4, 5], [5, 4, 3, 2, 1, 0], [2, 2, 9], [1, 0, 1, 0]]
    stories = [
        l22_story(10, size, [["fill"], ["request", "r", len(table) * size - rest, table], ["gather", "r"]])
        for size, rest in ((4, 3), (2, 0))
        for table in tables
    ]
    subject.agrees([ORDER, *stories], TABLE)


@check("gather-cut", N_("rows behind the last token are cut off"), mission="gather", hint="gather-cut", why=TAIL)
def test_cut(subject: Subject) -> None:
    stories = [
        l22_story(6, size, [["fill"], ["request", "r", length, [1, 4, 2][: -(-length // size)]], ["gather", "r"]])
        for size in (4, 3, 16)
        for length in range(1, 3 * size + 1)
    ]
    subject.agrees([GATHER, CUT, *stories], TAIL)


@check(
    "gather-bits",
    N_("the result has the cache's dtype and its very bits"),
    mission="gather",
    hint="gather-pure",
    why=BITS,
)
def test_bits(subject: Subject) -> None:
    rows: Rows = [["fill"], ["request", "r", 60, [3, 1, 2, 0]], ["gather", "r"], ["cache"]]
    unfilled: Rows = [["request", "r", 20, [2, 0]], ["gather", "r"], ["fill"], ["gather", "r"]]
    subject.agrees([l22_story(4, 16, rows, 16), l22_story(4, 16, unfilled, 16)], BITS)


@check(
    "gather-changes-nothing",
    N_("reading changes neither the table nor the pool nor the cache"),
    mission="gather",
    hint="gather-pure",
    why=READ,
)
def test_changes_nothing(subject: Subject) -> None:
    for size, length in ((4, 9), (4, 12), (2, 5), (16, 33)):
        table = [7, 2, 9]
        rows: Rows = [
            ["fill"],
            ["request", "r", length, table],
            ["gather", "r"],
            *look("r"),
            ["cache"],
            ["gather", "r"],
        ]
        subject.agrees(l22_story(10, size, rows), READ)
    subject.agrees(PURE, READ)


@check("two-managers", N_("two managers do not share state"), mission="gather", hint="separate", why=APART)
def test_two_managers(subject: Subject) -> None:
    a: Rows = [["fill"], ["prefill", "r", 6], *look("r"), ["decode", "r"], ["decode", "r"], ["decode", "r"], *look("r")]
    b: Rows = [
        ["free_blocks"],
        ["fill"],
        ["prefill", "r", 9],
        *look("r"),
        ["decode", "r"],
        ["prefill", "s", 4],
        *look("r", "s"),
    ]
    end: Rows = [["gather", "r"], ["cache"], ["free_blocks"]]
    alike = [l22_story(10, 4, [*a, *end]), l22_story(10, 4, [*b, *end])]
    unlike = [l22_story(3, 4, [*a, *end]), l22_story(10, 2, [*b, *end], 4)]
    subject.agrees([*alike, *unlike], APART)
    subject.agree_together(alike, APART)
    subject.agree_together(unlike, APART)


@check(
    "gather-many",
    N_("long runs of many requests, read again and again"),
    mission="gather",
    hint="gather-join",
    why=LONG,
)
def test_many(subject: Subject) -> None:
    subject.agrees(random_stories("gather", 96), LONG)
