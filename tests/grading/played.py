"""What each classic mistake of l22 does in its own story, op by op beside the contract.

``python -m tests.grading.played`` writes `solutions/played_l22.json` anew: so it can be looked at without torch. A test
holds it to what the mistakes do.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from grader.exercises.l22.stories import l22_story
from grader.playing_paged import PagedPlay, play_paged
from grader.replay.op import Story
from solutions.mistakes import MISTAKES, PLAYED_FILE, Mistake, source

MINE = [mistake for mistake in MISTAKES if mistake.exercise == "l22"]


def story_of(mistake: Mistake) -> Story:
    """Its story in the ops of the exercise: a cache that is read is filled before, an odd table is the caller's."""
    told = mistake.story
    ops: list[list[Any]] = list(told["ops"])
    if "free_blocks" in told:
        _, name, length = ops[0]
        ops[0] = ["request", name, length, told["free_blocks"]]
    if any(op[0] == "gather" for op in ops):
        ops.insert(0, ["fill"])
    return l22_story(told["num_blocks"], told["block_size"], ops, told["head_dim"])


def played(mistake: Mistake) -> dict[str, Any]:
    """As it stands in the file."""
    story = story_of(mistake)
    play = play_paged(source(mistake.id).encode(), "mistake.py", story, "process")
    assert play.problem is None and play.first_difference is not None
    return {"story": story.to_json(), "looks": plain(play)}


def plain(play: PagedPlay) -> list[Any]:
    rows: list[Any] = json.loads(json.dumps([{**asdict(look), "op": look.op.to_json()} for look in play.looks]))
    return rows


def main() -> None:
    rows = [f"  {json.dumps(one.id)}: {json.dumps(played(one))}" for one in MINE]
    PLAYED_FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
