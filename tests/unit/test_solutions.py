"""The reference answers do what the spec says: its worked examples, the shared cases, all eight readings."""

from __future__ import annotations

import ast
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solutions.p06_block_manager import BlockManager, OutOfBlocks
from solutions.readings import READINGS, Reading, reading

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT.parent / "shared" / "cases" / "p06_bug_reports.json"


def outcome(manager: BlockManager, op: list[Any]) -> Any:
    """The result of one op, or the name of what it raised."""
    name, *args = op
    if name == "num_free_blocks":
        return manager.num_free_blocks
    try:
        return getattr(manager, name)(*args)
    except OutOfBlocks:
        return "OutOfBlocks"


def check_integrity(m: BlockManager) -> None:
    """The spec's invariants I1 to I5."""
    free, evictable = list(m.free_list), list(m.evictable)
    assert m.num_free_blocks == len(free) + len(evictable)
    assert sorted(free + evictable) == [b for b in range(m.num_blocks) if m.ref[b] == 0]
    assert all(m.block_hash[b] is None for b in free) and all(m.block_hash[b] is not None for b in evictable)
    assert all(m.block_hash[b] == key for key, b in m.hash_to_block.items())
    uses = Counter(block for table in m.tables.values() for block in table)
    assert m.ref == [uses[b] for b in range(m.num_blocks)]
    assert all(n % m.block_size == 0 and n < len(m.tokens[seq]) for seq, n in m.cached.items())


@pytest.fixture(params=READINGS, ids=lambda r: "".join("yn"[not answer] for answer in r))
def cls(request: pytest.FixtureRequest) -> type[BlockManager]:
    return reading(BlockManager, *request.param)


def new(cls: type[BlockManager], num_blocks: int, block_size: int = 2, cache: bool = True) -> BlockManager:
    return cls(num_blocks=num_blocks, block_size=block_size, enable_prefix_cache=cache)


def test_example_1_without_cache(cls: type[BlockManager]) -> None:
    m = new(cls, 6, 4, cache=False)
    assert m.allocate("x", [11, 12, 13, 14, 15, 16]) == [0, 1]
    assert m.num_free_blocks == 4
    assert m.slot("x", 5) == 5
    assert [m.append_slot("x", token) for token in (17, 18, 19)] == [6, 7, 8]
    assert m.tables["x"] == [0, 1, 2] and m.num_free_blocks == 3
    m.free("x")
    assert list(m.free_list) == [3, 4, 5, 2, 1, 0] and not m.evictable
    assert m.allocate("y", [1, 2, 3]) == [3]


def test_example_2_shared_prefix(cls: type[BlockManager]) -> None:
    m = new(cls, 8)
    assert m.allocate("a", [1, 2, 3, 4, 5]) == [0, 1, 2]
    assert m.num_cached_tokens("a") == 0 and m.ref[:3] == [1, 1, 1]
    assert m.allocate("b", [1, 2, 3, 4, 6]) == [0, 1, 3]
    assert m.num_cached_tokens("b") == 4 and m.num_free_blocks == 4 and m.ref[:4] == [2, 2, 1, 1]
    m.free("a")
    assert m.num_free_blocks == 5 and m.ref[:4] == [1, 1, 0, 1]
    m.free("b")
    assert m.num_free_blocks == 8
    assert list(m.free_list) == [4, 5, 6, 7, 2, 3] and list(m.evictable) == [1, 0]
    assert m.allocate("c", [1, 2, 3, 4]) == [0, 4]
    assert m.num_cached_tokens("c") == 2 and list(m.evictable) == [1]


def test_example_3_hits_are_not_room(cls: type[BlockManager]) -> None:
    m = new(cls, 3)
    m.allocate("a", [1, 2, 3, 4, 5])
    m.free("a")
    assert list(m.free_list) == [2] and list(m.evictable) == [1, 0]
    with pytest.raises(OutOfBlocks):
        m.allocate("b", [1, 2, 3, 4, 5, 6, 7])
    assert list(m.free_list) == [2] and list(m.evictable) == [1, 0] and m.ref == [0, 0, 0]
    assert m.allocate("b", [1, 2, 3, 4, 5, 6]) == [0, 1, 2]
    assert m.num_cached_tokens("b") == 4 and m.num_free_blocks == 0


def test_example_4_filled_by_append_then_evicted(cls: type[BlockManager]) -> None:
    m = new(cls, 3)
    assert m.allocate("a", [7, 8, 9]) == [0, 1]
    assert m.append_slot("a", 10) == 3 and m.block_hash[1] is not None
    m.free("a")
    assert list(m.free_list) == [2] and list(m.evictable) == [1, 0]
    assert m.allocate("b", [7, 8, 9, 10, 11]) == [0, 1, 2]
    assert m.num_cached_tokens("b") == 4
    m.free("b")
    assert list(m.free_list) == [2] and list(m.evictable) == [1, 0]
    assert m.allocate("z", [50, 51, 52, 53, 54, 55]) == [2, 1, 0]
    m.free("z")
    assert len(m.allocate("b2", [7, 8, 9, 10, 11])) == 3
    assert m.num_cached_tokens("b2") == 0


def shared_cases() -> list[Any]:
    if not CASES.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="no ../shared"), id="shared")]
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["id"]) for case in cases]


