"""A learner's file as the judge sees it: stories go in, results come back, and a broken worker is replaced.

The first thing that goes wrong in a story is found again op by op in a fresh worker, so that the message can name the
call. Workers are started ahead of time, used for one grading and thrown away.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from grader.plain import plain
from grader.replay.op import Story
from grader.replay.result import Result
from grader.sandbox.child import SandboxError
from grader.sandbox.limits import Limits
from grader.sandbox.link import Forged, Link, LinkDown, OverTime
from grader.sandbox.pool import Pool
from grader.sandbox.replies import handed_out, out_of_memory, stack_of, stops, trouble, valid, valid_problem, whole
from grader.words import Say

STRIKES = 3
GREET_S = 60.0
APART_S = 15.0


class NoMoreStrikes(Exception):
    """Three workers were lost to crashes or hangs: what remains is not run."""


class OutOfTime(Exception):
    """The grading's wall time is used up: what remains is not run."""


@dataclass
class Played:
    """What a story gave. ``results`` ends at the first op that raised what it may not, or that lost the worker."""

    created: Result = None
    results: list[Result] = field(default_factory=list)
    views: list[Any] = field(default_factory=list)
    printed: str = ""


#: Stories with what came of each, in the caller's own time.
Plays = Generator[tuple[Story, Played], None, None]


@dataclass(frozen=True)
class Submission:
    """What a worker is given: the learner's source, its file name, the exercise's driver."""

    source: str
    name: str
    driver: str


