"""The room for hostile files, or why there is none here."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile import namespace


def in_room(question: dict[str, Any], timeout: float) -> Any:
    """The room's answer; skips where no room or no such backend can be had (in CI that is a failure)."""
    try:
        answer = namespace.run(question, timeout)
    except namespace.NotHere as why:
        pytest.skip(str(why))
    if "missing" in answer:
        pytest.skip(f"{question['backend']}: {answer['missing']}")
    return answer
