"""A learner's file in Explore: it runs in a sandbox, and whatever it does, a sentence says so and the screen stays."""

from __future__ import annotations

import pytest

from app import managers
from grader.exercise import discover
from grader.sandbox import launcher
from solutions.mistakes import reference_source, source

pytestmark = pytest.mark.slow

REFERENCE = reference_source("p06")


def freeing(body: str) -> str:
    """The reference with another free."""
    return f"{REFERENCE}\n\nclass BlockManager(BlockManager):\n    def free(self, seq_id):\n        {body}\n"


HANGS = freeing("while True: pass")
EXITS = freeing("import os; os._exit(3)")
HIDES = REFERENCE.replace("free_list", "unused_rooms")

needs_walls = pytest.mark.skipif(launcher.pick("auto") == "process", reason="no sandbox here: install bubblewrap")


def upload(visitor, text: bytes | str, name: str = "mine.py"):
    seen = visitor().choose("by_pick", "upload")
    content = text if isinstance(text, bytes) else text.encode()
    seen.app.file_uploader("upload_file").set_value((name, content, "text/x-python"))
    return seen.run()


@needs_walls
def test_a_right_file_plays_beside_the_reference(visitor):
    seen = upload(visitor, REFERENCE)
    assert (seen.sentences, len(seen.played["traces"]), seen.played["difference"]) == ([], 2, None)
    assert seen.played["who"] == "mine.py"


@needs_walls
def test_a_wrong_file_shows_its_first_difference(visitor):
    seen = upload(visitor, source("hit-limit-len"))
    assert seen.sentences == []
    assert seen.played["difference"]["step"] == 9


@needs_walls
def test_a_file_that_hides_its_inside_plays_by_its_public_view(visitor):
    seen = upload(visitor, HIDES)
    assert (seen.sentences, seen.played["traces"][0]["initial"]) == ([], None)


@needs_walls
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\x89PNG\r\n\x1a\n", "is not UTF-8 text"),
        (b"", "is empty"),
        ("def (", "is not valid Python"),
        ("print('hello')", "has no BlockManager"),
        ("while True: pass", "was still running after"),
        ("import sys; sys.exit()", "asked the process to exit"),
        ("raise RuntimeError('<i>no</i>')", "raised RuntimeError"),
    ],
)
def test_a_file_that_cannot_be_played_is_said_and_the_last_picture_stays(visitor, text, said):
    seen = upload(visitor, text)
    assert said in seen.sentences[0] and "<i>" not in seen.sentences[0]
    assert "What was shown before stays below." in seen.sentences[0]
    assert seen.played["title"].startswith("worked example 2")


@needs_walls
@pytest.mark.parametrize(("text", "said"), [(HANGS, "was still running after 1 s"), (EXITS, "stopped the process")])
def test_a_file_that_is_lost_in_a_call_plays_up_to_there(visitor, text, said):
    seen = upload(visitor, text)
    assert said in seen.sentences[0]
    assert "Below is what it did before that: 5 ops." in seen.sentences[0]
    assert len(seen.played["traces"][0]["steps"]) == 5


def test_no_file_yet_is_said(visitor):
    assert "No file yet" in visitor(by="mine").choose("by_pick", "upload").sentences[0]


def test_an_upload_is_refused_where_there_are_no_walls(visitor, monkeypatch):
    monkeypatch.setattr(launcher, "pick", lambda name: "process")
    seen = upload(visitor, REFERENCE)
    assert "only run inside bubblewrap or Docker" in seen.sentences[0]


def test_ones_own_file_runs_without_walls_and_that_is_said(visitor, monkeypatch, tmp_path):
    mine = tmp_path / "p06_block_manager.py"
    mine.write_text(REFERENCE)
    monkeypatch.setattr(managers, "MINE_FILE", mine)
    monkeypatch.setattr(launcher, "pick", lambda name: "process")
    seen = visitor(by="mine")
    assert "No sandbox works here" in seen.played["notice"]
    assert seen.played["difference"] is None


def test_a_file_that_is_not_there_is_said(visitor, monkeypatch, tmp_path):
    monkeypatch.setattr(managers, "MINE_FILE", tmp_path / "gone.py")
    assert "cannot be read" in visitor(by="mine").sentences[0]


@needs_walls
def test_the_untouched_skeleton_is_told_what_to_write(visitor, monkeypatch, tmp_path):
    mine = tmp_path / "p06_block_manager.py"
    mine.write_bytes(discover()["p06"].skeleton.read_bytes())
    monkeypatch.setattr(managers, "MINE_FILE", mine)
    seen = visitor(by="mine")
    assert "not written yet: allocate" in seen.sentences[0]
    assert "before that: 0 ops" in seen.sentences[0]
    mine.write_text(REFERENCE)
    assert seen.press("again").sentences == []
    assert len(seen.played["traces"][0]["steps"]) == 12
