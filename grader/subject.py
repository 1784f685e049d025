"""What a check is given: the submission, to which it hands stories. A story that fails becomes a full explanation.

A failing story is played again alone, made as short as it can be, confirmed in a fresh worker, and shown beside what the
contract gives. If it passes there, state is kept on the class or the module, and that is what is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from grader.checks import CheckFailed
from grader.naming import Evidence
from grader.replay.op import Story
from grader.replay.result import Parting, Result, shown
from grader.report import Failure
from grader.sandbox.limits import Limits
from grader.sandbox.remote import Played, Remote
from grader.shrink import shrink
from grader.wording import expected_text, mismatch, unbuilt
from grader.words import Say


class Oracle(Protocol):
    """What an exercise knows of right and wrong: ``grader/exercises/<id>/oracle.py`` has a class of this name."""

    def start(self) -> None:
        """A check begins: whatever was narrowed down in the one before is open again."""

    def follow(self, story: Story, played: Played) -> Parting | None:
        """The first op where no reading of the contract gives what came, or None."""

    def construction(self, story: Story) -> str:
        """The constructor's call as a learner would write it."""

    def pictures(self, story: Story, played: Played, step: int) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """After op ``step``: the submission's inside or public view, and the contract's."""


def attachment(oracle: Oracle, story: Story) -> bytes:
    """The bytes that go to the worker with ``story``: an oracle whose stories have any draws them with ``blob``."""
    draw: Callable[[Story], bytes] | None = getattr(oracle, "blob", None)
    return b"" if draw is None else draw(story)


class Subject:
    """One submission under one check after another. ``agrees`` is what most checks call."""

    def __init__(self, remote: Remote, oracle: Oracle, limits: Limits, memory_mib: int, device: Any = None) -> None:
        self.remote, self.oracle, self.limits, self.memory_mib = remote, oracle, limits, memory_mib
        self.device = device
        self.evidence: list[Evidence] = []
        self.check_id = ""

    def begin(self, check_id: str) -> None:
        self.check_id = check_id
        self.oracle.start()

    def agrees(self, stories: Story | Iterable[Story], why: str = "") -> None:
        """Play every story in turn; CheckFailed at the first that leaves the contract, with the shortest that does."""
        for story in [stories] if isinstance(stories, Story) else stories:
            played = self.remote.play(story, blob=attachment(self.oracle, story))
            parting = self._parting(story, played)
            self.keep(story, played, parting)
            if parting is not None:
                self.fail(story, played, parting, why)

    def agree_together(self, stories: Sequence[Story], why: str = "") -> None:
        """Play the stories op by op in turn, each on a manager of its own in one process; none may feel the others."""
        opened = [self.remote.open(story.with_ops(())) for story in stories]
        results: list[list[Result]] = [[] for _ in stories]
        for step in range(max(len(story.ops) for story in stories)):
            for (key, _), story, so_far in zip(opened, stories, results, strict=True):
                blob = attachment(self.oracle, story)
                so_far += self.remote.go_on(key, story.with_ops(story.ops[step : step + 1]), blob).results
        for (_, start), story, so_far in zip(opened, stories, results, strict=True):
            played = Played(start.created, so_far)
            parting = self._parting(story, played)
            self.keep(story, played, parting)
            if parting is not None:
                raise self.explained(story, played, parting, why)

    def keep(self, story: Story, played: Played, parting: Parting | None) -> None:
        """Remember what came, up to where it left the contract, for naming the mistake at the end."""
        results = played.results if parting is None else played.results[: parting.step + 1]
        blob = attachment(self.oracle, story)
        self.evidence.append(Evidence(self.check_id, story, tuple(results), parting is not None, blob))

    def fail(self, story: Story, played: Played, parting: Parting, why: str) -> None:
        """Raise CheckFailed for ``story``, which parts at ``parting``."""
        if parting.step < 0 or "trouble" in _dict(parting.actual):
            raise self.explained(story, played, parting, why)
        cut = story.with_ops(story.ops[: parting.step + 1])
        at = self._fails_anew(cut)
        if at is not None:
            cut = shrink(cut, at, self._fails_anew)
        self.oracle.start()
        alone = self.remote.play_alone(cut, "inside", attachment(self.oracle, cut))
        again = self._parting(cut, alone)
        if again is None:
            raise self.explained(story, played, parting, why, leaks=True)
        self.keep(cut, alone, again)
        raise self.explained(cut, alone, again, why)

    def explained(self, story: Story, played: Played, parting: Parting, why: str, leaks: bool = False) -> CheckFailed:
        """The failure as the report carries it. ``leaks``: it only fails after other stories, never alone."""
        limits, mib = self.limits, self.memory_mib
        actual = parting.actual
        if parting.step < 0:
            called = self.oracle.construction(story)
            message = unbuilt(actual, called, limits, mib)
            shown_story = story.with_ops(())
            mine = reference = None
        else:
            op = story.ops[parting.step]
            called = op.call()
            message = mismatch(op, parting.expected, actual, limits, mib)
            shown_story = story.with_ops(story.ops[: parting.step + 1])
            mine, reference = self.oracle.pictures(story, played, parting.step)
        if leaks:
            message = Say(
                "{message}. The same story passes when nothing ran before it: is state kept on the class, on the module "
                "or in a default argument?",
                message=message,
            )
        return CheckFailed(
            message,
            Failure(
                called=called,
                expected=expected_text(parting.expected),
                actual=shown(actual),
                why=Say(why) if why else None,
                story=shown_story.to_json(),
                step=max(0, parting.step),
                stack=learner_stack(actual),
                mine=mine,
                reference=reference,
            ),
        )

    def _fails_anew(self, story: Story) -> int | None:
        """Where ``story`` fails on a file that has just been run again, or None."""
        self.oracle.start()
        played = self.remote.play(story, anew=True, blob=attachment(self.oracle, story))
        parting = self._parting(story, played)
        if parting is None or parting.step < 0 or "trouble" in _dict(parting.actual):
            return None
        return parting.step

    def _parting(self, story: Story, played: Played) -> Parting | None:
        if played.created is not None:
            return Parting(-1, (), played.created)
        return self.oracle.follow(story, played)


def learner_stack(actual: Result) -> str | None:
    """The learner's own lines of a stack that came with a result, or None."""
    stack = _dict(actual).get("stack")
    return str(stack) if stack else None


def _dict(result: Result) -> dict[str, Any]:
    return result if type(result) is dict else {}
