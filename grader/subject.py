"""What a check is given: the submission, to which it hands stories. A story that fails becomes a full explanation.

A failing story is played again alone, made as short as it can be, confirmed in a fresh worker, and shown beside what
the contract gives. If it passes there, state is kept on the class or the module, and that is what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from grader.checks import CheckFailed
from grader.naming import Evidence
from grader.oracle import ASIDE, JudgingOracle
from grader.replay.op import Story
from grader.replay.result import Parting, Result, refused, shown
from grader.report import Failure
from grader.sandbox.limits import Limits
from grader.sandbox.remote import NoMoreStrikes, OutOfTime, Played, Remote
from grader.shrink import shrink
from grader.wording import expected_text, mismatch, unbuilt
from grader.words import Say

# A line of faulthandler's that stands in the learner's file: the worker's and the libraries' have a path.
FRAME = re.compile(r'^  File "([^"/]+)", line (\d+) in (\S+)$', re.MULTILINE)


class Subject:
    """One submission under one check after another. ``agrees`` is what most checks call."""

    def __init__(
        self, remote: Remote, oracle: JudgingOracle, limits: Limits, memory_mib: int, device: Any = None
    ) -> None:
        self.remote, self.oracle, self.limits, self.memory_mib = remote, oracle, limits, memory_mib
        self.device = device
        self.judging = oracle
        self.evidence: list[Evidence] = []
        self.check_id = ""

    def begin(self, check_id: str) -> None:
        self.check_id = check_id
        self.judging = self.oracle
        self.judging.start()

    def agrees(self, stories: Story | Iterable[Story], why: str = "", oracle: JudgingOracle | None = None) -> None:
        """Play every story in turn; CheckFailed at the first that leaves the contract, with the shortest that does.

        ``oracle`` judges in place of the exercise's own.
        """
        self.judging = oracle or self.oracle
        bare = [stories] if isinstance(stories, Story) else stories
        each = self.remote.play_each(map(self.judging.asked, bare), self.judging.blob)
        for story, played in each:
            parting = self._parting(story, played)
            self.keep(story, played, parting)
            if parting is not None:
                each.close()
                self.fail(story, played, parting, why)

    def agree_together(self, stories: Sequence[Story], why: str = "") -> None:
        """Play the stories op by op in turn, each on a manager of its own in one process; none may feel the others."""
        opened = [self.remote.open(story.with_ops(())) for story in stories]
        for (_, start), story in zip(opened, stories, strict=True):
            if start.created is not None:
                raise self.explained(story, start, Parting(-1, (), start.created), why)
        results: list[list[Result]] = [[] for _ in stories]
        for step in range(max(len(story.ops) for story in stories)):
            for (key, _), story, so_far in zip(opened, stories, results, strict=True):
                blob = self.judging.blob(story)
                so_far += self.remote.go_on(key, story.with_ops(story.ops[step : step + 1]), blob).results
                if so_far and "trouble" in _dict(so_far[-1]):
                    raise self.explained(story, Played(results=so_far), Parting(len(so_far) - 1, (), so_far[-1]), why)
        for (_, start), story, so_far in zip(opened, stories, results, strict=True):
            played = Played(start.created, so_far)
            parting = self._parting(story, played)
            self.keep(story, played, parting)
            if parting is not None:
                self.fail(story, played, parting, why)

    def keep(self, story: Story, played: Played, parting: Parting | None) -> None:
        """Remember what came, up to where it left the contract, for naming the mistake at the end."""
        results = played.results if parting is None else played.results[: parting.step + 1]
        blob = self.judging.blob(story)
        self.evidence.append(Evidence(self.check_id, story, tuple(results), parting is not None, blob))

    def fail(self, story: Story, played: Played, parting: Parting, why: str) -> None:
        """Raise CheckFailed for ``story``, which parts at ``parting``."""
        if parting.step < 0 or "trouble" in _dict(parting.actual):
            raise self.explained(story, played, parting, why)
        try:
            cut, alone = self._narrowed(story, parting)
        except (NoMoreStrikes, OutOfTime):  # what was seen stands, though it is longer than it need be
            raise self.explained(story, played, parting, why) from None
        again = self._parting(cut, alone)
        if again is None:
            raise self.explained(story, played, parting, why, leaks=True)
        self.keep(cut, alone, again)
        raise self.explained(cut, alone, again, why, whole=len(story.ops))

    def _narrowed(self, story: Story, parting: Parting) -> tuple[Story, Played]:
        """The shortest story that fails in the same way, and what it gives as the first thing of a fresh worker."""
        kind = _kind(parting)

        def fails(candidate: Story) -> int | None:
            return self._fails_anew(candidate, kind)

        cut = _told(story, parting.step)
        at = fails(cut)
        if at is not None:
            cut = shrink(cut, at, fails, self.judging.shrink_ops)
        self.judging.start()
        cut = self.judging.asked(cut)
        return cut, self.remote.play_alone(cut, viewable(cut), self.judging.blob(cut))

    def explained(
        self, story: Story, played: Played, parting: Parting, why: str, leaks: bool = False, whole: int | None = None
    ) -> CheckFailed:
        """The failure as the report carries it. ``leaks``: it only fails after other stories, never alone. ``whole``:
        the ops of the check's own story, which ``story`` was made of."""
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
            shown_story = _told(story, parting.step)
            mine, reference = self.oracle.pictures(story, played, parting.step)
        if leaks:
            message = Say(
                "{message}. The same story passes when nothing runs before or beside it: is state kept on the class, "
                "on the module or in a default argument?",
                message=message,
            )
        return CheckFailed(
            message,
            Failure(
                called=called,
                expected=expected_text(parting.expected),
                actual=None if "trouble" in _dict(actual) else shown(actual),
                why=Say(why) if why else None,
                story=shown_story.to_json(),
                step=max(0, len(shown_story.ops) - 1),
                stack=learner_stack(actual),
                answers=_answers(story, played, parting.step),
                printed=played.printed,
                mine=mine,
                reference=reference,
                whole=whole,
            ),
        )

    def too_slow(self, message: Say, why: str) -> CheckFailed:
        """What only the clock says, and may not say again when the machine is less busy."""
        self.remote.met_limit = True
        return CheckFailed(message, Failure(why=Say(why)))

    def _fails_anew(self, story: Story, kind: str) -> int | None:
        """Where ``story`` fails in the same way on a file that has just been run again, or None."""
        self.judging.start()
        story = self.judging.asked(story)
        played = self.remote.play(story, anew=True, blob=self.judging.blob(story))
        parting = self._parting(story, played)
        if parting is None or parting.step < 0 or _kind(parting) != kind:
            return None
        return len(_told(story, parting.step).ops) - 1

    def _parting(self, story: Story, played: Played) -> Parting | None:
        if played.created is not None:
            return Parting(-1, (), played.created)
        return self.judging.follow(story, played)


