"""Whatever bytes come back over the link, the judge takes a reply or ends the worker; it neither dies nor grows."""

from __future__ import annotations

import pytest

from tests.bench.link import GROWTH_MIB, fuzz


@pytest.mark.parametrize("seed", range(4))
def test_mutated_replies_do_no_harm(seed: int) -> None:
    taken, mib, descriptors = fuzz(3_000, seed)
    assert 300 < taken < 2_700
    assert mib < GROWTH_MIB and descriptors == 0
