"""The failures that a manager without a prefix cache would have: what is open while that is not written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from grader.replay.op import Story
from grader.replay.result import refused, shown
from grader.replay.trace import run
from grader.words import N_, Say

#: Sharing what is in use, finding what was freed, what append filled, and what lies in another block than the first:
#: while one of these holds, there are hits.
HITS = {"prefix-sharing", "cache-after-free", "append-enters-cache", "evicted-no-longer-hits", "mistake-coarse-check"}
TODO = "TODO 10"
PLAINEST = "prefix-sharing"
CALLS = {"allocate", "append_slot", "slot", "free", "num_cached_tokens", "num_free_blocks", "can_allocate"}
LONGEST = 60  # ops of a story that is played here
SAID = N_("Not written yet, or it never finds anything: the prefix cache ({todo}). In {n} checks your manager answers "
          "just as one without it does.")  # fmt: skip

Check = Mapping[str, Any]


def uncached(checks: Sequence[Check]) -> list[Check]:
    """Those of the deciding checks that failed with the answers of a manager whose cache is off, op by op, the plainest
    of them first. None at all where anything was found in the cache, as far as the checks can tell."""
    failed = [row for row in checks if row["outcome"] == "failed" and row["group"] != "stretch"]
    if any(row["mistake"] for row in failed) or not {row["id"] for row in failed} >= HITS:
        return []
    found = [row for row in failed if _as_without(row)]
    return sorted(found, key=lambda row: row["id"] != PLAINEST) if {row["id"] for row in found} >= HITS else []


def uncached_said(found: Sequence[Check]) -> Say:
    return Say(SAID, n=len(found), todo=TODO)


def _as_without(check: Check) -> bool:
    data, answers = check["trace"], check["answers"]
    if not data or not answers or data.get("enable_prefix_cache") is not True or len(data["ops"]) > LONGEST:
        return False
    if any(op[0] not in CALLS for op in data["ops"]):
        return False
    story = Story.from_json(dict(data))
    trace = run(replace(story, params={**story.params, "enable_prefix_cache": False}))
    told = ["OutOfBlocks" if refused(step.result) else shown(step.result)[:200] for step in trace.steps]
    seen = ["OutOfBlocks" if text.startswith("OutOfBlocks") else text for text in answers]
    return seen == told
