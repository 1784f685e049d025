"""The catalogue: one cheat a file, with a header that says what must become of it, and what is wrong if it does not."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.sandbox.limits import Limits

FILES = Path(__file__).parent / "files"
MARK = "escaped"
"""What a file says, in a message or on its output, when it got where it must not get."""
LEFT_BEHIND = "kvh_was_here"
SECRET = "KVH_HOSTILE_SECRET"
"""A variable of the judge's environment."""
NEEDED = ("severity", "strategy", "surface", "outcome")
KNOWN = {*NEEDED, "outcome docker", "outcome bubblewrap", "exercise", "checks", "verdict"}
SEVERITIES = ("none", "low", "medium", "high")
CHECKS = "worked-1 worked-2 free-returns-everything can-allocate random-small paged-gather"
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

SHORT = replace(
    Limits(), load_s=2.0, op_s=0.6, grading_s=8.0, memory_mib=128, processes=16, open_files=32, scratch_mib=4,
    scratch_files=256, attachment_mib=1, kept_output_kib=8,
)  # fmt: skip
"""For every day: the same limits, met sooner."""
SHORT_WITH_TORCH = replace(SHORT, op_s=1.5, load_s=5.0, grading_s=20.0)
REAL_VALUES = (
    "memory_on_import", "memory_in_call", "memory_in_children", "fork_bomb", "fork_to_the_limit", "thread_bomb",
    "fills_scratch", "many_files", "many_descriptors", "stdout_flood", "stderr_flood", "cpu_in_c", "loop_on_import",
    "ignored_signals", "slow_everywhere", "forged_signs_of_life", "forged_size", "huge_list", "l22_huge_tensor",
)  # fmt: skip
"""The files about limits, which `test --all` grades once more at the real ones."""
SLACK_S = 2.0


@dataclass(frozen=True)
class Cheat:
    """One file and its header. ``outcomes``: parts of sentences, one of which a message must have, by backend."""

    name: str
    severity: str
    strategy: str
    surface: str
    outcomes: dict[str, tuple[str, ...]]
    exercise: str
    checks: tuple[str, ...] | None
    verdict: str

    @property
    def source(self) -> bytes:
        return (FILES / f"{self.name}.py").read_bytes()

    @property
    def short(self) -> Limits:
        return SHORT_WITH_TORCH if self.exercise == "l22" else SHORT

    def outcome(self, backend: str) -> tuple[str, ...]:
        return self.outcomes.get(backend, self.outcomes[""])


def read(path: Path) -> Cheat:
    """The header of a file. ValueError says what it lacks."""
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    header: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(": ")
        if not colon or key not in KNOWN:
            raise ValueError(f"{path.name}: what is {line!r}?")
        header[key] = value.strip()
    lacking = [key for key in NEEDED if not header.get(key)]
    if lacking:
        raise ValueError(f"{path.name} lacks {', '.join(lacking)}")
    if header["severity"] not in SEVERITIES:
        raise ValueError(f"{path.name}: severity is one of {', '.join(SEVERITIES)}")
    outcomes = {
        key.removeprefix("outcome").strip(): tuple(part.strip() for part in value.split(" | "))
        for key, value in header.items()
        if key.startswith("outcome")
    }
    exercise = header.get("exercise", "p06")
    checks = header.get("checks", CHECKS if exercise == "p06" else "")
    return Cheat(
        path.stem, header["severity"], header["strategy"], header["surface"], outcomes, exercise,
        None if checks in ("", "all") else tuple(checks.split()), header.get("verdict", "failed"),
    )  # fmt: skip


def cheats() -> list[Cheat]:
    """Every file, by name."""
    return [read(path) for path in sorted(FILES.glob("*.py"))]


def complaints(cheat: Cheat, backend: str, report: dict[str, Any], limits: Limits) -> list[str]:
    """What is wrong with how ``cheat`` was graded; nothing if it got what it must get. ``report`` as JSON gives it."""
    texts = messages(report)
    wrong = []
    if report["verdict"] != cheat.verdict:
        wrong.append(f"verdict {report['verdict']}, not {cheat.verdict}: {texts[:2]}")
    wanted = tuple(_real(part, limits) for part in cheat.outcome(backend))
    if cheat.verdict == "failed" and not any(part in text for part in wanted for text in texts):
        wrong.append(f"no message says {' or '.join(map(repr, wanted))}: {texts[:3]}")
    if any(MARK in text for text in [*texts, report["output"]]):
        wrong.append(f"it escaped: {[text for text in [*texts, report['output']] if MARK in text][:2]}")
    if report["seconds"] > limits.grading_s + SLACK_S:
        wrong.append(f"took {report['seconds']:.1f} s, with {limits.grading_s:g} s to a grading")
    if len(report["output"].encode()) > 4 * limits.kept_output_kib << 10:
        wrong.append(f"{len(report['output'])} letters of output were kept")
    unseen = [text for text in _texts(report) if UNSEEN.search(text.replace("\n", ""))]
    if unseen:
        wrong.append(f"control characters got through: {unseen[:2]!r}")
    return wrong


def messages(report: dict[str, Any]) -> list[str]:
    """Every message of a report, each once."""
    rows = [report["message"], *(check["message"] for check in report["checks"] if check["outcome"] != "passed")]
    return list(dict.fromkeys(text for text in rows if text))


def _real(part: str, limits: Limits) -> str:
    """Headers name the short limits; where others hold, the sentence has theirs."""
    part = part.replace(f"{SHORT.memory_mib} MiB of memory", f"{limits.memory_mib} MiB of memory")
    return part.replace(f"{SHORT.processes} processes", f"{limits.processes} processes")


def _texts(value: Any) -> list[str]:
    if type(value) is str:
        return [value]
    if type(value) is dict:
        return [text for item in value.items() for part in item for text in _texts(part)]
    return [text for item in value for text in _texts(item)] if type(value) is list else []
