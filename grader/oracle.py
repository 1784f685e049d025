"""What an exercise knows of right and wrong, as the judge asks for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from grader.replay.op import Story
from grader.replay.result import Parting
from grader.sandbox.remote import Played

#: Questions of a check to itself, left out of the story that is shown: they change nothing in a manager.
ASIDE = frozenset({"slots"})


class JudgingOracle(ABC):
    """The base of ``grader.exercises.<id>.oracle.Oracle``."""

    #: How many ops may be played to make a failing story shorter.
    shrink_ops = 30_000

    def start(self) -> None:  # noqa: B027
        """A check begins: whatever was narrowed down in the one before is open again."""

    def asked(self, story: Story) -> Story:
        """``story`` with the questions that this oracle needs answered in it (of the names in ASIDE)."""
        return story

    def blob(self, story: Story) -> bytes:
        """The bytes that go to the worker with ``story``."""
        return b""

    @abstractmethod
    def follow(self, story: Story, played: Played) -> Parting | None:
        """The first op where no reading of the contract gives what came, or None."""

    @abstractmethod
    def construction(self, story: Story) -> str:
        """The constructor's call as a learner would write it."""

    @abstractmethod
    def pictures(self, story: Story, played: Played, step: int) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """After op ``step``: the submission's inside or public view, and the contract's."""
