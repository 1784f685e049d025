"""A manager looked at while it plays one story: a classic mistake in this process, anyone's file in a sandbox.

Never used for a verdict: it shows what a manager does, and says where it stopped.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import Any

from grader.exercise import Exercise, discover
from grader.judge import decoded
from grader.naming import load_driver
from grader.replay.op import Story
from grader.replay.result import Result, raised, refused
from grader.replay.trace import Trace
from grader.replay.watch import from_replies
from grader.sandbox import launcher
from grader.sandbox.child import SandboxError
from grader.sandbox.limits import Limits
from grader.sandbox.pool import Pool
from grader.sandbox.remote import NoMoreStrikes, OutOfTime, Played, Remote, Submission
from grader.wording import mismatch, unbuilt, unloadable
from grader.words import Say

#: A manager whose inside is read is asked for all of its blocks after every op: so many blocks in all, no more.
READ_BLOCKS = 500_000
#: What one reply may hold of it; the link allows a MiB.
_REPLY_BLOCKS = 12_000


@dataclass(frozen=True)
class Play:
    """What came of it. ``trace`` None: nothing could be played; ``problem`` then says why, else where it ended."""

    trace: Trace | None
    problem: Say | None = None
    stack: str = ""
    sandbox: str = ""
    output: str = ""


def steps_read(story: Story) -> int:
    """How many ops of ``story`` are played when the inside is read after each."""
    return max(1, READ_BLOCKS // int(story.params["num_blocks"]))


def play_class(module: Any, story: Story) -> Play:
    """Play ``story`` on a manager of our own; ``module`` has BlockManager and OutOfBlocks, as a learner's file."""
    session, results, views = _driver().Session(module, story.params), list[Result](), list[Any]()
    views.append(session.view("inside"))
    for op in story.ops:
        try:
            value = session.calls[op.name](*[arg.copy() if type(arg) is list else arg for arg in op.args])
            results.append(list(value) if type(value) is list else value)
        except _driver().Refusal:
            results.append({"skip": True})
        except Exception as error:
            names = [kind.__name__ for kind in type(error).__mro__]
            results.append({"raise": names, "text": str(error), "refused": session.refused(error), "stack": ""})
            if not refused(results[-1]):
                break
        views.append(session.view("inside"))
    return _seen(story, Played(None, results, views), Limits(), "")


def play_file(source: bytes, name: str, story: Story, sandbox: str, limits: Limits | None = None) -> Play:
    """Play ``story`` on the file's manager in a fresh worker of the sandbox ``sandbox`` (a backend's name).

    Whatever the file does, a Play comes back. SandboxError if the sandbox itself cannot be used.
    """
    exercise = _p06()
    limits = limits or replace(Limits(), op_s=1.0, grading_s=20.0, memory_mib=exercise.memory_mib)
    text, problem = decoded(source, name, limits)
    if text is None:
        return Play(None, problem)
    with alone(Submission(text, name, _driver_source()), launcher.pick(sandbox), limits) as remote:
        wrong = remote.load()
        if wrong is not None:
            say = unloadable(wrong, name, limits, limits.memory_mib)
            return Play(None, say, str(wrong.get("stack") or ""), sandbox)
        played = _in_parts(remote, story)
    play = _seen(story, played, limits, sandbox)
    return replace(play, output="".join(text for text, _ in remote.outputs))


def _in_parts(remote: Remote, story: Story, single_from: int | None = None) -> Played:
    """The whole story in one session, a few ops a frame, so that every reply fits the link.

    A worker that is lost somewhere in a frame: the same again in a fresh one, op by op from that frame on.
    """
    few = max(1, _REPLY_BLOCKS // int(story.params["num_blocks"]))
    key, played = remote.open(story.with_ops(()), "inside")
    at = 0
    while at < len(story.ops) and played.created is None and not _ended(played):
        size = few if single_from is None or at < single_from else 1
        try:
            more = remote.go_on(key, story.with_ops(story.ops[at : at + size]), view="inside")
            if _lost(more) and size > 1:
                return _in_parts(remote, story, at)
        except (NoMoreStrikes, OutOfTime):
            more = Played(results=[{"trouble": "overtime"}])
        played.results += more.results
        played.views += more.views
        at += size
    return played


def _lost(played: Played) -> bool:
    return bool(played.results) and type(played.results[-1]) is dict and "trouble" in played.results[-1]


def _ended(played: Played) -> bool:
    last = played.results[-1] if played.results else None
    return _lost(played) or (raised(last) and not refused(last))


def _seen(story: Story, played: Played, limits: Limits, sandbox: str) -> Play:
    """The trace up to the last op that left something to look at, and a sentence about the one that did not."""
    if played.created is not None:
        call = f"BlockManager({', '.join(f'{name}={value}' for name, value in story.params.items())})"
        say = unbuilt(played.created, call, limits, limits.memory_mib)
        return Play(None, say, str(played.created.get("stack") or ""), sandbox)
    problem, stack, results = None, "", played.results
    if _ended(played):
        last, op = results[-1], story.ops[len(results) - 1]
        problem = mismatch(op, (), last, limits, limits.memory_mib)
        stack = str(last.get("stack") or "")
        results = results[:-1]
    return Play(from_replies(story, results, played.views), problem, stack, sandbox)


@contextlib.contextmanager
def alone(submission: Submission, backend: str, limits: Limits, torch: bool = False) -> Iterator[Remote]:
    """A conversation with ``submission`` in a sandbox that is there for it alone."""
    workers = Pool(backend, limits, torch, size=1, refill=False)
    remote = Remote(submission, workers, limits)
    try:
        yield remote
    finally:
        remote.close()
        workers.close()


@cache
def _p06() -> Exercise:
    return discover()["p06"]


@cache
def _driver_source() -> str:
    return (_p06().folder / "driver.py").read_text("utf-8")


@cache
def _driver() -> ModuleType:
    return load_driver(_driver_source())


__all__ = ["Play", "SandboxError", "alone", "play_class", "play_file", "steps_read"]
