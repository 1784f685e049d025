"""A submission over a real sandbox: what is lost is found again, what is kept is shown, what hangs is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from grader.exercise import discover
from grader.replay.op import Row, Story, p06_story
from grader.replay.result import raised, refused
from grader.sandbox import launcher
from grader.sandbox.limits import Limits
from grader.sandbox.pool import Pool
from grader.sandbox.remote import NoMoreStrikes, OutOfTime, Remote, Submission

DRIVER = (discover()["p06"].folder / "driver.py").read_text("utf-8")
LIMITS = replace(Limits(), op_s=0.4, load_s=1.0)
HEAD = """
class OutOfBlocks(Exception): pass
class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True): self.calls = 0
    num_free_blocks = property(lambda self: 3)
    def can_allocate(self, n): return True
    def allocate(self, seq, tokens): return list(range(len(tokens)))
    def append_slot(self, seq, token): return token
    def slot(self, seq, pos): return pos
    def num_cached_tokens(self, seq): return 0
    def free(self, seq): return None
"""
ROWS: list[Row] = [["allocate", "a", [1, 2]], ["append_slot", "a", 7], ["num_free_blocks"], ["free", "a"]]
STORY = p06_story(4, 2, ROWS)


@pytest.fixture
def submit() -> Iterator[Callable[..., Remote]]:
    made: list[tuple[Remote, Pool]] = []

    def submit(source: str, limits: Limits = LIMITS) -> Remote:
        workers = Pool(launcher.pick("auto"), limits, size=1)
        remote = Remote(Submission(source, "mine.py", DRIVER), workers, limits)
        made.append((remote, workers))
        return remote

    yield submit
    for remote, workers in made:
        remote.close()
        workers.close()


def with_append(body: str) -> str:
    return HEAD.replace("def append_slot(self, seq, token): return token", f"def append_slot(self, seq, token): {body}")


def test_a_story_comes_back_with_all_its_results(submit: Callable[..., Remote]) -> None:
    remote = submit(HEAD)
    assert remote.load() is None
    assert remote.play(STORY).results == [[0, 1], 7, 3, None]
    assert not remote.met_limit


def test_ops_on_what_is_not_live_are_skipped(submit: Callable[..., Remote]) -> None:
    remote = submit(HEAD)
    remote.load()
    rows: list[Row] = [["free", "x"], ["allocate", "a", [1]], ["allocate", "a", [1]], ["slot", "a", 5]]
    skip = {"skip": True}
    assert remote.play(p06_story(4, 2, rows)).results == [skip, [0], skip, skip]


@pytest.mark.parametrize(
    ("body", "trouble"),
    [
        ("import os; os._exit(0)", {"trouble": "exit", "code": 0}),
        ("import ctypes; ctypes.string_at(0)", {"trouble": "signal", "code": 11}),
        ("import os; os.kill(os.getpid(), 9)", {"trouble": "signal", "code": 9}),
    ],
)
def test_the_op_that_ended_the_process_is_found_again(
    submit: Callable[..., Remote], body: str, trouble: dict[str, object]
) -> None:
    remote = submit(with_append(body))
    remote.load()
    assert remote.play(STORY).results == [[0, 1], trouble]
    assert remote.met_limit
    assert remote.play(p06_story(4, 2, ROWS[:1])).results == [[0, 1]]  # with a fresh worker


def test_a_loop_is_named_with_the_learners_own_lines(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("\n        while True: pass"))
    remote.load()
    last = remote.play(STORY).results[-1]
    assert last["trouble"] == "stuck"
    assert "mine.py" in last["stack"] and "append_slot" in last["stack"]
    assert remote.met_limit


def test_three_lost_workers_are_enough(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("import os; os._exit(0)"))
    remote.load()
    for _ in range(3):
        remote.play(STORY)
    with pytest.raises(NoMoreStrikes):
        remote.play(STORY)


TOKEN_9_ENDS_IT = "import os; os._exit(0) if token == 9 else None; return token"


def appending(*tokens: int) -> list[Story]:
    rows: list[list[Row]] = [[["allocate", "a", [1]], ["append_slot", "a", token]] for token in tokens]
    return [p06_story(4, 2, one) for one in rows]


def test_each_of_several_stories_comes_back_in_turn(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append(TOKEN_9_ENDS_IT))
    remote.load()
    seen = [played.results[-1] for _, played in remote.play_each(appending(1, 2, 9, 3), lambda story: b"")]
    assert seen == [1, 2, {"trouble": "exit", "code": 0}, 3]


def test_a_worker_lost_in_a_story_that_nobody_asks_for_any_more_is_no_strike(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append(TOKEN_9_ENDS_IT))
    remote.load()
    for _ in range(4):
        each = remote.play_each(appending(1, 9), lambda story: b"")
        assert next(each)[1].results[-1] == 1
        each.close()
    assert remote.play(appending(5)[0]).results[-1] == 5


def test_a_session_goes_on_part_by_part(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append(TOKEN_9_ENDS_IT))
    remote.load()
    start, *parts = appending(0, 1, 2, 9, 3)
    key, _ = remote.open(start.with_ops(start.ops[:1]))
    more = [part.with_ops(part.ops[1:]) for part in parts]
    gone = {"trouble": "exit", "code": 0}
    assert [played.results for _, played in remote.go_on_each(key, more)] == [[1], [2], [gone], [gone]]


def test_the_time_of_a_whole_grading_ends(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("import time; time.sleep(0.3); return 1"), replace(LIMITS, grading_s=1.0))
    remote.load()
    with pytest.raises(OutOfTime):
        for _ in range(20):
            remote.play(STORY)
    assert remote.met_limit


def test_an_exception_crosses_as_names_text_and_the_learners_lines(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("raise LookupError('no such thing')"))
    remote.load()
    last = remote.play(STORY).results[-1]
    assert raised(last) and not refused(last)
    assert last["raise"][:2] == ["LookupError", "Exception"] and last["text"] == "no such thing"
    assert "mine.py, line" in last["stack"]
    assert not remote.met_limit


@pytest.mark.parametrize(
    "source", [with_append("raise MemoryError"), HEAD + "raise MemoryError", HEAD + "while 1: pass"]
)
def test_memory_or_time_that_ran_out_is_remembered(submit: Callable[..., Remote], source: str) -> None:
    remote = submit(source)
    if remote.load() is None:
        remote.play(STORY)
    assert remote.met_limit


def test_a_subclass_of_out_of_blocks_is_a_refusal(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("\n        class Full(OutOfBlocks): pass\n        raise Full"))
    remote.load()
    results = remote.play(STORY).results
    assert refused(results[1]) and results[2:] == [3, None]


@pytest.mark.parametrize(
    ("body", "odd"),
    [
        ("return True", True),
        ("return 1.0", {"odd": "float", "text": "1.0"}),
        ("return (1, 2)", {"odd": "tuple", "text": "(1, 2)"}),
        ("return (x for x in [1])", {"odd": "generator", "text": ""}),
        ("return 1 << 80", {"odd": "int", "text": "of more than 64 bits"}),
        (
            "\n        class I(int): pass\n        return I(3)",
            {"odd": "BlockManager.append_slot.<locals>.I", "text": ""},
        ),
        ("return [1, True]", {"odd": "list", "text": "that holds bool"}),
    ],
)
def test_types_cross_exactly_or_are_named(submit: Callable[..., Remote], body: str, odd: object) -> None:
    remote = submit(with_append(body))
    remote.load()
    assert remote.play(STORY).results[1] == odd


def test_what_is_printed_is_kept(submit: Callable[..., Remote]) -> None:
    remote = submit(with_append("print('seven', token); return token") + "print('loaded')\n")
    remote.load()
    remote.play(STORY)
    remote.close()
    assert "".join(text for text, _ in remote.outputs) == "loaded\nseven 7\n"


def test_a_story_alone_meets_a_fresh_process(submit: Callable[..., Remote]) -> None:
    counting = "count = []\n" + with_append("count.append(1); return len(count)")
    remote = submit(counting)
    remote.load()
    assert [remote.play(STORY).results[1] for _ in range(2)] == [1, 2]
    assert remote.play_alone(STORY).results[1] == 1
    assert remote.play(STORY).results[1] == 2
    assert remote.play(STORY, anew=True).results[1] == 1


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import os; os._exit(3)", {"trouble": "exit", "code": 3}),
        ("x = 1", {"lacks": "BlockManager"}),
        (HEAD.replace("OutOfBlocks(Exception)", "Other(Exception)"), {"lacks": "OutOfBlocks"}),
        (HEAD.replace("def slot", "def slots"), {"lacks": "BlockManager.slot"}),
        ("while True: pass", "stuck"),
        ("def f(:", "SyntaxError"),
        ("import no_such_module", "ModuleNotFoundError"),
    ],
)
def test_what_cannot_be_loaded_says_why(submit: Callable[..., Remote], source: str, problem: object) -> None:
    found = submit(source).load()
    if isinstance(problem, str):
        assert problem in (found.get("trouble"), *found.get("raise", []))
    else:
        assert found == problem


def test_views_show_the_inside_of_a_manager_that_uses_the_suggested_names(submit: Callable[..., Remote]) -> None:
    from solutions import mistakes

    remote = submit(mistakes.reference_source("p06"))
    remote.load()
    played = remote.play(p06_story(3, 2, [["allocate", "a", [1, 2, 3]]]), view="inside")
    inside = played.views[1]["inside"]
    assert (
        inside["free_list"] == [2] and inside["tables"] == [["a", [0, 1]]] and inside["block_hash"] == [0, None, None]
    )
    assert played.views[1]["public"]["num_free_blocks"] == 1


def test_of_a_manager_with_other_names_the_public_view_is_left(submit: Callable[..., Remote]) -> None:
    remote = submit(HEAD)
    remote.load()
    view = remote.play(STORY, view="inside").views[1]
    assert view["inside"] is None and view["public"]["num_free_blocks"] == 3
