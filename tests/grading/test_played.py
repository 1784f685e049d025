"""What the gallery shows of l22's mistakes is what they do."""

from __future__ import annotations

import json

import pytest

from solutions.mistakes import PLAYED_FILE, Mistake
from tests.grading.played import MINE, played
from tests.sampling import third

pytestmark = [pytest.mark.slow, pytest.mark.torch]
KEPT = json.loads(PLAYED_FILE.read_text("utf-8"))


@pytest.mark.parametrize("mistake", third(MINE))
def test_a_mistake_of_l22_still_does_what_is_shown_of_it(mistake: Mistake) -> None:
    assert played(mistake) == KEPT[mistake.id], "run python -m tests.grading.played"


def test_every_mistake_of_l22_is_shown() -> None:
    assert KEPT.keys() == {mistake.id for mistake in MINE}
