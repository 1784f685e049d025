"""Every classic mistake shows on its own story, under every reading, and also as a file that stands alone."""

from __future__ import annotations

import copy
import sys
from types import ModuleType
from typing import Any

import pytest

from solutions.mistakes import BY_ID, MISTAKES, Mistake, reading_source, source
from solutions.p06_block_manager import BlockManager, OutOfBlocks
from solutions.readings import READINGS, Reading, reading
from solutions.stories import STORIES, Story

P06 = [mistake for mistake in MISTAKES if mistake.exercise == "p06"]
L22 = [mistake for mistake in MISTAKES if mistake.exercise == "l22"]


def play_p06(cls: type[BlockManager], refusal: type[Exception], story: Story) -> list[Any]:
    """The results of a story's ops; an op that cannot be asked is None, a refusal or a crash its kind."""
    m = cls(**{name: story[name] for name in ("num_blocks", "block_size", "enable_prefix_cache")})
    results: list[Any] = []
    given: dict[Any, list[int]] = {}
    live: set[Any] = set()
    for name, *args in copy.deepcopy(story["ops"]):
        if name == "num_free_blocks":
            results.append(m.num_free_blocks)
        elif name == "list":
            results.append(list(given[args[0]]))
        elif (args[0] in live) == (name == "allocate"):
            results.append(None)
        else:
            try:
                if name == "allocate":
                    given[args[0]] = args[1]
                results.append(getattr(m, name)(*args))
                if name in ("allocate", "free"):
                    live ^= {args[0]}
            except Exception as error:
                results.append("OutOfBlocks" if isinstance(error, refusal) else f"crash: {type(error).__name__}")
    return results


def load(text: str) -> ModuleType:
    """A module text run in a namespace of its own, as a learner's file is."""
    module = ModuleType("learner")
    exec(compile(text, "learner.py", "exec"), vars(module))
    return module


def right_p06(story: Story) -> list[list[Any]]:
    return [play_p06(reading(BlockManager, *r), OutOfBlocks, story) for r in READINGS]


def makes_sense(mistake: Mistake, r: Reading) -> bool:
    """Another block's entry can only be deleted where a duplicate carries the hash."""
    return mistake.id != "evict-foreign-entry" or r.dup_allocate or r.dup_append


@pytest.mark.parametrize("r", READINGS, ids=lambda r: "".join("yn"[not answer] for answer in r))
@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_p06_mistake_shows_on_its_story(mistake: Mistake, r: Reading) -> None:
    results = play_p06(reading(mistake.cls, *r), OutOfBlocks, mistake.story)
    assert (results in right_p06(mistake.story)) != makes_sense(mistake, r)


@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_p06_mistake_is_told_from_every_other_on_its_story(mistake: Mistake) -> None:
    """A story names its mistake: no other one gives the same results."""
    results = play_p06(mistake.cls, OutOfBlocks, mistake.story)
    same = [other.id for other in P06 if play_p06(other.cls, OutOfBlocks, mistake.story) == results]
    assert same == [mistake.id]


@pytest.mark.parametrize("r", [None, *READINGS], ids=str)
@pytest.mark.parametrize("mistake", P06, ids=lambda mistake: mistake.id)
def test_p06_source_stands_alone(mistake: Mistake, r: Reading | None) -> None:
    module = load(source(mistake.id, r))
    cls = reading(mistake.cls, *(r or Reading()))
    for story in (STORIES[other.id] for other in P06):
        alone = play_p06(module.BlockManager, module.OutOfBlocks, story)
        assert alone == play_p06(cls, OutOfBlocks, story)


@pytest.mark.parametrize("r", READINGS, ids=str)
def test_reading_source_stands_alone(r: Reading) -> None:
    module = load(reading_source(r))
    for mistake in P06:
        alone = play_p06(module.BlockManager, module.OutOfBlocks, mistake.story)
        assert alone == play_p06(reading(BlockManager, *r), OutOfBlocks, mistake.story)


def test_numbers_names_and_sentences() -> None:
    assert [mistake.number for mistake in P06] == list(range(1, 20))
    assert [mistake.number for mistake in L22] == list(range(1, 14))
    assert len(BY_ID) == len(MISTAKES) and set(STORIES) == set(BY_ID)
    for mistake in MISTAKES:
        for text in (mistake.what, mistake.why):
            assert text[0].isupper() and text.endswith(".") and "{" not in text


