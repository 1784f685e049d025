"""From a story that fails to the shortest one that still does. Deterministic: bounded by work, never by the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from grader.replay.op import Op, Story

#: Given a story: the index of the op where it fails, or None.
Fails = Callable[[Story], int | None]
WITH_LENGTH = ("prefill", "request")


class _Budget:
    """How many ops may still be played. Constructing a manager counts as ten."""

    def __init__(self, ops: int) -> None:
        self.left = ops


def shrink(story: Story, step: int, fails: Fails, budget_ops: int = 30_000) -> Story:
    """The shortest story found that still fails, its last op the one that shows it.

    ``step`` is where ``story`` fails. Only ops, tokens, names and the pool's size are made smaller: every candidate is
    played with ``fails`` before it is believed.
    """
    budget = _Budget(budget_ops)
    best = story.with_ops(story.ops[: step + 1])

    def attempt(candidate: Story) -> Story | None:
        if budget.left <= 0:
            return None
        budget.left -= len(candidate.ops) + 10
        at = fails(candidate)
        return None if at is None else candidate.with_ops(candidate.ops[: at + 1])

    while True:
        before = best
        for variants in (_without_sequences, _without_runs, _shorter_prompts, _lower_lengths, _smaller_pool):
            best = _improve(best, variants, attempt)
        if best == before or budget.left <= 0:
            break
    return _improve(best, _plain_names, attempt)


def _improve(
    best: Story, variants: Callable[[Story], Iterator[Story]], attempt: Callable[[Story], Story | None]
) -> Story:
    """Take the first variant that still fails, and look again from there, until none does."""
    found = True
    while found:
        found = False
        for candidate in variants(best):
            shorter = attempt(candidate)
            if shorter is not None and _weight(shorter) < _weight(best):
                best, found = shorter, True
                break
    return best


def _weight(story: Story) -> tuple[int, ...]:
    """What is made smaller: ops, tokens in them, the pool, then how plain the names and tokens are."""
    tokens = [token for op in story.ops for arg in op.args if isinstance(arg, (list, tuple)) for token in arg]
    names = sum(len(str(op.seq)) + (str(op.seq) > "z") for op in story.ops)
    length = len(tokens) + sum(op.args[1] for op in story.ops if op.name in WITH_LENGTH)
    return len(story.ops), length, int(story.params.get("num_blocks", 0)), sum(map(abs, tokens)), names


def _without_sequences(story: Story) -> Iterator[Story]:
    """Without half of the sequences, a quarter, …, one."""
    names = list(dict.fromkeys(op.seq for op in story.ops if op.seq is not None))
    last = story.ops[-1].seq
    others = [name for name in names if name != last]
    for part in _parts(others):
        gone = set(part)
        yield story.with_ops(op for op in story.ops if op.seq not in gone)


def _without_runs(story: Story) -> Iterator[Story]:
    """Without a run of ops: half of them, a quarter, …, one."""
    for part in _parts(range(len(story.ops) - 1)):
        yield story.with_ops(op for i, op in enumerate(story.ops) if not part[0] <= i <= part[-1])


def _parts(items: Sequence[object]) -> Iterator[Sequence[object]]:  # type: ignore[misc]
    size = len(items)
    while size > 0:
        for start in range(0, len(items), size):
            yield items[start : start + size]
        size //= 2


def _shorter_prompts(story: Story) -> Iterator[Story]:
    for i, op in enumerate(story.ops):
        prompt = op.args[-1] if op.args and isinstance(op.args[-1], (list, tuple)) else []
        cut = len(prompt) - 1
        while cut > 0:
            for rest in (prompt[:-cut], prompt[cut:]):
                yield _with_op(story, i, Op(op.name, (*op.args[:-1], list(rest))))
            cut //= 2


def _lower_lengths(story: Story) -> Iterator[Story]:
    """l22's requests bring a length, not a prompt."""
    for i, op in enumerate(story.ops):
        if op.name in WITH_LENGTH:
            cut = op.args[1] - 1
            while cut > 0:
                yield _with_op(story, i, Op(op.name, (op.args[0], op.args[1] - cut, *op.args[2:])))
                cut //= 2


def _smaller_pool(story: Story) -> Iterator[Story]:
    blocks = int(story.params.get("num_blocks", 1))
    for smaller in sorted({1, 2, 3, 4, 6, 8, blocks // 2, blocks - 1}):
        if 0 < smaller < blocks:
            yield replace(story, params={**story.params, "num_blocks": smaller})


def _plain_names(story: Story) -> Iterator[Story]:
    """Sequences named a, b, c … in order of appearance, tokens numbered 1, 2, 3 …, where that still fails."""
    names = {name: _letter(i) for i, name in enumerate(dict.fromkeys(op.seq for op in story.ops if op.seq is not None))}
    tokens: dict[int, int] = {}
    for op in story.ops:
        for token in _tokens(op):
            tokens.setdefault(token, len(tokens) + 1)
    for renamed, numbered in ((True, True), (True, False), (False, True)):
        ops = []
        for op in story.ops:
            args = list(op.args)
            if renamed and op.seq is not None:
                args[0] = names[op.seq]
            if numbered and op.name in ("allocate", "append_slot", "scribble"):
                args[-1] = [tokens[t] for t in args[-1]] if isinstance(args[-1], (list, tuple)) else tokens[args[-1]]
            ops.append(Op(op.name, tuple(args)))
        yield story.with_ops(ops)


def _tokens(op: Op) -> list[int]:
    if op.name in ("allocate", "scribble"):
        return list(op.args[1])
    return [op.args[1]] if op.name == "append_slot" else []


def _letter(i: int) -> str:
    return chr(ord("a") + i) if i < 26 else f"s{i}"


def _with_op(story: Story, i: int, op: Op) -> Story:
    return story.with_ops([*story.ops[:i], op, *story.ops[i + 1 :]])
