"""What doctor says of the sandboxes."""

from __future__ import annotations

import pytest

from grader.sandbox import cgroup, doctor, launcher, seccomp
from grader.words import Say


@pytest.mark.parametrize("backend", launcher.BACKENDS)
def test_every_promise_of_every_backend_says_what_keeps_it(backend: str) -> None:
    assert list(doctor.enforced_by(backend)) == list(doctor.PROMISES)


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup, "home", lambda: None)
    monkeypatch.setattr(seccomp, "program", lambda: None)
    found = doctor.enforced_by("bubblewrap")
    assert found["memory of the whole tree"].msgid == "rlimit for each process, a watch for the tree"
    assert found["system calls"].msgid == doctor.NOTHING


def test_a_backend_that_does_not_work_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    say = Say("install it")
    monkeypatch.setattr(launcher, "available", lambda: {"bubblewrap": say, "process": None})
    assert [(one.backend, one.why_not) for one in doctor.examine()] == [("bubblewrap", say), ("process", None)]
