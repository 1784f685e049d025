"""The room for hostile files, or why there is none here."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.hostile import namespace


def in_room(question: dict[str, Any], timeout: float) -> Any:
    """The room's answer, asked for once however many tests look at it.

    Skips where no room or no such backend can be had (in CI that is a failure).
    """
    answer = _asked(json.dumps(question), timeout)
    if isinstance(answer, namespace.NotHere):
        pytest.skip(str(answer))
    if isinstance(answer, RuntimeError):
        raise RuntimeError(str(answer))
    if "missing" in answer:
        pytest.skip(f"{question['backend']}: {answer['missing']}")
    return answer


@cache
def _asked(question: str, timeout: float) -> Any:
    try:
        return namespace.run(json.loads(question), timeout)
    except (namespace.NotHere, RuntimeError) as error:
        return error