class Remote:
    """One grading's conversation with one submission. Not for use by several threads."""

    def __init__(self, submission: Submission, workers: Pool, limits: Limits) -> None:
        self.submission, self.workers, self.limits = submission, workers, limits
        self.link: Link | None = None
        self.ahead: Link | None = None  # where a story runs whose reply was not fetched yet
        self.strikes = 0
        self.sessions = 0
        self.going: set[str] = set()  # sessions that live in the worker at hand
        self.lost: Result = None  # what ended the others
        self.end = time.monotonic() + limits.grading_s
        self.lent: Callable[[], float] = float
        """Seconds more than that: what others took from it meanwhile."""
        self.outputs: list[tuple[str, int]] = []
        self.met_limit = False  # a worker was lost, or time or memory ran out: at another hour it may not

    @contextlib.contextmanager
    def off_the_clock(self) -> Iterator[None]:
        """What the grader itself waits for meanwhile does not count as the submission's time."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.end += time.monotonic() - began

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """A part of the grading that decides nothing: neither workers lost in it nor its time (to `APART_S`) count."""
        strikes, began = self.strikes, time.monotonic()
        try:
            yield
        finally:
            self.strikes = strikes
            self.end += min(APART_S, time.monotonic() - began)

    def load(self) -> Result:
        """Load the file in a first worker. Returns None, or what is wrong with it (a raise, a trouble, ``lacks``)."""
        try:
            self.link, problem = self._worker()
        except LinkDown as down:
            return trouble(down)
        return problem

    def play(self, story: Story, view: str | None = None, anew: bool = False, blob: bytes = b"") -> Played:
        """Play ``story`` on a new manager in the worker at hand, all in one frame.

        ``anew`` runs the file again first, so that nothing kept on its classes or module is left. ``view``: None,
        "public" or "inside". A crash or a hang costs the worker: it is found again in a fresh one, op by op.
        Raises NoMoreStrikes and OutOfTime.
        """
        link = self._link()
        try:
            return self._run(link, story, view, anew, blob)
        except LinkDown as down:
            return self._found_again(story, down, view, blob)

    def play_each(self, stories: Iterable[Story], blob: Callable[[Story], bytes]) -> Plays:
        """Play the stories in turn, each as ``play`` does. While the caller looks at one the next already runs; when
        the caller has seen enough (``close``), what runs is waited for and forgotten."""

        def begin(story: Story) -> None:
            self._begin(_frame("story", story.params, story, None, False, True), blob(story))

        return self._one_ahead(stories, begin, lambda story: self._finish(story, blob(story)))

    def play_alone(self, story: Story, view: str | None = None, blob: bytes = b"") -> Played:
        """Play ``story`` as the first thing that a fresh process does. Open sessions end."""
        link = self._link()
        try:
            link.restart(GREET_S)
            self.going.clear()
            problem = self._load_into(link)
            if problem is None:
                link.output.begin()
                played = self._run(link, story, view, False, blob)
                played.printed = link.output.printed()
                return played
            self._lose(LinkDown())  # it loaded before: what is left of it is of no use
            return Played(created=problem)
        except LinkDown as down:
            self._lose(down)
            return Played(results=[trouble(down)])

    def open(self, story: Story, view: str | None = None) -> tuple[str, Played]:
        """Start a story that goes on later: its session's name, and what the first ops gave."""
        self.sessions += 1
        key = f"s{self.sessions}"
        played = self._talk(key, story.params, story, view=view)
        if played.created is None:
            self.going.add(key)
        return key, played

    def go_on(self, key: str, story: Story, blob: bytes = b"", view: str | None = None) -> Played:
        """The next ops of an open session. A lost worker ends it: the last result then is the trouble."""
        if key not in self.going:
            return Played(results=[self.lost])
        return self._talk(key, None, story, blob, view)

    def go_on_each(self, key: str, parts: Iterable[Story]) -> Plays:
        """Several parts of an open session in turn, each as ``go_on`` does, one ahead as in ``play_each``."""

        def begin(part: Story) -> None:
            if key in self.going:
                self._begin(_frame(key, None, part, None, False, False), b"")

        def finish(part: Story) -> Played:
            link, self.ahead = self.ahead, None
            if link is None:
                return self.go_on(key, part)
            try:
                return self._answer(link, part)
            except LinkDown as down:
                self._lose(down)
                return Played(results=[trouble(down)])

        return self._one_ahead(parts, begin, finish)

    def abandon(self) -> None:
        """Another thread has no more use for what is under way: it ends soon, in OutOfTime."""
        self.end = -math.inf
        link = self.link
        if link is not None:
            link.child.kill()

    def close(self) -> None:
        if self.link is not None:
            self._close(self.link)
            self.link = None

    # -- inside ----------------------------------------------------------------------------------------------------

    def _talk(self, key: str, new: Any, story: Story, blob: bytes = b"", view: str | None = None) -> Played:
        link = self._link()
        try:
            return self._ask(link, key, new, story, view, blob=blob)
        except LinkDown as down:
            self._lose(down)
            return Played(created=trouble(down)) if new is not None else Played(results=[trouble(down)])

    def _link(self) -> Link:
        if self.strikes >= STRIKES:
            raise NoMoreStrikes
        self._check_time()
        if self.link is None:
            self.link, problem = self._open()
            if problem is not None:
                self._close(self.link)
                self.link = None
                self.strikes, self.met_limit = STRIKES, True
                raise NoMoreStrikes
        return self.link

    def _check_time(self) -> None:
        if self._left() <= 0:
            self.met_limit = True
            raise OutOfTime

    def _open(self) -> tuple[Link, Result]:
        try:
            return self._worker()
        except LinkDown as down:
            self.strikes = STRIKES
            raise NoMoreStrikes from down

    def _worker(self) -> tuple[Link, Result]:
        link = Link(self.workers.take(), self.limits)
        try:
            link.greet(GREET_S)
        except LinkDown as down:
            link.close()
            reason = plain(link.output.text().strip()[-300:], 300) or type(down).__name__
            raise SandboxError(
                Say("the sandbox did not come up ({reason}): run ./check.sh doctor", reason=reason)
            ) from down
        try:
            return link, self._load_into(link)
        except LinkDown as down:
            self.met_limit = True
            self._close(link, stack_of(down))
            raise

    def _load_into(self, link: Link) -> Result:
        frame = {
            "do": "load",
            "driver": self.submission.driver,
            "source": self.submission.source,
            "name": self.submission.name,
            "load_s": self.limits.load_s,
            "op_s": self.limits.op_s,
        }
        reply, _ = link.request(frame, self.limits.load_s, wall_s=max(0.1, self._left()))
        problem = reply.get("problem")
        if not (set(reply) == {"n", "problem"} and (problem is None or valid_problem(problem))):
            raise Forged()
        self.met_limit |= out_of_memory(problem)
        return problem

    def _close(self, link: Link, stack: str = "") -> None:
        link.close()
        # The learner's code did not print the stack that told where it hung.
        self.outputs.append((link.output.text().replace(stack, ""), link.output.lost))

    def _lose(self, down: LinkDown) -> None:
        self.going.clear()
        self.lost, self.met_limit = trouble(down), True
        if self.link is not None:
            self._close(self.link, stack_of(down))
            self.link = None
        if isinstance(down, OverTime):
            raise OutOfTime from down
        self.strikes += 1

    def _locate(self, story: Story, down: LinkDown, view: str | None, blob: bytes) -> Played:
        """The story again in a fresh worker, op by op from where the worker last gave a sign."""
        self._check_time()
        link, problem = self._open()
        played, start, made = Played(created=problem), min(down.done, len(story.ops) - 1), False
        end = ""
        try:
            if problem is not None:
                return played
            first = self._ask(link, "again", story.params, story.with_ops(story.ops[:start]), view, blob=blob)
            played.created, played.results, played.views, made = first.created, first.results, first.views, True
            for op in story.ops[start:]:
                if played.created is not None or (played.results and stops(played.results[-1])):
                    return played
                step = self._ask(link, "again", None, story.with_ops([op]), view, blob=blob)
                played.results += step.results
                played.views += step.views
            return played
        except LinkDown as again:
            end = stack_of(again)
            if isinstance(again, OverTime):
                raise OutOfTime from again
            if made:
                played.results.append(trouble(again))
            else:
                played.created = trouble(again)
            return played
        finally:
            self._close(link, end)

    def _found_again(self, story: Story, down: LinkDown, view: str | None, blob: bytes) -> Played:
        self._lose(down)
        if isinstance(down, Forged):
            return Played(results=[trouble(down)])
        return self._locate(story, down, view, blob)

    def _one_ahead(
        self, stories: Iterable[Story], begin: Callable[[Story], None], finish: Callable[[Story], Played]
    ) -> Plays:
        running: Story | None = None
        try:
            for story in stories:
                before, running = running, None
                played = None if before is None else finish(before)
                running = story
                begin(story)
                if before is not None and played is not None:
                    yield before, played
            if running is not None:
                last, running = running, None
                yield last, finish(last)
        finally:
            if running is not None:
                self._forget()

    def _begin(self, frame: dict[str, Any], blob: bytes) -> None:
        """Send ``frame`` ahead. Where no worker can be had, nothing is sent: who asks for the reply is told why."""
        self.ahead = None
        with contextlib.suppress(NoMoreStrikes, OutOfTime):
            link = self._link()
            link.send(frame, blob)
            self.ahead = link

    def _finish(self, story: Story, blob: bytes) -> Played:
        link, self.ahead = self.ahead, None
        if link is None:
            return self.play(story, blob=blob)
        try:
            return self._answer(link, story)
        except LinkDown as down:
            return self._found_again(story, down, None, blob)

    def _forget(self) -> None:
        """Nobody asks any more for what runs: a worker lost in it is no strike."""
        link, self.ahead = self.ahead, None
        if link is not None:
            try:
                link.receive(self.limits.op_s, self._wall())
            except LinkDown as down:
                strikes = self.strikes
                with contextlib.suppress(OutOfTime):
                    self._lose(down)
                self.strikes = strikes

    def _run(self, link: Link, story: Story, view: str | None, anew: bool, blob: bytes) -> Played:
        return self._ask(link, "story", story.params, story, view, anew, True, blob)

    def _ask(
        self, link: Link, key: str, new: Any, story: Story, view: str | None = None, anew: bool = False,
        end: bool = False, blob: bytes = b"",
    ) -> Played:  # fmt: skip
        link.send(_frame(key, new, story, view, anew, end), blob)
        return self._answer(link, story)

    def _answer(self, link: Link, story: Story) -> Played:
        """The reply to a ``run`` of ``story`` that was sent. Raises LinkDown."""
        reply, attachment = link.receive(self.limits.op_s, self._wall())
        results = reply.get("results")
        if (
            set(reply) != {"n", "created", "results", "views"}
            or not (reply["created"] is None or valid_problem(reply["created"]))
            or type(results) is not list
            or type(reply["views"]) is not list
            or not all(valid(result) for result in results)
            or not whole(reply["created"], results, len(story.ops))
            or not handed_out(results, attachment)
        ):
            raise Forged()
        self.met_limit |= any(map(out_of_memory, (reply["created"], *results[-1:])))
        return Played(reply["created"], results, reply["views"])

    def _wall(self) -> float:
        return max(0.05, self._left())

    def _left(self) -> float:
        return self.end + self.lent() - time.monotonic()


def _frame(key: str, new: Any, story: Story, view: str | None, anew: bool, end: bool) -> dict[str, Any]:
    return {
        "do": "run",
        "session": key,
        "new": None if new is None else dict(new),
        "ops": story.ops,
        "view": view,
        "fresh": anew,
        "end": end,
    }
