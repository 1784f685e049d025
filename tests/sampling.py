"""Long tables of like cases: the first of them in every run, each third unless ``--fast``, all with ``--all``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def third(rows: Iterable[Any]) -> list[Any]:
    """``rows`` for parametrize: the first as it is, each third marked ``slow``, the others ``full``."""
    marks = [pytest.mark.slow, pytest.mark.full, pytest.mark.full]
    return [pytest.param(row, marks=marks[i % 3]) if i else row for i, row in enumerate(rows)]
