"""Whose manager plays: the reference, a classic mistake, the learner's file. What comes of it, with words about it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from app.pools import MAX_STEPS
from grader.commands.source import read
from grader.commands.usage import UsageError
from grader.playing import Play, SandboxError, play_class, play_file, steps_read
from grader.replay.op import Story
from grader.replay.trace import Trace, run
from grader.sandbox import launcher
from grader.words import N_, Say

MINE_FILE = Path(__file__).resolve().parent.parent / "mine" / "p06_block_manager.py"
MINE_NAME = "mine/p06_block_manager.py"

_NO_SANDBOX = N_(
    "An uploaded file is only run inside bubblewrap or Docker, and neither works here: see ./check.sh doctor."
)
_BARE = N_("No sandbox works here: your file runs as a plain process with limits, and may read and write what you may.")


@dataclass(frozen=True)
class Shown:
    """What the player gets. ``trace`` None: there is nothing to show, ``problem`` says why."""

    trace: Trace | None
    who: str | Say
    reference: Trace | None = None
    problem: Say | None = None
    stack: str = ""
    notices: tuple[Say, ...] = ()


@cache
def mistakes() -> dict[str, Any]:
    """The classic mistakes of p06 by id; empty where the solutions are not there."""
    try:
        from solutions.mistakes import MISTAKES
    except ImportError:
        return {}
    return {mistake.id: mistake for mistake in MISTAKES if mistake.exercise == "p06"}


def mistake_ids() -> frozenset[str]:
    return frozenset(mistakes())


def by_reference(story: Story) -> Shown:
    kept, notices = _first(story, MAX_STEPS)
    return Shown(_contract(_key(kept)), N_("The reference"), notices=notices)


def by_mistake(story: Story, mistake_id: str) -> Shown:
    """The classic mistake's play. KeyError for an unknown one."""
    mistake = mistakes()[mistake_id]
    kept, notices = _first(story, min(MAX_STEPS, steps_read(story)))
    play = _mistaken(_key(kept), mistake_id)
    return Shown(play.trace, mistake.what, _contract(_key(kept)), play.problem, play.stack, notices)


def by_file(story: Story, source: bytes, name: str, own: bool) -> Shown:
    """A learner's file in the strongest sandbox there is. ``own``: it is from this machine, and may do without one.

    ``name`` is shown; the file itself is called by what stands after the last slash.
    """
    kept, notices = _first(story, min(MAX_STEPS, steps_read(story)))
    try:
        sandbox = launcher.pick("auto")
    except SandboxError as error:
        return Shown(None, name, problem=error.say)
    if sandbox == "process":
        if not own:
            return Shown(None, name, problem=Say(_NO_SANDBOX))
        notices = (*notices, Say(_BARE))
    try:
        play = _played(_key(kept), source, name.rpartition("/")[2], sandbox)
    except SandboxError as error:
        return Shown(None, name, problem=error.say)
    return Shown(play.trace, name, _contract(_key(kept)), play.problem, play.stack, notices)


def mine() -> tuple[bytes, Say | None]:
    """The learner's file in ``mine/``, or why it cannot be read."""
    try:
        return read(MINE_FILE), None
    except UsageError as error:
        return b"", error.say


def forget() -> None:
    """Run files anew, also those that have not changed since."""
    _played.cache_clear()


def _first(story: Story, steps: int) -> tuple[Story, tuple[Say, ...]]:
    if len(story.ops) <= steps:
        return story, ()
    say = Say(
        "Only the first {steps} of {all} ops are played: the story is too long to look into it at every step.",
        steps=steps,
        all=len(story.ops),
    )
    return story.with_ops(story.ops[:steps]), (say,)


def _key(story: Story) -> str:
    """The story as text: equal for equal stories, so that what was played once need not be played again."""
    words = {name: getattr(story, name) for name in ("id", "title", "note")}
    return json.dumps([story.to_json(), words])


def _story(key: str) -> Story:
    data, words = json.loads(key)
    return Story.from_json(data, **words)


@lru_cache(maxsize=64)
def _contract(key: str) -> Trace:
    return run(_story(key))


@lru_cache(maxsize=64)
def _mistaken(key: str, mistake_id: str) -> Play:
    from solutions.p06_block_manager import OutOfBlocks

    module = SimpleNamespace(BlockManager=mistakes()[mistake_id].cls, OutOfBlocks=OutOfBlocks)
    return play_class(module, _story(key))


@lru_cache(maxsize=16)
def _played(key: str, source: bytes, name: str, sandbox: str) -> Play:
    return play_file(source, name, _story(key), sandbox)
