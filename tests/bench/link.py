"""A million random and mutated replies: the judge's end of the link neither dies nor grows."""

from __future__ import annotations

import copy
import json
import os
import time
from dataclasses import replace
from io import FileIO, RawIOBase
from pathlib import Path
from random import Random
from typing import Any

from grader.exercises.l22.oracle import Oracle as L22Oracle
from grader.exercises.p06.oracle import Oracle as P06Oracle
from grader.oracle import JudgingOracle
from grader.replay.op import Op, Story, p06_story
from grader.report import CheckResult, Failure, Report
from grader.sandbox.child import Child, Ending, EndingKind
from grader.sandbox.limits import Limits
from grader.sandbox.link import HEAD, Link, LinkDown
from grader.sandbox.remote import Played, Remote, Submission
from grader.wording import mismatch
from tests.bench.table import row

FRAMES = 1_000_000
LIMITS = replace(Limits(), reply_mib=1, attachment_mib=1)
GROWTH_MIB = 16
P06 = p06_story(4, 2, [["allocate", "a", [1, 2, 3]], ["append_slot", "a", 4], ["num_free_blocks"], ["free", "a"]])
L22 = Story(
    {"num_blocks": 4, "block_size": 2, "head_dim": 2},
    (Op("prefill", ("r", 3)), Op("fill"), Op("table", ("r",)), Op("gather", ("r",))),
)
VIEW = {
    "public": {"num_free_blocks": 2, "tables": [["a", [0, 1]]], "cached": [["a", 0]]},
    "inside": {"free_list": [2, 3], "evictable": [], "ref": [1, 1, 0, 0], "block_hash": [0, None, None, None],
               "hash_to_block": [[0, 0]], "tables": [["a", [0, 1]]]},
}  # fmt: skip
RAISED = {
    "raise": ["OutOfBlocks", "Exception"],
    "text": "full",
    "refused": True,
    "stack": "  mine.py, line 3, in allocate",
}
ODD = {"odd": "tuple", "text": "(0, 1)"}
TENSOR = {"tensor": {"dtype": "float32", "shape": [3, 2], "bytes": 24}}
REPLIES: list[tuple[Story, list[Any], list[Any], bytes]] = [
    (P06, [[0, 1], 3, 2, None], [VIEW] * 5, b""),
    (P06, [[0, 1], RAISED, 2, None], [], b""),
    (P06, [ODD], [VIEW], b""),
    (P06, [{"skip": True}] * 4, [{"public": None, "inside": None}] * 5, b""),
    (L22, [None, TENSOR, [0, 1], TENSOR], [{"free_blocks": [2, 3], "requests": [["r", 3, [0, 1]]]}] * 5, bytes(48)),
]
STRANGE: list[Any] = [
    None, True, False, 0, -1, 1, 2**62, 2**63, -(2**70), 10**400, 1.5, -0.0, 1e300, "", "a", "\ud800", "\x1b[2J",
    "r" * 300, [], [[]], [None], [True], [0.5], {}, {"raise": []}, {"odd": 1}, {"tensor": {}}, {"skip": 1},
    {"trouble": "exit"}, {"content": 1}, ["a", [0]], [[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]], [0] * 300,
]  # fmt: skip
WORDS = [
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"1e999",
    b"\\ud800",
    b"\xff",
    b"\x00",
    b'"n":1,',
    b"[" * 50,
    b"9" * 5000,
    b"{",
    b"]",
]


