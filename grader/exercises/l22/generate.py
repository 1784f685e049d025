"""Random stories for l22, the same ones every time: a seed is a story. Several requests on pools that run out."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from grader.exercises.l22.data import SUITE
from grader.exercises.l22.stories import Rows, l22_story, look
from grader.replay.op import Story

#: What each kind of story does, and how often.
TRAFFIC = {
    "prefill": {"prefill": 1},
    "decode": {"prefill": 2, "decode": 6},
    "gather": {"prefill": 2, "decode": 4, "request": 2, "gather": 4},
}


@cache
def random_stories(kind: str, count: int, steps: int = 24) -> tuple[Story, ...]:
    """``count`` stories of ``kind`` ("prefill", "decode", "gather"): block sizes 2 to 16, pools of 1 to 64 blocks."""
    return tuple(_random_story(kind, seed, steps) for seed in range(count))


def _random_story(kind: str, seed: int, steps: int) -> Story:
    random = Random(f"{SUITE}/{kind}/{seed}")
    num_blocks, block_size = 1 + seed * 7 % 64, 2 + seed % 15
    rows = _Traffic(random, kind, num_blocks, block_size).rows(steps)
    return l22_story(num_blocks, block_size, rows, random.choice((1, 4, 8)))


class _Traffic:
    """An op that cannot be asked where it stands is skipped, so nothing is kept here but names."""

    def __init__(self, random: Random, kind: str, num_blocks: int, block_size: int) -> None:
        self.random, self.kind, self.num_blocks, self.size = random, kind, num_blocks, block_size
        self.names: list[str] = []

    def rows(self, steps: int) -> Rows:
        rows: Rows = [["fill"]] if self.kind == "gather" else []
        rows += self._prefill()
        kinds = TRAFFIC[self.kind]
        for what in self.random.choices(list(kinds), list(kinds.values()), k=steps):
            rows += getattr(self, f"_{what}")()
        return [*rows, *look(*self.names)]

    def _name(self) -> str:
        self.names.append(f"r{len(self.names)}")
        return self.names[-1]

    def _length(self) -> int:
        """Often at a boundary or beside it, now and then more than the pool has."""
        blocks = self.random.randint(1, 4 if self.random.random() < 0.9 else self.num_blocks + 1)
        beside = self.random.choice((0, 0, 1, self.random.randrange(self.size)))
        return max(1, blocks * self.size - beside)

    def _prefill(self) -> Rows:
        name = self._name()
        return [["prefill", name, self._length()], *look(name)]

    def _decode(self) -> Rows:
        name = self.random.choice(self.names)
        rows: Rows = []
        for _ in range(self.random.choice((1, 1, 2, self.size, self.size + 1))):
            rows += [["decode", name], *([["table", name]] if self.random.random() < 0.3 else [])]
        return [*rows, *look(name)]

    def _request(self) -> Rows:
        name = self._name()
        table = [self.random.randrange(self.num_blocks) for _ in range(self.random.randint(1, 6))]
        length = len(table) * self.size - self.random.randrange(self.size)
        return [["request", name, length, table], ["gather", name]]

    def _gather(self) -> Rows:
        name = self.random.choice(self.names)
        after: list[Any] = self.random.choice((["cache"], ["table", name], ["free_blocks"], ["gather", name]))
        return [["gather", name], after]
