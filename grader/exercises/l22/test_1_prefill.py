"""Mission prefill: rounded up, one whole check, then moved from the front."""

from __future__ import annotations

from grader.checks import check
from grader.exercises.l22.generate import random_stories
from grader.exercises.l22.stories import OOM, PREFILL, Rows, l22_story, look
from grader.subject import Subject
from grader.words import N_

ROUNDED = N_("The last tokens of a prompt need a place, and a last block with one token is still a whole block.")
MOVED = N_("The first block taken is the home of the first tokens; one id in two places means two owners.")
REFUSED = N_("A refused request must not keep blocks: it cannot use them and nobody else can have them.")
LONG = N_("The engine admits requests until the pool is empty, in every mixture of lengths.")


@check(
    "prefill-rounds-up",
    N_("a prompt gets as many blocks as it needs, rounded up"),
    mission="prefill",
    hint="round-up",
    why=ROUNDED,
)
def test_rounds_up(subject: Subject) -> None:
    sizes = (4, 2, 3, 16)
    lengths = [(size, length) for size in sizes for length in range(1, 3 * size + 2)]
    stories = [l22_story(4, size, [["prefill", "r", length], *look("r")]) for size, length in lengths]
    subject.agrees([PREFILL, *stories], ROUNDED)


@check(
    "prefill-moves-from-front",
    N_("block ids move from the front of free_blocks to the end of block_table, in order"),
    mission="prefill",
    hint="move-front",
    why=MOVED,
)
def test_moves_from_front(subject: Subject) -> None:
    rows: Rows = [["free_blocks"]]
    for name, length in (("a", 6), ("b", 1), ("c", 12), ("d", 4)):
        rows += [["prefill", name, length], *look(name)]
    subject.agrees([l22_story(10, 4, [*rows, *look("a", "b", "c", "d")]), l22_story(7, 4, rows)], MOVED)


@check(
    "prefill-oom-first",
    N_("too few blocks: RuntimeError with OOM, before anything has moved"),
    mission="prefill",
    hint="oom-prefill",
    why=REFUSED,
)
def test_oom_first(subject: Subject) -> None:
    exact = [["prefill", "r", 12], *look("r"), ["prefill", "s", 1], *look("s")]
    later = [["prefill", "a", 5], ["prefill", "b", 11], *look("a", "b"), ["prefill", "c", 8], *look("b", "c")]
    most = [["prefill", "r", 13], *look("r"), ["prefill", "s", 12], *look("s")]
    subject.agrees([OOM, l22_story(3, 4, exact), l22_story(4, 4, later), l22_story(3, 4, most)], REFUSED)


@check(
    "prefill-many",
    N_("many prompts of every length, until the pool is empty"),
    mission="prefill",
    hint="oom-prefill",
    why=LONG,
)
def test_many(subject: Subject) -> None:
    subject.agrees(random_stories("prefill", 64), LONG)
