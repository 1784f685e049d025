"""From what a worker reports of a manager's inside to a state that can be compared with the contract's.

A manager's own hashes may be anything and may differ every run: the worker numbers the different ones, and here each
number gets the chain tag of the content that it was first seen on.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from typing import Any

from grader.replay.op import Op, SeqId, Story
from grader.replay.result import Result
from grader.replay.state import State, Tag, chain_tag, chain_tags
from grader.replay.view import View, readable


class Witness:
    """Watches one manager through a story. ``see`` after each op, in order; the inside may become unreadable.

    ``public`` is the last view, None where that cannot be read either.
    """

    def __init__(self, story: Story) -> None:
        self.state = State(**story.params)  # type: ignore[arg-type]
        self.public: View | None = None
        self.tags: dict[int, Tag] = {}
        self.used: Counter[Tag] = Counter()
        self.chains: dict[SeqId, list[Tag]] = {}

    def see(self, op: Op | None, result: Result, view: Any) -> State | None:
        """The state after ``op`` (not to be changed), or None where ``view`` has no readable inside.

        ``op`` None: just constructed. Nothing about ``view`` is taken for granted.
        """
        view = view if type(view) is dict else {}
        inside, self.public = view.get("inside"), readable(view.get("public"))
        self.state = state = self.state.copy()
        if op is not None:
            self._write(state, op, result)
        if not _sound(inside, state.num_blocks):
            return None
        state.free_list = deque(inside["free_list"])
        state.evictable = OrderedDict.fromkeys(inside["evictable"])
        state.ref = list(inside["ref"])
        state.tables = {seq: list(row) for seq, row in inside["tables"]}
        live = state.tables
        state.tokens = {seq: state.tokens.get(seq, []) for seq in live}
        keeps = state.enable_prefix_cache
        state.hashes = {seq: self.chains.get(seq, []).copy() if keeps else [] for seq in live}
        state.cached = dict(self.public["cached"]) if self.public else {}
        self._name(inside, state)
        state.block_hash = [None if label is None else self.tags[label] for label in inside["block_hash"]]
        state.hash_to_block = {self.tags[label]: block for label, block in inside["hash_to_block"] if label is not None}
        return state

    def _write(self, state: State, op: Op, result: Result) -> None:
        """What the op put into blocks, by the manager's own word: the tokens, and where they went.

        A hit is not written: it holds what it held, even if that is not what the sequence believes.
        """
        size = state.block_size
        if op.name == "allocate" and type(result) is list:
            seq, tokens = op.args[0], list(op.args[1])
            state.tokens[seq] = tokens
            self.chains[seq] = chain_tags(tokens, size)
            hits = max(0, dict(self.public["cached"]).get(seq, 0)) // size if self.public else 0
            for i, block in enumerate(result):
                if i >= hits and 0 <= block < state.num_blocks:
                    state.content[block] = tokens[i * size : (i + 1) * size]
        elif op.name == "append_slot" and type(result) is int and op.args[0] in self.chains:
            seq, block = op.args[0], result // size
            tokens = state.tokens.setdefault(seq, [])
            tokens.append(op.args[1])
            if len(tokens) % size == 0:
                chain = self.chains[seq]
                chain.append(chain_tag(chain[-1] if chain else None, tokens[-size:]))
            if 0 <= block < state.num_blocks:
                del state.content[block][result % size :]
                state.content[block].append(op.args[1])
        elif op.name == "free" and not (type(result) is dict and ("raise" in result or "skip" in result)):
            state.tokens.pop(op.args[0], None)
            self.chains.pop(op.args[0], None)

    def _name(self, inside: Mapping[str, Any], state: State) -> None:
        """A tag for each label seen for the first time: the content of the block that carries it."""
        carried = [(label, block) for block, label in enumerate(inside["block_hash"])]
        unseen = [row for row in [*carried, *inside["hash_to_block"]] if row[0] is not None and row[0] not in self.tags]
        if not unseen:
            return
        where: dict[int, tuple[SeqId, int]] = {}
        for seq, table in state.tables.items():
            for i, block in enumerate(table):
                where.setdefault(block, (seq, i))
        for label, block in unseen:
            if label in self.tags:
                continue
            tag = self._content(state, *where[block]) if block in where else f"?{label}"
            self.used[tag] += 1
            again = self.used[tag] - 1  # the manager tells apart what has the same history
            self.tags[label] = tag + ("'" * again if again < 4 else f"'{again}")

    def _content(self, state: State, seq: SeqId, i: int) -> Tag:
        chain, size = self.chains.get(seq, []), state.block_size
        if i < len(chain):
            return chain[i]
        return chain_tag(chain[-1] if chain else None, state.tokens[seq][i * size : (i + 1) * size])


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
