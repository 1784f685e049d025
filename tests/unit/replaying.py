"""What the replay tests share: random stories, and managers of our own played in this process as a worker would."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from grader.naming import load_driver, run_here
from grader.replay.explain import READINGS, Reading
from grader.replay.op import Story, p06_story
from grader.replay.result import Result, raised, refused
from grader.replay.trace import Trace
from grader.replay.watch import from_replies
from solutions import readings as bases
from solutions.mistakes import MISTAKES, Mistake
from solutions.p06_block_manager import BlockManager, OutOfBlocks

ROOT = Path(__file__).resolve().parents[2]
DRIVER: ModuleType = load_driver((ROOT / "grader/exercises/p06/driver.py").read_text("utf-8"))
P06: list[Mistake] = [mistake for mistake in MISTAKES if mistake.exercise == "p06"]

#: Every run the same examples; on a slow machine no example is too slow.
steady = settings(deadline=None, derandomize=True, database=None)


def manager(cls: type[Any] = BlockManager, reading: Reading = READINGS[0]) -> Any:
    """A class under a reading, as the module of a learner."""
    return SimpleNamespace(BlockManager=bases.reading(cls, *reading), OutOfBlocks=OutOfBlocks)


def mistaken(id: str, reading: Reading = READINGS[0]) -> Any:
    return manager(next(mistake.cls for mistake in P06 if mistake.id == id), reading)


def story_of(mistake: Mistake) -> Story:
    return Story.from_json(mistake.story)


def play(module: Any, story: Story) -> tuple[list[Result], list[Any]]:
    """Results and inside views, both as they would arrive over the link."""
    results, session, views = [], DRIVER.Session(module, story.params), []
    views.append(session.view("inside"))
    for op in story.ops:
        try:
            value = session.calls[op.name](*[arg.copy() if type(arg) is list else arg for arg in op.args])
            results.append(list(value) if type(value) is list else value)
        except DRIVER.Refusal:
            results.append({"skip": True})
        except Exception as error:
            names = [kind.__name__ for kind in type(error).__mro__]
            results.append({"raise": names, "text": str(error), "refused": session.refused(error), "stack": ""})
            if not refused(results[-1]):
                break
        views.append(session.view("inside"))
    return json.loads(json.dumps([results, views]))


def watched(module: Any, story: Story) -> Trace:
    """The trace of a manager whose inside is read after every op."""
    return from_replies(story, *play(module, story))


def results_of(module: Any, story: Story) -> list[Result]:
    return run_here(DRIVER, module, story)


def crashed(results: list[Result]) -> bool:
    return bool(results) and raised(results[-1]) and not refused(results[-1])


@st.composite
def stories(draw: st.DrawFn, max_ops: int = 25) -> Story:
    """Small pools and few tokens: shared prefixes, duplicates, whole blocks, evictions and refusals all the time."""
    size = draw(st.integers(1, 4))
    blocks = draw(st.integers(1, 7))
    tokens = st.integers(0, 1)
    heads = draw(st.lists(st.lists(tokens, min_size=size, max_size=3 * size), min_size=1, max_size=2))
    seqs = st.sampled_from(["a", "b", "", 0, 7])
    anything = st.lists(tokens, min_size=1, max_size=(blocks + 1) * size)
    headed = st.builds(lambda head, tail: head + tail, st.sampled_from(heads), st.lists(tokens, max_size=size + 1))
    whole = st.integers(1, blocks).map(lambda n: [0] * n * size)
    rows = st.one_of(
        st.tuples(st.just("allocate"), seqs, st.one_of(headed, headed, whole, anything)),
        st.tuples(st.just("append_slot"), seqs, tokens),
        st.tuples(st.just("append_slot"), seqs, tokens),
        st.tuples(st.just("free"), seqs),
        st.tuples(st.sampled_from(["num_cached_tokens", "list", "slots"]), seqs),
        st.tuples(st.just("slot"), seqs, st.integers(0, 2 * size)),
        st.tuples(st.just("scribble"), seqs, st.lists(tokens, max_size=2)),
        st.tuples(st.just("can_allocate"), st.integers(1, 12)),
        st.just(("num_free_blocks",)),
    )
    cache = draw(st.sampled_from([True, True, True, False]))
    return p06_story(blocks, size, draw(st.lists(rows, max_size=max_ops)), cache)
