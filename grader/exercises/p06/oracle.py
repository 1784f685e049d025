"""What p06 knows of right and wrong: the eight readings of the contract, in step with the submission."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from grader.naming import MistakeLike
from grader.oracle import JudgingOracle
from grader.replay.explain import READINGS, Reading
from grader.replay.op import Story
from grader.replay.picture import Picture, picture, public_picture
from grader.replay.result import Parting
from grader.replay.witness import Witness
from grader.replay.worlds import Worlds
from grader.sandbox.remote import Played


class Oracle(JudgingOracle):
    """Narrows the readings down story by story: within one check the same reading has to agree throughout."""

    def __init__(self) -> None:
        self.readings: tuple[Reading, ...] = READINGS

    def start(self) -> None:
        self.readings = READINGS

    def follow(self, story: Story, played: Played) -> Parting | None:
        """The first op that no reading left agrees with. On success only the agreeing ones stay for what follows."""
        worlds = Worlds(story, self.readings)
        for step, (op, actual) in enumerate(zip(story.ops, played.results, strict=False)):
            expected = worlds.step(op, actual)
            if expected:
                return Parting(step, expected, actual)
        self.readings = worlds.readings
        return None

    def construction(self, story: Story) -> str:
        given = (f"{name}={value}" for name, value in story.params.items() if name != "raw")
        return f"BlockManager({', '.join(given)})"

    def pictures(self, story: Story, played: Played, step: int) -> tuple[Picture | None, Picture | None]:
        worlds = Worlds(story)
        for op, actual in zip(story.ops[:step], played.results, strict=False):
            worlds.step(op, actual)
        worlds.play(story.ops[step])
        return self._seen(story, played, step), picture(worlds.state)

    def _seen(self, story: Story, played: Played, step: int) -> Picture | None:
        """The submission's own hotel after ``step``; an op that raised leaves no view: what was before it is shown."""
        if not played.views:
            return None
        witness = Witness(story)
        state = witness.see(None, None, played.views[0])
        for op, result, view in zip(story.ops[: step + 1], played.results, played.views[1:], strict=False):
            state = witness.see(op, result, view)
        if state is not None:
            return picture(state)
        size, blocks = int(story.params["block_size"]), int(story.params["num_blocks"])
        return public_picture(witness.public, blocks, size, witness.state.tokens) if witness.public else None


def modules(mistake: MistakeLike) -> Iterator[Any]:
    """The mistake on every base: what looks like a learner's module, once for each reading."""
    from solutions.p06_block_manager import OutOfBlocks
    from solutions.readings import READINGS as BASES
    from solutions.readings import reading

    for base in BASES:
        module = types.SimpleNamespace()
        module.BlockManager, module.OutOfBlocks = reading(mistake.cls, *base), OutOfBlocks
        yield module
