"""Ways to make a story smaller. Each gives stories that may still fail; ``shrink`` plays them to see which do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.replay.events import apply
from grader.replay.explain import explain
from grader.replay.op import Op, SeqId, Story
from grader.replay.state import State

#: Ops that ask and change nothing.
QUESTIONS = frozenset({"num_free_blocks", "can_allocate", "slot", "slots", "num_cached_tokens", "list"})
#: l22's requests bring a length, not a prompt.
WITH_LENGTH = frozenset({"prefill", "request"})


def with_op(story: Story, i: int, op: Op) -> Story:
    return story.with_ops([*story.ops[:i], op, *story.ops[i + 1 :]])


def without_questions(story: Story) -> Iterator[Story]:
    """Only the last op may ask."""
    yield story.with_ops([*(op for op in story.ops[:-1] if op.name not in QUESTIONS), story.ops[-1]])


def smaller_blocks(story: Story) -> Iterator[Story]:
    """Blocks of two or three tokens, block tables as they were."""
    old = int(story.params["block_size"])
    if "enable_prefix_cache" in story.params:
        for size in (2, 3):
            if size < old:
                yield _in_blocks_of(story, size)


def _in_blocks_of(story: Story, size: int) -> Story:
    """The same story in smaller blocks: what was full stays full, what was equal stays equal, what was not does not.

    Of each block the first tokens are kept, and the last, which becomes a number for the whole content.
    """
    old = int(story.params["block_size"])
    numbers: dict[tuple[int, ...], int] = {}

    def number(block: Sequence[int]) -> int:
        return numbers.setdefault(tuple(block), len(numbers) + 1)

    def length(tokens: int) -> int:
        return tokens // old * size + min(tokens % old, size - 1)

    def cut(tokens: Sequence[int]) -> list[int]:
        kept: list[int] = []
        for start in range(0, len(tokens), old):
            block = tokens[start : start + old]
            kept += block[: size - 1]
            if len(block) == old:
                kept.append(number(block))
        return kept

    state = State(int(story.params["num_blocks"]), old, bool(story.params["enable_prefix_cache"]))
    ops = []
    for op in story.ops:
        if op.name == "allocate":
            ops.append(Op(op.name, (op.args[0], cut(op.args[1]))))
        elif op.name == "append_slot":
            tokens = state.tokens.get(op.args[0], [])
            place = len(tokens) % old
            if place == old - 1:
                ops.append(Op(op.name, (op.args[0], number([*tokens[len(tokens) - place :], op.args[1]]))))
            elif place < size - 1:
                ops.append(op)
        elif op.name == "slot":
            ops.append(Op(op.name, (op.args[0], max(0, length(op.args[1] + 1) - 1))))
        else:
            ops.append(Op(op.name, (length(op.args[0]),)) if op.name == "can_allocate" else op)
        apply(state, explain(state, op).events)
    return replace(story.with_ops(ops), params={**story.params, "block_size": size})


def smaller_pool(story: Story) -> Iterator[Story]:
    blocks = int(story.params.get("num_blocks", 1))
    for smaller in sorted({1, 2, 3, 4, 6, 8, 12, blocks // 4, blocks // 2, blocks - 1}):
        if 0 < smaller < blocks:
            yield replace(story, params={**story.params, "num_blocks": smaller})


def appends_in_prompts(story: Story) -> Iterator[Story]:
    """What is appended to a sequence comes with its prompt instead: for all sequences, then for one."""
    yield _absorbed(story, range(len(story.ops)))
    for i, op in enumerate(story.ops):
        if op.name == "allocate":
            yield _absorbed(story, [i])


def _absorbed(story: Story, where: Sequence[int]) -> Story:
    prompts: dict[SeqId, list[int]] = {}
    ops: list[Op] = []
    for i, op in enumerate(story.ops):
        seq = op.seq
        if op.name == "append_slot" and seq in prompts:
            prompts[seq].append(op.args[1])
            continue
        if op.name == "allocate" and i in where:
            prompts[op.args[0]] = list(op.args[1])
            op = Op(op.name, (op.args[0], prompts[op.args[0]]))
        elif op.name in ("free", "allocate") and seq is not None:
            prompts.pop(seq, None)
        ops.append(op)
    return story.with_ops(ops)


def shorter_prompts(story: Story) -> Iterator[Story]:
    """All prompts without what they have beyond a length, all without their first block, then one of them alone."""
    size = int(story.params.get("block_size", 1))
    longest = max((len(_prompt(op)) for op in story.ops), default=0)
    for most in range(1, longest):
        if most % size <= 1:
            yield story.with_ops(_with_prompt(op, _prompt(op)[:most]) for op in story.ops)
    yield story.with_ops(_with_prompt(op, _prompt(op)[size:]) if len(_prompt(op)) > size else op for op in story.ops)
    for i, op in enumerate(story.ops):
        prompt = _prompt(op)
        cut = len(prompt) - 1
        while cut > 0:
            for rest in (prompt[:-cut], prompt[cut:]):
                yield with_op(story, i, _with_prompt(op, rest))
            cut //= 2


def _prompt(op: Op) -> list[int]:
    return list(op.args[1]) if op.name in ("allocate", "scribble") else []


def _with_prompt(op: Op, prompt: list[int]) -> Op:
    return Op(op.name, (op.args[0], prompt)) if _prompt(op) else op


def lower_lengths(story: Story) -> Iterator[Story]:
    """Shorter requests; one that brings its table keeps as many blocks as it needs."""
    size = int(story.params.get("block_size", 1))
    for i, op in enumerate(story.ops):
        if op.name == "prefill":
            cut = op.args[1] - 1
            while cut > 0:
                yield with_op(story, i, Op(op.name, (op.args[0], op.args[1] - cut)))
                cut //= 2
        elif op.name == "request":
            for table in _parts_of(op.args[2]):
                for length in range((len(table) - 1) * size + 1, min(len(table) * size + 1, op.args[1])):
                    yield with_op(story, i, Op(op.name, (op.args[0], length, table)))


def _parts_of(table: Sequence[int]) -> Iterator[list[int]]:
    """The ends of a table, shortest first, then the whole of it."""
    cut = len(table) - 1
    while cut > 0:
        yield list(table[:-cut])
        yield list(table[cut:])
        cut //= 2
    yield list(table)


def plain_names(story: Story) -> Iterator[Story]:
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
    return [op.args[1]] if op.name == "append_slot" else _prompt(op)


def _letter(i: int) -> str:
    return chr(ord("a") + i) if i < 26 else f"s{i}"
