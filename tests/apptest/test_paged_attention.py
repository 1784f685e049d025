"""Paged attention: the three missions with the spec's numbers, other sizes, both languages."""

from __future__ import annotations

import re

import pytest

from app.paged import Sizes, decode, gathered, prefill


def picture(seen) -> str:
    """The picture's text, without its markup."""
    found = next(part.body for part in seen.app.html if "l22-part" in part.body)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found))


def test_prefill_rounds_up_and_moves_from_the_front(visitor):
    shown = picture(visitor().go("paged_attention"))
    assert "-(-6 // 4) == 2" in shown
    assert "6 // 4 == 1" in shown
    assert "logical 0 → 7" in shown and "logical 1 → 2" in shown


def test_prefill_refuses_before_anything_moves(visitor):
    seen = visitor().go("paged_attention")
    seen.app.number_input("l22_num_blocks").set_value(1)
    seen.app.number_input("l22_prompt").set_value(5)
    assert "only 1 are free: RuntimeError with OOM" in picture(seen.run())


def test_decode_opens_a_block_at_the_boundary_only(visitor):
    seen = visitor().go("paged_attention")
    seen.app.segmented_control("l22_mission").set_value("decode")
    shown = picture(seen.run())
    assert re.search(r"6 → 7 3 no, .* 7 → 8 0 no, .* 8 → 9 1 yes: block 9", shown)


def test_gather_tells_the_shapes(visitor):
    seen = visitor().go("paged_attention")
    seen.app.segmented_control("l22_mission").set_value("gather")
    seen.run().app.number_input("l22_head_dim").set_value(64)
    shown = picture(seen.run())
    assert shown.count("[4, 64]") == 3
    assert "[12, 64]" in shown and "[9, 64]" in shown
    assert "block_table == [7, 2, 9]" in shown


@pytest.mark.parametrize("mission", ["decode", "gather"])
def test_a_prompt_that_does_not_fit_is_said(visitor, mission):
    seen = visitor().go("paged_attention")
    seen.app.number_input("l22_num_blocks").set_value(1)
    seen.app.segmented_control("l22_mission").set_value(mission)
    assert "The prompt needs 2 blocks and the pool has 1" in seen.run().sentences[0]


def test_nothing_decoded_yet_is_said(visitor):
    seen = visitor().go("paged_attention")
    seen.app.segmented_control("l22_mission").set_value("decode")
    seen.run().app.number_input("l22_steps").set_value(0)
    assert "No token is decoded yet" in seen.run().sentences[0]


def test_sizes_survive_another_mission_and_another_screen(visitor):
    seen = visitor().go("paged_attention")
    seen.app.number_input("l22_prompt").set_value(11)
    seen.run().app.segmented_control("l22_mission").set_value("gather")
    seen.run().go("explore").go("paged_attention")
    assert seen.app.segmented_control("l22_mission").value == "gather"
    assert seen.app.number_input("l22_prompt").value == 11


def test_the_screen_speaks_chinese(visitor):
    seen = visitor(lang="zh").go("paged_attention")
    assert "prompt 切成 block" in picture(seen)


def test_the_numbers_are_the_contracts():
    sizes = Sizes(mixed=False)
    assert prefill(sizes).table == [0, 1] and len(prefill(sizes).after) == 8
    assert [len(row.table) for row in decode(sizes)] == [2, 2, 3]
    assert decode(sizes)[-1].free == [3, 4, 5, 6, 7, 8, 9]
    assert gathered(sizes) == ([0, 1, 2], 9)
    assert decode(Sizes(num_blocks=2, prompt=8, steps=2, mixed=False))[0].refused
    assert gathered(Sizes(num_blocks=1, prompt=5)) == ([], 0)
    assert [row.new for row in decode(Sizes(block_size=1, prompt=1, steps=2, mixed=False))] == [1, 2]
