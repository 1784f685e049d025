"""Keeps one claim while its submission is graded: renews it, hands on each result, and hears that it is gone."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from grader.desk.claims import Claim, Claims
from grader.desk.refused import Refused
from grader.report import CheckResult, Report
from grader.words import Say

BEAT_S = 0.5
"""How often the lease is renewed, and so how soon a cancel is heard."""
TOGETHER_S = 0.1
"""Results that come within this are kept together."""
GIVE_UP_S = 2.0
"""How long a judge may go on with what nobody wants before its process ends."""
AGAIN_S = 0.5
"""How long to wait before a database that refused is asked again."""


class GivenUp(Exception):
    """Nobody waits for this verdict any more."""


class Keeper:
    """A thread that beats while the caller grades, until one of ``finish``, ``fail`` and ``give_back``, or the end."""

    def __init__(self, claims: Claims, claim: Claim) -> None:
        self.claims, self.claim = claims, claim
        self.results: list[CheckResult] = []
        self.gone = False
        self._totals = (0, 0)
        self._kept = 0
        self._news = self._over = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="kvhotel-keeper", daemon=True)

    def __enter__(self) -> Keeper:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def expect(self, acceptance: int, stretch: int) -> None:
        """How many checks there will be."""
        with self._change:
            self._totals, self._news = (acceptance, stretch), True
            self._change.notify()

    def hear(self, row: CheckResult) -> None:
        """A result; raises GivenUp where the claim is gone."""
        with self._change:
            self.results.append(row)
            self._news = True
            self._change.notify()
        if self.gone:
            raise GivenUp

    def finish(self, report: Report, suite: str) -> bool:
        """Ends it with its report; waits as long as the database refuses. False where the claim is gone."""
        self._stop()
        while True:
            try:
                return self.claims.finish(self.claim, report, suite)
            except Refused as refused:
                _tell(refused)
                time.sleep(AGAIN_S)

    def fail(self, reason: Say, again: bool = True) -> bool:
        self._stop()
        return self.claims.fail(self.claim, reason, again)

    def give_back(self) -> bool:
        """From another thread, while the grading goes on."""
        self.gone = True
        self._stop()
        return self.claims.give_back(self.claim)

    def _stop(self) -> None:
        with self._change:
            self._over = True
            self._change.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._over or self._news, BEAT_S)
                self._news, results = False, list(self.results)
                if self._over:
                    return
            try:
                if not self.claims.beat(self.claim, results, self._kept, self._totals):
                    return self._give_up()
                self._kept = len(results)
            except Refused as refused:
                _tell(refused)
            self._pause(TOGETHER_S)

    def _give_up(self) -> None:
        self.gone = True
        self._pause(GIVE_UP_S)
        if not self._over:  # a check that takes long: the sandbox ends with us, another judge takes our place
            os.kill(os.getpid(), signal.SIGKILL)

    def _pause(self, seconds: float) -> None:
        with self._change:
            self._change.wait_for(lambda: self._over, seconds)


def _tell(refused: Refused) -> None:
    print(f"the desk: {refused.say.msgid.format(**refused.say.args)}", file=sys.stderr, flush=True)
