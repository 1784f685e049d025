"""A file looked at while it plays: the same trace as in this process, also in many small frames; trouble is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader import playing
from grader.exercises.p06.evening import busy_evening
from grader.exercises.p06.stories import STORIES
from grader.playing import play_class, play_file, steps_read
from grader.replay.compare import first_difference
from grader.replay.op import p06_story
from grader.replay.result import SKIPPED, refused
from grader.replay.trace import run
from grader.sandbox.limits import Limits
from grader.words import translator
from solutions.mistakes import reference_source, source
from tests.unit.replaying import P06, mistaken, story_of

REFERENCE = reference_source("p06")
QUICK = replace(Limits(), op_s=0.4, load_s=2.0)


def freeing(body: str) -> bytes:
    return f"{REFERENCE}\n\nclass BlockManager(BlockManager):\n    def free(self, seq_id):\n        {body}\n".encode()


def said(play) -> str:
    return translator("en").text(play.problem) if play.problem else ""


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_a_mistake_plays_here_and_leaves_the_reference(mistake):
    story = story_of(mistake)
    play = play_class(mistaken(mistake.id), story)
    assert play.problem is None
    assert first_difference(play.trace, run(story)) is not None


@pytest.mark.parametrize("frame", [1, 32, 12_000])
def test_a_file_in_frames_of_any_size_gives_one_trace(monkeypatch, frame):
    monkeypatch.setattr(playing, "_REPLY_BLOCKS", frame)
    story = STORIES[1]
    play = play_file(source("revived-stays").encode(), "mine.py", story, "process")
    assert play == replace(play_class(mistaken("revived-stays"), story), sandbox="process")


@pytest.mark.parametrize("frame", [16, 12_000])
@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("while True: pass", 'free("a") was still running after 0.4 s'),
        ("import os; os._exit(3)", 'your code stopped the process in free("a") (exit code 3)'),
        ("raise KeyError(seq_id)", "free(\"a\") raised KeyError: 'a'; no exception is due here"),
    ],
)
def test_what_stops_a_story_is_told_and_the_rest_is_shown(monkeypatch, frame, body, sentence):
    monkeypatch.setattr(playing, "_REPLY_BLOCKS", frame)
    play = play_file(freeing(body), "mine.py", STORIES[1], "process", QUICK)
    assert said(play) == sentence
    assert len(play.trace.steps) == 5
    assert first_difference(play.trace, run(STORIES[1])) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"class BlockManager: pass", "has no OutOfBlocks"),
        (b"while True: pass", "was still running after 2 s"),
        (REFERENCE.encode() + b"\nBlockManager = None\n", "BlockManager"),
    ],
)
def test_a_file_that_cannot_be_played_has_no_trace_but_a_sentence(text, sentence):
    play = play_file(text, "mine.py", STORIES[1], "process", QUICK)
    assert play.trace is None and sentence in said(play)


def test_a_story_is_read_at_every_step_only_so_far():
    assert steps_read(busy_evening()) > len(busy_evening().ops)
    assert steps_read(p06_story(1024, 16, [])) < 1_000


def test_the_busy_evening_is_always_the_same_and_has_everything():
    story = busy_evening()
    assert story == busy_evening() and len(story.ops) == 200
    trace = run(story)
    kinds = {event[0] for step in trace.steps for event in step.events}
    assert {"share", "revive", "evict", "to_cart", "to_free", "refused", "limit"} <= kinds
    assert 3 <= sum(refused(step.result) for step in trace.steps) <= 12
    assert not any(step.result == SKIPPED for step in trace.steps)
