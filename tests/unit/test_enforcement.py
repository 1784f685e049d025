from __future__ import annotations

import pytest

from grader.sandbox import cgroup, enforcement, launcher, seccomp


@pytest.mark.parametrize("backend", launcher.BACKENDS)
def test_every_promise_of_every_backend_says_what_keeps_it(backend: str) -> None:
    assert list(enforcement.enforced_by(backend)) == list(enforcement.PROMISES)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "home", lambda: None)
    monkeypatch.setattr(seccomp, "program", lambda: None)
    found = enforcement.enforced_by("bubblewrap")
    assert found["memory of the whole tree"].msgid == "rlimit for each process, a watch for the tree"
    assert found["system calls"].msgid == enforcement.NOTHING
