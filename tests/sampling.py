"""Long tables of like cases: each third in every run, all of them with ``--all``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def third(rows: Iterable[Any]) -> list[Any]:
    """``rows`` for parametrize, the first of every three as it is, the others marked ``full``."""
    return [row if i % 3 == 0 else pytest.param(row, marks=pytest.mark.full) for i, row in enumerate(rows)]
