"""The skeleton's worked examples are what the checks play, with the results that the reference gives."""

from __future__ import annotations

import re

from grader.exercise import discover
from grader.exercises.p06.stories_worked import WORKED_STORIES
from solutions.p06_block_manager import BlockManager, OutOfBlocks

TEXT = discover()["p06"].skeleton.read_text("utf-8")
ROW = re.compile(r"^#      (\S.*?) -> (\S+(?: \S+)*)(?:  .*)?$", re.MULTILINE)


def played(story) -> list[tuple[str, str]]:
    manager = BlockManager(**story.params)
    rows = []
    for op in story.ops:
        try:
            found = getattr(manager, op.name)
            rows.append((op.call(), str(found(*op.args) if callable(found) else found)))
        except OutOfBlocks:
            rows.append((op.call(), "OutOfBlocks"))
    return rows


def test_the_examples_at_the_end_are_the_worked_ones():
    assert ROW.findall(TEXT) == [row for story in WORKED_STORIES for row in played(story)]
    for story in WORKED_STORIES:
        assert f"BlockManager({', '.join(f'{name}={value}' for name, value in story.params.items())})" in TEXT


def test_the_todos_are_numbered_in_the_order_in_which_they_stand():
    numbers = [int(number) for number in re.findall(r"(?:# |\")TODO (\d+):", TEXT)]
    assert numbers == list(range(1, 11))

