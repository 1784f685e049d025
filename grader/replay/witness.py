"""From what a worker reports of a manager's inside to a state that can be compared with the contract's.

A manager's own hashes may be anything and may differ every run: the worker numbers the different ones, and here each number
gets the chain tag of the content that it was first seen on.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from typing import Any

from grader.replay.op import Op, SeqId, Story
from grader.replay.result import Result, raised
from grader.replay.state import State, Tag, chain_tag


class Witness:
    """Watches one manager through a story. ``see`` after each op, in order; the inside may become unreadable."""

    def __init__(self, story: Story) -> None:
        self.state = State(**story.params)  # type: ignore[arg-type]
        self.tags: dict[int, Tag] = {}

    def see(self, op: Op | None, result: Result, view: Mapping[str, Any] | None) -> State | None:
        """The state after ``op``, or None where ``view`` has no readable inside. ``op`` None: just constructed."""
        inside, public = (view or {}).get("inside"), (view or {}).get("public")
        if op is not None and not raised(result):
            self._write(op, result, inside)
        if not _sound(inside, self.state.num_blocks):
            return None
        assert inside is not None
        state = self.state.copy()
        state.free_list = deque(inside["free_list"])
        state.evictable = OrderedDict.fromkeys(inside["evictable"])
        state.ref = list(inside["ref"])
        state.tables = {seq: list(row) for seq, row in inside["tables"]}
        for records in (state.tokens, state.hashes, state.cached):
            for seq in [seq for seq in records if seq not in state.tables]:
                records.pop(seq)  # type: ignore[attr-defined]
        for seq in state.tables:
            state.tokens.setdefault(seq, [])
            state.hashes.setdefault(seq, [])
        state.cached = dict(public["cached"]) if public else {}
        self._name(inside, state)
        state.block_hash = [None if label is None else self.tags[label] for label in inside["block_hash"]]
        state.hash_to_block = {
            self.tags[label]: block for label, block in inside["hash_to_block"] if label in self.tags
        }
        self.state = state.copy()
        return state

    def _write(self, op: Op, result: Result, inside: Any) -> None:
        """What the op put into blocks, by the manager's own word: the tokens and where they went."""
        state, size = self.state, self.state.block_size
        if op.name == "allocate" and type(result) is list:
            seq, tokens = op.args[0], list(op.args[1])
            state.tokens[seq] = tokens
            state.tables[seq] = list(result)
            state.hashes[seq] = self._chain(tokens)
            for i, block in enumerate(result):
                if 0 <= block < state.num_blocks:
                    state.content[block] = tokens[i * size : (i + 1) * size]
        elif op.name == "append_slot" and type(result) is int and op.args[0] in state.tokens:
            seq, block = op.args[0], result // size
            state.tokens[seq].append(op.args[1])
            state.hashes[seq] = self._chain(state.tokens[seq])
            if 0 <= block < state.num_blocks:
                del state.content[block][result % size :]
                state.content[block].append(op.args[1])
        elif op.name == "free" and op.args[0] in state.tokens:
            del state.tokens[op.args[0]]

    def _chain(self, tokens: list[int]) -> list[Tag]:
        if not self.state.enable_prefix_cache:
            return []
        chain: list[Tag] = []
        size = self.state.block_size
        for start in range(0, len(tokens) - size + 1, size):
            chain.append(chain_tag(chain[-1] if chain else None, tokens[start : start + size]))
        return chain

    def _name(self, inside: Mapping[str, Any], state: State) -> None:
        """A tag for each label seen for the first time: the content of the block that carries it."""
        where: dict[int, tuple[SeqId, int]] = {}
        for seq, table in state.tables.items():
            for i, block in enumerate(table):
                where.setdefault(block, (seq, i))
        carried = [(label, block) for block, label in enumerate(inside["block_hash"])]
        for label, block in [*carried, *inside["hash_to_block"]]:
            if label is None or label in self.tags:
                continue
            tag = f"?{label}"
            if block in where:
                seq, i = where[block]
                tokens, size = state.tokens[seq], state.block_size
                chain = self._chain(tokens[: i * size])
                tag = chain_tag(chain[-1] if chain else None, tokens[i * size : (i + 1) * size])
            while tag in self.tags.values():
                tag += "'"  # the manager tells apart what has the same history
            self.tags[label] = tag


def _sound(inside: Any, num_blocks: int) -> bool:
    """Is this an inside of the right shape? It comes from the sandbox: nothing about it is taken for granted."""
    if type(inside) is not dict:
        return False

    def blocks(row: Any) -> bool:
        return type(row) is list and all(type(item) is int and 0 <= item < num_blocks for item in row)

    def label(item: Any) -> bool:
        return item is None or type(item) is int

    try:
        return (
            blocks(inside["free_list"])
            and blocks(inside["evictable"])
            and len(set(inside["evictable"])) == len(inside["evictable"])
            and type(inside["ref"]) is list
            and len(inside["ref"]) == len(inside["block_hash"]) == num_blocks
            and all(type(item) is int for item in inside["ref"])
            and all(label(item) for item in inside["block_hash"])
            and all(label(key) and blocks([block]) for key, block in inside["hash_to_block"])
            and all(type(seq) in (str, int) and blocks(row) for seq, row in inside["tables"])
        )
    except (KeyError, TypeError, ValueError):
        return False
