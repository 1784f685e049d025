"""A judge by hand, for tests of what is shown: it takes what waits at a desk and ends it as the test wants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grader.desk.claims import Claim, Claims
from grader.desk.store import Store
from grader.report import CheckResult, Failure, Report
from grader.words import Say

HOSTILE = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>\x1b[31m\u202e**bold** [x](javascript:1)'

STORY = {"num_blocks": 2, "block_size": 2, "enable_prefix_cache": True,
         "ops": [["allocate", "a", [1, 2, 3, 4]], ["free", "a"], ["allocate", "b", [5]]]}  # fmt: skip


def passed(id: str, **more: Any) -> CheckResult:
    return CheckResult(id, more.pop("group", "acceptance"), f"what {id} asks", "passed", 0.01, **more)


def failed(id: str, **more: Any) -> CheckResult:
    """A failure with everything that one can have."""
    failure = Failure(
        called='allocate("b", [5])', expected="[1]", actual="[0]", why=Say("it is leaked"), mistake="free-forwards",
        mistake_what="The call free walks the block table from the first block to the last.", story=STORY, step=2,
        answers=["[0, 1]", "None", "[0]"], printed="seen",
    )  # fmt: skip
    message = Say("{call} returned {value}", call='allocate("b", [5])', value="[0]")
    group, more = more.pop("group", "acceptance"), {"message": message, "failure": failure, **more}
    return CheckResult(id, group, f"what {id} asks", "failed", 0.6, **more)


def waiting(id: str, todo: str) -> CheckResult:
    failure = Failure(called="allocate()", actual=f"NotImplementedError: {todo}", story=STORY, step=0)
    return CheckResult(id, "acceptance", f"what {id} asks", "failed", message=Say("not written yet"), failure=failure)


def report(*checks: CheckResult, exercise: str = "p06", **more: Any) -> Report:
    outcomes = {check.outcome for check in checks if check.group == "acceptance"}
    verdict = more.pop("verdict", "passed" if outcomes <= {"passed"} else "failed")
    return Report(exercise, verdict, "bubblewrap", "cpu", 0.8, checks=list(checks), **more)


class ByHand:
    """The judges of the desk in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.store = Store(folder)
        self.claims = Claims(self.store)

    def take(self) -> Claim:
        """The next that waits, now running."""
        claim = self.claims.claim("by hand", lambda exercise: "suite")
        assert claim is not None
        return claim

    def tell(self, claim: Claim, *checks: CheckResult, totals: tuple[int, int] = (4, 1)) -> None:
        """So far it has these results."""
        assert self.claims.beat(claim, checks, 0, totals)

    def end(self, result: Report) -> str:
        """Take the next and end it with ``result``; its id."""
        claim = self.take()
        assert self.claims.finish(claim, result, "suite")
        return claim.submission