def _kind(parting: Parting) -> str:
    """How a call went wrong: a story is only made shorter as long as it goes wrong in the same way."""
    actual = parting.actual
    if parting.expected and all(refused(result) for result in parting.expected):
        return "not refused"
    if type(actual) is not dict:
        return "value"
    return f"raise {actual['raise'][0]}" if "raise" in actual else next(iter(actual))


def _answers(story: Story, played: Played, step: int) -> list[str]:
    """What each op up to ``step`` gave, the questions aside left out: in step with ``_told``."""
    rows = zip(story.ops[: step + 1], played.results, strict=False)
    return [shown(result)[:200] for op, result in rows if op.name not in ASIDE]


def _told(story: Story, step: int) -> Story:
    """``story`` up to op ``step``, without the questions aside."""
    return story.with_ops(op for op in story.ops[: step + 1] if op.name not in ASIDE)


def viewable(story: Story) -> str | None:
    """Ask for the inside after every op only where all of it fits into a reply."""
    return "inside" if len(story.ops) * (int(story.params["num_blocks"]) + 20) < 20_000 else None


def learner_stack(actual: Result) -> str | None:
    """The learner's own lines of a stack that came with a result, or None."""
    stack = str(_dict(actual).get("stack") or "")
    if not stack.startswith("Timeout ("):
        return stack or None
    frames = reversed(FRAME.findall(stack))
    return "\n".join(f"  {file}, line {line}, in {name}" for file, line, name in frames if file != "driver.py") or None


def _dict(result: Result) -> dict[str, Any]:
    return result if type(result) is dict else {}
