"""From a story that fails to the shortest one that still does. Deterministic: bounded by work, never by the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from grader.replay.op import Op, SeqId, Story
from grader.smaller import (
    WITH_LENGTH,
    appends_in_prompts,
    lower_lengths,
    plain_names,
    shorter_prompts,
    smaller_blocks,
    smaller_pool,
    without_questions,
)

#: Given a story: the index of the op where it fails, or None.
Fails = Callable[[Story], int | None]
Unit = TypeVar("Unit")


def shrink(story: Story, step: int, fails: Fails, budget_ops: int = 30_000) -> Story:
    """The shortest story found that still fails, its last op the one that shows it.

    ``step`` is where ``story`` fails. Every smaller story is played with ``fails`` before it is believed, until
    ``budget_ops`` ops have been played; constructing a manager counts as ten, and so many tokens of prompts as one.
    """
    search = _Search(story.with_ops(story.ops[: step + 1]), fails, budget_ops)
    for ways in (without_questions, smaller_blocks, smaller_pool):
        search.first_of(ways)
    before = None
    while before != search.best and search.left > 0:
        before = search.best
        search.thin_sequences()
        search.thin_ops()
        for ways in (appends_in_prompts, shorter_prompts, lower_lengths, smaller_blocks, smaller_pool):
            search.all_of(ways)
    search.all_of(plain_names)
    return search.best


TOKENS_AN_OP = 16


class _Search:
    """The smallest failing story so far, and how many ops may still be played to find a smaller one."""

    def __init__(self, best: Story, fails: Fails, left: int) -> None:
        self.best = best
        self.fails = fails
        self.left = left
        self.tried: set[str] = set()

    def take(self, candidate: Story) -> bool:
        """Is ``candidate``, up to where it fails, smaller than the best? Then it is the best from now on."""
        key = repr((candidate.params, candidate.ops))
        if self.left <= 0 or not candidate.ops or key in self.tried:
            return False
        self.tried.add(key)
        self.left -= 10 + len(candidate.ops) + _tokens(candidate) // TOKENS_AN_OP
        at = self.fails(candidate)
        if at is None:
            return False
        candidate = candidate.with_ops(candidate.ops[: at + 1])
        if _weight(candidate) >= _weight(self.best):
            return False
        self.best = candidate
        return True

    def first_of(self, ways: Callable[[Story], Iterator[Story]]) -> bool:
        return any(self.take(candidate) for candidate in ways(self.best))

    def all_of(self, ways: Callable[[Story], Iterator[Story]]) -> None:
        while self.first_of(ways):
            pass

    def thin_sequences(self) -> None:
        """Without half of the sequences, a quarter, …, one."""

        def names() -> list[SeqId]:
            return list(dict.fromkeys(op.seq for op in self.best.ops[:-1] if op.seq is not None))

        def without(gone: Iterable[SeqId]) -> Story:
            gone = set(gone)
            last = self.best.ops[-1]
            return self.best.with_ops(op for op in self.best.ops if op is last or op.seq not in gone)

        self._thin(names, without)

    def thin_ops(self) -> None:
        """Without a run of ops: half of them, a quarter, …, one."""

        def places() -> list[int]:
            return list(range(len(self.best.ops) - 1))

        def without(gone: Iterable[int]) -> Story:
            gone = set(gone)
            return self.best.with_ops(op for i, op in enumerate(self.best.ops) if i not in gone)

        self._thin(places, without)

    def _thin(self, units: Callable[[], list[Unit]], without: Callable[[list[Unit]], Story]) -> None:
        size = max(1, len(units()) // 2)
        while size:
            start = 0
            while part := units()[start : start + size]:
                if self.left <= 0:
                    return
                if not self.take(without(part)):
                    start += size
            size //= 2


def _tokens(story: Story) -> int:
    return sum(len(arg) for op in story.ops for arg in op.args if isinstance(arg, (list, tuple)))


def _weight(story: Story) -> tuple[int, ...]:
    """What is made smaller: ops, tokens in them, the pool, its blocks, then how plain the names and tokens are."""
    tokens = [token for op in story.ops for arg in op.args if isinstance(arg, (list, tuple)) for token in arg]
    length = len(tokens) + sum(op.args[1] for op in story.ops if op.name in WITH_LENGTH)
    pool = int(story.params.get("num_blocks", 0)), int(story.params.get("block_size", 0))
    return len(story.ops), length, *pool, sum(map(abs, tokens)), sum(map(_strangeness, story.ops))


def _strangeness(op: Op) -> int:
    return len(str(op.seq)) + (str(op.seq) > "z")
