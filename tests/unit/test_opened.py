"""Which hints were opened is kept in a file that may be missing, broken or read-only."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.opened import NAME, forget, note, opened, place


@pytest.fixture
def file(tmp_path):
    return tmp_path / "data" / NAME


def test_what_was_opened_is_known_and_never_falls(file):
    note("p06", ["a", "b"], 2, file)
    note("p06", ["a"], 1, file)
    note("l22", ["a"], 3, file)
    assert (opened("p06", file), opened("l22", file)) == ({"a": 2, "b": 2}, {"a": 3})


def test_forgetting_one_exercise_leaves_the_others(file):
    note("p06", ["a"], 2, file)
    note("l22", ["a"], 3, file)
    forget("p06", file)
    assert (opened("p06", file), opened("l22", file)) == ({}, {"a": 3})


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"p06": []}', '{"p06": {"a": 9}}', '{"p06": {"a": true}}', "[" * 100_000, "\0\xff"],
)
def test_a_broken_file_means_that_nothing_was_opened_and_is_replaced(file, content):
    file.parent.mkdir()
    file.write_text(content, "latin-1")
    assert opened("p06", file) == {}
    note("p06", ["b"], 1, file)
    assert opened("p06", file)["b"] == 1


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_is_said(tmp_path):
    (tmp_path / "data").write_text("a file, where the folder should be")
    note("p06", ["a"], 1, tmp_path / "data" / NAME)
    forget("p06", tmp_path / "data" / NAME)
    assert opened("p06", tmp_path / "data" / NAME) == {}


def test_a_file_that_cannot_be_replaced_leaves_nothing_half_written_beside_it(tmp_path):
    (tmp_path / NAME).mkdir()
    note("p06", ["a"], 1, tmp_path / NAME)
    assert [path.name for path in tmp_path.iterdir()] == [NAME]


def test_the_file_lies_in_the_data_folder(tmp_path):
    assert place({"KVH_DATA": str(tmp_path)}) == tmp_path / NAME
    home = Path(__file__).resolve().parents[2] / "data" / NAME
    assert place({}) == place({"KVH_DATA": "postgresql+psycopg://host/base"}) == home