class Once(Child):
    """A child that has said its last words already; nothing reads what it is told."""

    def __init__(self, said: bytes) -> None:
        self.backend, self.pid = "once", 0
        ends = [os.pipe() for _ in range(3)]
        self.stdin: RawIOBase = FileIO(ends[0][1], "w")
        self.stdout: RawIOBase = FileIO(ends[1][0], "r")
        self.stderr: RawIOBase = FileIO(ends[2][0], "r")
        self.ear = ends[0][0]
        os.write(ends[1][1], said[:60_000])
        os.close(ends[1][1])
        os.close(ends[2][1])

    def kill(self) -> None:
        if self.ear >= 0:
            os.close(self.ear)
            self.ear = -1

    def wait(self, timeout: float) -> Ending | None:
        return Ending("exit", 0)

    def hit(self) -> EndingKind | None:
        return None


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something stands inside nested plain data."""
    inner = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    return [at, *(path for key, item in inner for path in paths(item, (*at, key)))]


def mutated(random: Random, frame: dict[str, Any], blob: bytes) -> bytes:
    """A reply with something wrong about it: in its data, in its text, in its sizes, or nothing at all."""
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        path = random.choice(paths(frame)[1:])
        where: Any = frame
        for key in path[:-1]:
            where = where[key]
        if type(where) is dict and random.random() < 0.2:
            where[random.choice(("n", "done", "extra", "raise", "tensor", "inside"))] = copy.deepcopy(
                random.choice(STRANGE)
            )
        elif random.random() < 0.1:
            del where[path[-1]]
        else:
            where[path[-1]] = copy.deepcopy(random.choice(STRANGE))
    body = bytearray(json.dumps(frame, separators=(",", ":")).encode())
    kind = random.random()
    if kind < 0.15:
        for _ in range(random.randint(1, 4)):
            body[random.randrange(len(body))] = random.randrange(256)
    elif kind < 0.3:
        at = random.randrange(len(body))
        body[at:at] = random.choice(WORDS)
    elif kind < 0.35:
        body = bytearray(random.randbytes(random.randint(0, 200)))
    size, extra = len(body), len(blob)
    if random.random() < 0.1:
        size = random.choice((0, size - 1, size + 1, 2**32 - 1, LIMITS.reply_mib << 20))
    if random.random() < 0.05:
        extra = random.choice((0, extra + 1, 2**32 - 1))
    said = HEAD.pack(max(0, size), extra) + bytes(body) + blob
    return said[: random.randrange(len(said))] if random.random() < 0.1 else said


def judge(oracle: JudgingOracle, story: Story, played: Played) -> None:
    """All that the judge makes of results: the parting, its words, its pictures, the report as JSON."""
    oracle.start()
    if played.created is not None:
        return
    parting = oracle.follow(story, played)
    if parting is None:
        return
    message = mismatch(story.ops[parting.step], parting.expected, parting.actual, LIMITS, 512)
    mine, reference = oracle.pictures(story, played, parting.step)
    failure = Failure(called=story.ops[parting.step].call(), mine=mine, reference=reference)
    result = CheckResult("x", "acceptance", "x", "failed", message=message, failure=failure)
    report = Report("p06", "failed", "none", "cpu", 0.0, checks=[result])
    json.dumps(report.to_json("en"))
    json.dumps(report.dump())


def held() -> tuple[float, int]:
    """MiB and descriptors of this process."""
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":" in line)
    return int(lines["VmRSS"].split()[0]) / 1024, len(os.listdir("/proc/self/fd"))


def fuzz(frames: int, seed: int = 1) -> tuple[int, float, int]:
    """Feed so many replies: how many were taken for replies, the MiB and descriptors gained after the first tenth."""
    random, taken = Random(seed), 0
    no_workers: Any = None
    remote = Remote(Submission("", "mine.py", ""), no_workers, LIMITS)
    remote.end += 1e6
    oracles: dict[int, JudgingOracle] = {id(P06): P06Oracle(), id(L22): L22Oracle()}
    before = held()
    for number in range(frames):
        if number == frames // 10:
            before = held()
        story, results, views, blob = random.choice(REPLIES)
        frame = copy.deepcopy({"n": 1, "created": None, "results": results, "views": views})
        link = Link(Once(mutated(random, frame, blob)), LIMITS)
        try:
            played = remote._ask(link, "story", story.params, story)
            taken += 1
            judge(oracles[id(story)], story, played)
        except LinkDown:
            pass
        finally:
            link.close()
    after = held()
    return taken, after[0] - before[0], after[1] - before[1]


def main(arguments: list[str]) -> None:
    frames = int(arguments[0]) if arguments else FRAMES
    began = time.perf_counter()
    taken, mib, descriptors = fuzz(frames)
    spent = time.perf_counter() - began
    row("replies, random and mutated", f"{frames:,}", f"{spent / frames * 1e6:.0f} us each")
    row("  taken for a reply", f"{taken / frames:.0%}", "the others end the worker")
    row("  memory gained", f"{mib:.1f} MiB", f"aim <= {GROWTH_MIB} MiB")
    row("  descriptors gained", f"{descriptors}", "aim 0")
