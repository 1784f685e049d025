"""Paged gather: does every sequence read back its own K and V? Judged by the content of real tensors alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grader.beside import Beside
from grader.checks import CheckSkipped, check
from grader.exercises.p06.generate import prefix_of_duplicates, random_story
from grader.exercises.p06.oracle import Oracle
from grader.exercises.p06.stories_mistakes import MISTAKE_STORIES
from grader.replay.op import Op, Story
from grader.replay.result import SKIPPED, Parting, Result, refused
from grader.sandbox.remote import Played
from grader.sandbox.replies import stops
from grader.subject import Subject
from grader.words import N_, Say

WHY = N_("This is what goes wrong in a model: no error, only K and V of other text.")


class ContentOracle(Oracle):
    """Right is whatever lets every live sequence read back its own K and V, bit for bit."""

    shrink_ops = 5_000  # each try writes and reads real tensors

    def __init__(self, tensors: Beside) -> None:
        super().__init__()
        self.tensors = tensors

    def asked(self, story: Story) -> Story:
        """With a question after every allocate for where its tokens go. What else a story asks is left out."""
        ops: list[Op] = []
        for op in story.ops:
            if op.name in ("allocate", "append_slot", "free"):
                ops.append(op)
            if op.name == "allocate":
                ops.append(Op("slots", (op.args[0],)))
        return story.with_ops(ops)

    def follow(self, story: Story, played: Played) -> Parting | None:
        results = played.results
        if results and stops(results[-1]):
            return Parting(len(results) - 1, (), results[-1])
        if not _served(story, results):
            return super().follow(story, played)
        ops = [op.to_json() for op in story.ops]
        wrong = self.tensors.ask({"params": dict(story.params), "ops": ops, "results": results})
        if wrong is None:
            return None
        return Parting(wrong["step"], (), {"content": wrong})


def _served(story: Story, results: list[Result]) -> bool:
    """Is there content to judge? Not where nothing was ever allocated, or an answer is of no use to a tensor."""
    kinds = {"allocate": list, "append_slot": int, "slots": list, "free": type(None)}
    plain = all(
        type(result) is kinds[op.name] or refused(result) or result == SKIPPED
        for op, result in zip(story.ops, results, strict=False)
    )
    return plain and any(type(result) is list for result in results)


@check(
    "paged-gather",
    N_("every sequence reads back its own K and V through its block table"),
    hint="content",
    why=WHY,
    last=True,
)
def test_paged_gather(subject: Subject) -> None:
    tensors: Any = subject.device
    with subject.remote.off_the_clock():  # torch may still be on its way
        missing = tensors.greeting().get("missing")
    if missing:
        raise CheckSkipped(Say.from_json(missing))
    subject.agrees(stories(), WHY, ContentOracle(tensors))


def stories() -> Iterator[Story]:
    yield from MISTAKE_STORIES
    for seed in range(12):
        yield prefix_of_duplicates(300 + seed)
    for seed in range(12):
        yield random_story(700 + seed, 2 + seed % 7, 1 + seed % 4, 40)
    yield random_story(720, 24, 16, 120)