def test_words_and_stories_need_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "solutions.mistakes_l22", raising=False)
    monkeypatch.delitem(sys.modules, "solutions.l22_paged_attention", raising=False)
    assert all(mistake.what and mistake.story for mistake in MISTAKES)
    with pytest.raises(ImportError):
        _ = L22[0].cls


def play_l22(module: Any, manager: Any, story: Story) -> list[Any]:
    """The results of a story on a cache whose every value is different; tensors as nested lists."""
    torch = pytest.importorskip("torch")
    m = manager(num_blocks=story["num_blocks"], block_size=story["block_size"], head_dim=story["head_dim"])
    shape = m.physical_kv_cache.shape
    m.physical_kv_cache.copy_(torch.arange(shape.numel(), dtype=torch.float32).reshape(shape))
    m.free_blocks[:] = story.get("free_blocks", m.free_blocks)
    requests: dict[Any, Any] = {}
    results: list[Any] = []
    for name, *args in story["ops"]:
        req = requests.get(args[0]) if args else None
        try:
            if name == "prefill":
                req = requests[args[0]] = module.Request(len(requests), args[1])
                results.append(m.allocate_for_prefill(req))
            elif name == "decode":
                results.append(m.allocate_for_decode(req))
            elif name == "gather":
                results.append(m.get_physical_cache(req).tolist())
            elif name == "free_blocks":
                results.append(list(m.free_blocks))
            elif name == "table":
                results.append(list(requests[args[0]].block_table))
            else:
                results.append(requests[args[0]].seq_len)
        except RuntimeError as error:
            results.append("OOM" if "OOM" in str(error) else "crash")
    return results


@pytest.mark.torch
@pytest.mark.parametrize("mistake", L22, ids=lambda mistake: mistake.id)
def test_l22_mistake_shows_on_its_story_alone_and_in_place(mistake: Mistake) -> None:
    reference = pytest.importorskip("solutions.l22_paged_attention")
    module = load(source(mistake.id))
    wrong = play_l22(reference, mistake.cls, mistake.story)
    same = [other.id for other in L22 if play_l22(reference, other.cls, mistake.story) == wrong]
    assert same == [mistake.id]
    assert wrong != play_l22(reference, reference.KVCacheManager, mistake.story)
    assert wrong == play_l22(module, module.KVCacheManager, mistake.story)


@pytest.mark.torch
def test_l22_reference_gives_the_values_of_the_spec() -> None:
    l22 = pytest.importorskip("solutions.l22_paged_attention")
    m, r = l22.KVCacheManager(num_blocks=10, block_size=4, head_dim=64), l22.Request(1, 6)
    m.allocate_for_prefill(r)
    assert (r.block_table, m.free_blocks) == ([0, 1], [2, 3, 4, 5, 6, 7, 8, 9])
    sizes = []
    for _ in range(3):
        m.allocate_for_decode(r)
        sizes.append(len(r.block_table))
    assert (sizes, r.seq_len, len(m.free_blocks)) == ([2, 2, 3], 9, 7)
    for block in range(3):
        m.physical_kv_cache[block] = block + 1
    got = m.get_physical_cache(r)
    assert got.shape == (9, 64) and got[:, 0].tolist() == [1] * 4 + [2] * 4 + [3]
    got += 1
    assert m.physical_kv_cache[0, 0, 0] == 1 and r.block_table == [0, 1, 2]


@pytest.mark.torch
@pytest.mark.parametrize("block_size", [1, 2, 3])
def test_l22_decode_refuses_without_a_trace_and_blocks_of_one_token_work(block_size: int) -> None:
    l22 = pytest.importorskip("solutions.l22_paged_attention")
    m, r = l22.KVCacheManager(num_blocks=2, block_size=block_size, head_dim=4), l22.Request(1, block_size)
    m.allocate_for_prefill(r)
    for _ in range(block_size):
        m.allocate_for_decode(r)
    with pytest.raises(RuntimeError, match="OOM"):
        m.allocate_for_decode(r)
    assert (r.seq_len, r.block_table, m.free_blocks) == (2 * block_size, [0, 1], [])
    with pytest.raises(RuntimeError, match="OOM"):
        m.allocate_for_prefill(l22.Request(2, 1))
