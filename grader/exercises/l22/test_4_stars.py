"""Stars: right beyond what is asked for. Failing here fails nobody."""

from __future__ import annotations

from grader.checks import check
from grader.exercises.l22.oracle import Strict
from grader.exercises.l22.stories import Rows, decoded, l22_story, look
from grader.subject import Subject
from grader.words import N_

ONE = N_("In blocks of one token every token opens a block, but seq_len % 1 is never 1: say what you mean instead.")
KEPT = N_("The token was not stored: a length that counts it anyway makes the next try look one step too far.")


@check(
    "block-size-1",
    N_("blocks of one token: every token takes one"),
    group="stretch",
    mission="decode",
    hint="block-size-1",
    why=ONE,
)
def test_block_size_1(subject: Subject) -> None:
    rows: Rows = [
        ["fill"],
        ["prefill", "r", 3],
        *look("r"),
        *decoded("r", 2),
        ["gather", "r"],
        ["decode", "r"],
        *look("r"),
    ]
    subject.agrees([l22_story(8, 1, rows), l22_story(5, 1, rows)], ONE)


@check(
    "decode-oom-keeps-length",
    N_("a refused decode step leaves seq_len as it was"),
    group="stretch",
    mission="decode",
    hint="decode-oom",
    why=KEPT,
)
def test_oom_keeps_length(subject: Subject) -> None:
    stories = [l22_story(1, size, [["prefill", "r", size], ["decode", "r"], ["seq_len", "r"]]) for size in (4, 2, 16)]
    subject.agrees(stories, KEPT, Strict())
