"""Each flag, limit and check of ours is noticed when it is missing: it has a hostile file that then turns red."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hostile.catalogue import cheats, complaints
from tests.hostile.conftest import in_room
from tests.hostile.sabotage import TABLE
from tests.sampling import third

pytestmark = pytest.mark.slow
CHEATS = {cheat.name: cheat for cheat in cheats()}


def all_reports(backend: str) -> dict[str, Any]:
    entries = {name: entry for name, entry in TABLE.items() if entry.backend == backend}
    notice = [entry.notices for entry in entries.values()]
    question = {"backend": backend, "names": notice, "sabotages": list(entries), "at_a_time": 2}
    return dict(zip(entries, in_room(question, 900)["reports"], strict=True))


@pytest.mark.parametrize("name", third(TABLE))
def test_what_is_missing_is_noticed(name: str) -> None:
    entry = TABLE[name]
    cheat = CHEATS[entry.notices]
    report = all_reports(entry.backend)[name]
    if "fault" in report:
        seen = [f"fault: {report['fault']}"]
        assert "the sandbox" not in report["fault"], report["fault"]  # it broke what it should have weakened
    else:
        seen = complaints(cheat, entry.backend, report, cheat.short)
        seen += ["passed"] if report["verdict"] == "passed" else []
    assert any(entry.sees in text for text in seen), f"{entry.notices} does not notice it: {seen}"
