"""What is said about a call that went wrong."""

from __future__ import annotations

import pytest

from grader.replay.op import Op
from grader.sandbox.limits import Limits
from grader.wording import mismatch, unexpected, unloadable
from grader.words import translator

SAY = translator("en").text


def raised(name, text="", *bases):
    return {"raise": [name, *bases, "Exception"], "text": text, "refused": False, "stack": ""}


def test_an_argument_that_was_changed_is_told_as_that():
    op = Op("list", ("a",))
    said = SAY(mismatch(op, [[1, 2]], [1, 2, 3], Limits(), 512))
    assert said.startswith('the list passed to allocate("a") is now [1, 2, 3]')
    assert "must still be [1, 2]" in said
    assert op.call() == 'token_ids of allocate("a", token_ids)'


def test_what_looks_alike_as_it_is_shown_is_told_apart_all_the_same():
    right, wrong = list(range(60)), [*range(30), 99, *range(31, 60)]
    said = SAY(mismatch(Op("allocate", ("a", [1])), [right], wrong, Limits(), 512))
    assert said == 'allocate("a", [1]) returned a list that is wrong at index 30: 99, the contract gives 30'
    due, got = ({"tensor": {"dtype": "float32", "shape": [1, 2], "data": data}} for data in (b"0" * 8, b"1" * 8))
    said = SAY(mismatch(Op("gather", ("a",)), [due], got, Limits(), 512))
    assert "returned float32 [1, 2] with other values in it than the contract gives" in said


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (raised("SyntaxError", "invalid syntax"), "is not valid Python"),
        (raised("ModuleNotFoundError", "No module named 'helper'", "ImportError"), "Only this one file"),
        (raised("BdbQuit"), "take breakpoint() out"),
        (raised("EOFError"), "take the input() out"),
    ],
)
def test_a_file_that_does_not_load_is_told_what_to_do(problem, words):
    assert words in SAY(unloadable(problem, "mine.py", Limits(), 512))


def test_a_debugger_in_a_call_is_told_like_input():
    assert "take breakpoint() out" in SAY(unexpected(raised("BdbQuit"), "free('a')"))
