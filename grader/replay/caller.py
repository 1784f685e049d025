"""The caller's own token lists, which ``list`` and ``scribble`` speak of. A manager reads them and lets them be."""

from __future__ import annotations

from grader.replay.op import Op, SeqId
from grader.replay.result import SKIPPED, Result

#: The ops that are about the caller's list, not about the manager.
OF_THE_CALLER = frozenset({"list", "scribble"})


class Caller:
    """Keeps the list passed to allocate, as it is when nobody else touches it: of every sequence that is live or was
    refused, and of the last one freed. (Not of all that ever were: a long run must leave nothing behind.)"""

    def __init__(self) -> None:
        self.given: dict[SeqId, list[int]] = {}
        self.freed: dict[SeqId, list[int]] = {}

    def answer(self, op: Op) -> Result:
        """What ``list`` or ``scribble`` gives."""
        holder = self._holder(op)
        if holder is None:
            return SKIPPED
        return None if op.name == "scribble" else holder[op.args[0]].copy()

    def note(self, op: Op, result: Result) -> None:
        """Remember what was passed in ``op``; call it after each op, with what the contract says to it."""
        if result == SKIPPED:
            return
        holder = self._holder(op) if op.name == "scribble" else self.given
        if op.name in ("allocate", "scribble") and holder is not None:
            holder[op.args[0]] = list(op.args[1])
        elif op.name == "free" and op.args[0] in self.given:
            self.freed = {op.args[0]: self.given.pop(op.args[0])}

    def _holder(self, op: Op) -> dict[SeqId, list[int]] | None:
        return next((lists for lists in (self.given, self.freed) if op.args[0] in lists), None)
