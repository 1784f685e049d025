"""What a grading found, as data: filled by the judge, shown by the renderers, stored by the desk.

`to_json` is the public form in one language; `dump` keeps the messages unsaid, so that `load` can show them
in another.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from grader.plain import plain
from grader.words import Say, Translator, translator

SCHEMA = 1
EXIT_CODES = {"passed": 0, "failed": 1, "error": 3}
LINE, TEXT, OUTPUT = (
    2_000,
    8_000,
    65_536,
)  # characters kept of a value or message, a stack, the learner's output
Message = str | Say


@dataclass(frozen=True)
class Failure:
    """Why one check failed.

    `expected` and `actual` are values as text, or messages. `story` is the shortest trace that shows it,
    `step` the index of its first op that differs, `mine` and `reference` are the pictures after that op.
    `answers` is what each op of the story gave, as text; `printed` what the code printed in it. `whole` is how many ops
    the check's own story has, which was made shorter.
    `mistake` is the id of the classic mistake it looks like; `mistake_what`, `mistake_why` are message ids.
    """

    called: str | None = None
    expected: Message | None = None
    actual: Message | None = None
    why: Say | None = None
    mistake: str | None = None
    mistake_what: str | None = None
    mistake_why: str | None = None
    story: dict[str, Any] | None = None
    step: int | None = None
    stack: str | None = None
    mine: dict[str, Any] | None = None
    reference: dict[str, Any] | None = None
    answers: list[str] | None = None
    printed: str = ""
    whole: int | None = None


@dataclass(frozen=True)
class CheckResult:
    """One check's outcome: passed, failed, skipped or error (not run); the last two say why in `message`."""

    id: str
    group: str
    title: str
    outcome: str
    seconds: float = 0.0
    message: Say | None = None
    failure: Failure | None = None
    mission: str | None = None

    def to_json(self, lang: str) -> dict[str, Any]:
        tr = translator(lang)
        failure = self.failure or Failure()
        return {
            "id": self.id,
            "group": self.group,
            "mission": self.mission,
            "title": tr.text(self.title),
            "outcome": self.outcome,
            "seconds": round(self.seconds, 4),
            "message": _said(self.message, tr),
            "called": _said(failure.called, tr),
            "expected": _said(failure.expected, tr),
            "actual": _said(failure.actual, tr),
            "why": _said(failure.why, tr),
            "mistake": failure.mistake,
            "mistake_what": None if failure.mistake_what is None else tr.text(failure.mistake_what),
            "mistake_why": None if failure.mistake_why is None else tr.text(failure.mistake_why),
            "trace": portable(failure.story),
            "step": failure.step,
            "stack": None if failure.stack is None else plain(failure.stack, TEXT),
            "mine": portable(failure.mine),
            "reference": portable(failure.reference),
            "answers": portable(failure.answers),
            "printed": plain(failure.printed, TEXT),
            "whole": failure.whole,
        }


@dataclass(frozen=True)
class Report:
    """A whole grading. `message` says what no check can: there is no class, the grader itself failed.

    `met_limit`: somewhere in it time or memory ran out or the process was lost. A right file may meet that on a machine
    that is busy, so this is no answer for the same file handed in again.
    """

    exercise: str
    verdict: str
    sandbox: str
    device: str
    seconds: float
    message: Say | None = None
    checks: list[CheckResult] = field(default_factory=list)
    output: str = ""
    output_lost: int = 0
    named: bool = True  # False: no mistake could be looked for, the solutions are not here
    met_limit: bool = False

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    def to_json(self, lang: str) -> dict[str, Any]:
        """The public form; every text in `lang`, every untrusted text made plain."""
        return {
            "schema": SCHEMA,
            "exercise": self.exercise,
            "verdict": self.verdict,
            "sandbox": self.sandbox,
            "device": self.device,
            "seconds": round(self.seconds, 3),
            "message": _said(self.message, translator(lang)),
            "checks": [check.to_json(lang) for check in self.checks],
            "output": plain(self.output, OUTPUT),
            "output_lost": self.output_lost,
            "mistakes_known": self.named,
        }

    def dump(self) -> dict[str, Any]:
        """Plain data with the messages still unsaid, for storing."""
        data: dict[str, Any] = portable(_unsaid(self))
        return {"schema": SCHEMA, **data}

    @staticmethod
    def load(data: dict[str, Any]) -> Report:
        """The report that `dump` wrote; raises ValueError for another schema."""
        if data["schema"] != SCHEMA:
            raise ValueError(f"report of schema {data['schema']}, not {SCHEMA}")
        checks = [CheckResult(**{**_resaid(c), "failure": _failure(c["failure"])}) for c in data["checks"]]
        return Report(**{**_resaid(data), "checks": checks})


def portable(value: Any) -> Any:
    """Nested plain data as any JSON reader takes it: texts made plain, integers above 2**53 as strings."""
    if isinstance(value, str):
        return plain(value, OUTPUT)
    if isinstance(value, int) and abs(value) > 2**53:
        return str(value)
    if isinstance(value, dict):
        return {portable(key): portable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [portable(item) for item in value]
    return value


def _said(message: Message | None, tr: Translator) -> str | None:
    """A Say is put into words; a str is a value as text and stays as it is."""
    if message is None:
        return None
    return plain(message if isinstance(message, str) else tr.text(message), LINE)


def _unsaid(value: Any) -> Any:
    if isinstance(value, Say):
        return value.to_json()
    if isinstance(value, (Report, CheckResult, Failure)):
        return {f.name: _unsaid(getattr(value, f.name)) for f in fields(value)}
    return [_unsaid(item) for item in value] if isinstance(value, list) else value


def _resaid(data: dict[str, Any]) -> dict[str, Any]:
    said = {key: Say.from_json(v) if isinstance(v, dict) and "say" in v else v for key, v in data.items()}
    said.pop("schema", None)
    return said


def _failure(data: dict[str, Any] | None) -> Failure | None:
    return None if data is None else Failure(**_resaid(data))
