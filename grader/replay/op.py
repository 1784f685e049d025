"""Ops and stories: what is asked of a manager, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

SeqId = str | int
#: An op as plain data: its name, then its arguments.
Row = list[Any]

#: How many arguments each p06 op takes. ``slots`` asks num_cached_tokens and then the slot of every token; ``list`` and
#: ``scribble`` speak of the token list the *caller* passed to allocate: its content now, and the caller overwriting it
#: in place; ``allocated`` is a question to the interpreter.
P06_OPS: Mapping[str, int] = {
    "allocate": 2,
    "append_slot": 2,
    "free": 1,
    "slot": 2,
    "num_cached_tokens": 1,
    "num_free_blocks": 0,
    "can_allocate": 1,
    "slots": 1,
    "allocated": 0,
    "list": 1,
    "scribble": 2,
}

#: How l22's ops stand in a learner's code. ``request`` is one of the grader's own, ``fill`` puts data into the cache
#: (what stood there before comes back); both and ``cache``, ``table``, ``seq_len``, ``free_blocks`` call nothing.
L22_OPS: Mapping[str, str] = {
    "prefill": "allocate_for_prefill(Request(seq_len={1}))",
    "request": "Request(seq_len={1}, block_table={2})",
    "decode": "allocate_for_decode({0})",
    "gather": "get_physical_cache({0})",
    "table": "{0}.block_table",
    "seq_len": "{0}.seq_len",
    "free_blocks": "free_blocks",
    "cache": "physical_kv_cache",
    "fill": "physical_kv_cache",
}


class Op(NamedTuple):
    """One call: its name and its arguments, in the order of the contract."""

    name: str
    args: tuple[Any, ...] = ()

    def to_json(self) -> list[Any]:
        return [self.name, *self.args]

    @property
    def seq(self) -> SeqId | None:
        """The sequence it speaks of, or None for a question about the whole manager."""
        if not self.args or self.name == "can_allocate":
            return None
        return self.args[0]  # type: ignore[no-any-return]

    def call(self) -> str:
        """As Python a learner would write: ``allocate("a", [1, 2, 3])``, long lists shortened in the middle."""
        if self.name == "num_free_blocks":
            return self.name
        if self.name in L22_OPS:
            return L22_OPS[self.name].format(*self.args)
        if self.name == "list":  # no call: what became of an argument
            return f"token_ids of allocate({_literal(self.seq)}, token_ids)"
        return f"{self.name}({', '.join(_literal(arg) for arg in self.args)})"


def op(name: str, *args: Any) -> Op:
    return Op(name, args)


def _literal(arg: Any) -> str:
    if isinstance(arg, str):
        return '"' + arg.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(arg, (list, tuple)):
        shown = [str(item) for item in arg]
        if len(shown) > 24:
            shown = [*shown[:10], f"… {len(shown) - 14} more …", *shown[-4:]]
        return "[" + ", ".join(shown) + "]"
    return repr(arg)


@dataclass(frozen=True)
class Story:
    """What to build and what to ask of it.

    ``params`` go to the constructor by keyword (p06: num_blocks, block_size, enable_prefix_cache). An op on a sequence
    that is not live, and an allocate of one that is, is skipped by whoever runs the story: so every op list, and every
    part of one, is a story.
    """

    params: Mapping[str, int | bool]
    ops: tuple[Op, ...]
    id: str = ""
    title: str = ""
    note: str = field(default="", compare=False)
    hint: str = field(default="", compare=False)

    def with_ops(self, ops: Iterable[Op]) -> Story:
        return replace(self, ops=tuple(ops))

    def to_json(self) -> dict[str, Any]:
        """The form of the report's ``trace``: the parameters, then the ops."""
        return {**self.params, "ops": [one.to_json() for one in self.ops]}

    @staticmethod
    def from_json(data: Mapping[str, Any], **words: str) -> Story:
        params = {key: value for key, value in data.items() if key != "ops"}
        return Story(params, tuple(Op(row[0], tuple(row[1:])) for row in data["ops"]), **words)


def p06_story(
    num_blocks: int, block_size: int, rows: Iterable[Row], cache: bool = True, **words: str
) -> Story:
    """A p06 story from rows such as ``["allocate", "a", [1, 2, 3]]``."""
    params = {"num_blocks": num_blocks, "block_size": block_size, "enable_prefix_cache": cache}
    return Story.from_json({**params, "ops": [list(row) for row in rows]}, **words)