@pytest.mark.parametrize("case", shared_cases())
def test_shared_case(cls: type[BlockManager], case: dict[str, Any]) -> None:
    m = new(cls, case["num_blocks"], case["block_size"], case["enable_prefix_cache"])
    for op, expected in zip(case["ops"], case["expect"], strict=True):
        got = outcome(m, op)
        assert expected == "*" or got == expected, op
        check_integrity(m)


def test_the_readings_really_differ() -> None:
    """A duplicate made by allocate or by append goes to the pool or to the free list, as the reading says."""
    for r in READINGS:
        m = new(reading(BlockManager, *r), 4)
        m.allocate("a", [1, 2])
        m.allocate("b", [1, 2])
        m.allocate("c", [1])
        m.append_slot("c", 2)
        m.free("b")
        m.free("c")
        assert (1 in m.evictable, 2 in m.evictable) == (r.dup_allocate, r.dup_append)


def test_one_by_one_a_new_block_meets_a_twin_that_is_evicted_two_takes_later() -> None:
    """Registered late, the same block finds its twin gone, and is the one to be hit next time."""
    story: list[list[Any]] = [
        ["allocate", "a", [1, 2]],
        ["allocate", "b", [1, 2]],
        ["append_slot", "b", 3],
        ["append_slot", "b", 4],
        ["free", "a"],
        ["allocate", "z", [9, 9, 8, 8, 7]],
        ["free", "z"],
        ["free", "b"],
        ["allocate", "c", [1, 2, 3, 4, 5, 6, 7]],
        ["free", "c"],
        ["allocate", "d", [1, 2, 3, 4, 5]],
    ]
    cached = {}
    for late in (True, False):
        m = new(reading(BlockManager, register_late=late), 5)
        for op in story:
            outcome(m, op)
        cached[late] = m.num_cached_tokens("d")
    assert cached == {True: 4, False: 2}


OPS = st.one_of(
    st.tuples(st.just("allocate"), st.integers(0, 3), st.lists(st.integers(0, 1), min_size=1, max_size=9)),
    st.tuples(st.just("append_slot"), st.integers(0, 3), st.integers(0, 1)),
    st.tuples(st.just("free"), st.integers(0, 3)),
)


@settings(max_examples=150, deadline=None)
@given(
    which=st.sampled_from(READINGS),
    num_blocks=st.integers(1, 8),
    block_size=st.integers(1, 3),
    cache=st.booleans(),
    ops=st.lists(OPS, max_size=40),
)
def test_invariants_hold_and_a_refusal_leaves_no_trace(
    which: Reading, num_blocks: int, block_size: int, cache: bool, ops: list[tuple[Any, ...]]
) -> None:
    m = new(reading(BlockManager, *which), num_blocks, block_size, cache)
    for op in ops:
        if (op[1] in m.tables) == (op[0] == "allocate"):
            continue
        before = repr(vars(m))
        result = outcome(m, list(op))
        check_integrity(m)
        if result == "OutOfBlocks":
            assert repr(vars(m)) == before
        elif op[0] == "allocate":
            assert result == [m.slot(op[1], pos) // block_size for pos in range(0, len(op[2]), block_size)]
    for seq in list(m.tables):
        m.free(seq)
    assert m.num_free_blocks == num_blocks
    assert cache or sorted(m.free_list) == list(range(num_blocks))


def test_the_table_and_the_prompt_are_the_callers_own() -> None:
    m = new(BlockManager, 4)
    prompt = [1, 2]
    table = m.allocate("a", prompt)
    m.append_slot("a", 3)
    assert (prompt, table) == ([1, 2], [0])
    prompt[:] = [5]
    table.clear()
    assert m.slot("a", 2) == 2


@pytest.mark.parametrize("pair", [(-1, -2), (0, 2**61 - 1), (65, 65 + 2**32), (1, -(2**63) + 1)])
def test_tokens_that_python_hashes_alike_are_told_apart(pair: tuple[int, int]) -> None:
    m = new(BlockManager, 4)
    m.allocate("a", [pair[0], 7, 1])
    m.allocate("b", [pair[1], 7, 1])
    assert m.num_cached_tokens("b") == 0


def test_misuse_is_told_in_a_sentence() -> None:
    m = new(BlockManager, 4)
    m.allocate(0, [1, 2])
    for error, call in (
        (ValueError, lambda: m.allocate(0, [1])),
        (ValueError, lambda: m.allocate("a", [])),
        (ValueError, lambda: m.allocate("a", [2**63])),
        (KeyError, lambda: m.free("gone")),
        (KeyError, lambda: m.append_slot("gone", 1)),
        (KeyError, lambda: m.num_cached_tokens("gone")),
        (IndexError, lambda: m.slot(0, 2)),
        (ValueError, lambda: BlockManager(num_blocks=1, block_size=0)),
    ):
        with pytest.raises(error, match=" "):
            call()
    check_integrity(m)
    assert list(m.tables) == [0]


def test_solutions_import_nothing_of_the_project() -> None:
    allowed = {"solutions", "torch", "struct", "collections", "hashlib", "typing", "functools", "itertools"}
    allowed |= {"__future__", "dataclasses", "importlib", "inspect", "json", "pathlib"}
    for path in (ROOT / "solutions").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= allowed, path
            elif isinstance(node, ast.ImportFrom):
                assert node.module and node.module.split(".")[0] in allowed, path
