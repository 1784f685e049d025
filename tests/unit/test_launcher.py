"""The launcher's choices that need no sandbox: names, limits, the plan a child starts with, cgroup v2's folders."""

from __future__ import annotations

import json
import os
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path

import pytest

from grader.sandbox import bubblewrap, cgroup, launcher, runtime
from grader.sandbox.limits import Limits


def test_unknown_backend_names_the_choices() -> None:
    with pytest.raises(launcher.SandboxError) as caught:
        launcher.pick("jail")
    assert caught.value.say.args == {"name": "jail", "names": "auto, docker, bubblewrap, process"}


def test_auto_takes_the_strongest_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    say = launcher.Say("install it")
    monkeypatch.setattr(launcher, "_why_not", {"docker": say, "bubblewrap": say, "process": None}.get)
    assert launcher.pick("auto") == "process"
    assert launcher.available() == {"docker": say, "bubblewrap": say, "process": None}
    with pytest.raises(launcher.SandboxError) as caught:
        launcher.pick("bubblewrap")
    assert caught.value.say == say


def test_limits_are_a_fixed_table_and_every_field_is_explained() -> None:
    with pytest.raises(FrozenInstanceError):
        Limits().op_s = 3  # type: ignore[misc]
    assert replace(Limits(), op_s=0.1).op_s == 0.1
    assert (Limits().memory_bytes(torch=False), Limits().memory_bytes(torch=True)) == (512 << 20, 2 << 30)
    source = (Path(launcher.__file__).parent / "limits.py").read_text().splitlines()
    for field in fields(Limits):
        at = next(n for n, line in enumerate(source) if line.startswith(f"    {field.name}:"))
        assert source[at + 1].startswith('    """')


def test_plan_never_asks_for_more_than_the_user_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime.resource, "getrlimit", lambda _: (10, 10))
    plan = json.loads(runtime.plan(Limits(), False, "worker.py", []))
    assert plan["rlimits"]["NOFILE"] == [10, 10] and plan["rlimits"]["CPU"] == [10, 10]


def test_processes_are_left_to_a_cgroup_that_counts_what_it_refuses() -> None:
    alone = json.loads(runtime.plan(Limits(), False, "w", [], join=[], own_uid=True))
    counted = json.loads(runtime.plan(Limits(), False, "w", [], join=[7], own_uid=True))
    shared = json.loads(runtime.plan(Limits(), False, "w", [], join=[]))
    assert alone["rlimits"]["NPROC"][0] == 64 < counted["rlimits"]["NPROC"][0]
    assert "NPROC" not in shared["rlimits"]


def test_cgroup_v2_looks_upwards_for_a_group_that_can_hand_controllers_down(tmp_path: Path) -> None:
    own = "0::/user.slice/session.scope\n"
    (tmp_path / "user.slice" / "session.scope").mkdir(parents=True)
    places = [home.memory.relative_to(tmp_path) for home in cgroup._candidates(tmp_path, own)]
    assert places == [Path("user.slice/session.scope"), Path("user.slice"), Path(".")]


def test_cgroup_v1_is_used_where_it_holds_memory_and_pids(tmp_path: Path) -> None:
    own = "8:pids:/\n4:memory:/a\n3:cpu,cpuacct:/b\n0::/\n"
    [home] = cgroup._candidates(tmp_path, own)
    assert home == cgroup.Home(1, tmp_path / "memory" / "a", tmp_path / "pids")
    (tmp_path / "cpu" / "b").mkdir(parents=True)
    [home] = cgroup._candidates(tmp_path, own)
    assert home.folders == [tmp_path / "memory" / "a", tmp_path / "pids", tmp_path / "cpu" / "b"]


def test_cgroup_v2_group_bounds_memory_swap_and_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_controllers(self: Path) -> None:
        os.mkdir(self)
        for name in ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cgroup.procs"):
            (self / name).touch()
        (self / "memory.events").write_text("oom 3\noom_kill 2\n")
        (self / "pids.events").write_text("max 0\n")

    monkeypatch.setattr(Path, "mkdir", with_controllers)
    group = cgroup.Group(cgroup.Home(2, tmp_path, tmp_path), Limits(), torch=False)
    [folder] = tmp_path.iterdir()
    values = {name: (folder / name).read_text() for name in ("memory.max", "memory.swap.max", "pids.max")}
    assert values == {"memory.max": str(512 << 20), "memory.swap.max": "0", "pids.max": "64"}
    assert (folder / "memory.oom.group").read_text() == "1"
    assert group.out_of_memory() and not group.out_of_processes() and len(group.join) == 1
    group.close_files()


def test_a_mark_tells_a_dead_judge_from_a_living_one() -> None:
    mark = cgroup.judge_mark(os.getpid())
    namespace, pid, started = mark.split("-")
    assert not cgroup.is_dead(mark)
    assert cgroup.is_dead(f"{namespace}-{pid}-{int(started) + 1}")
    assert not cgroup.is_dead(f"1-{pid}-{started}")
    assert not cgroup.is_dead("not-ours")


def test_root_is_told_of_packages_that_others_cannot_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "torch.py").touch(0o600)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda _: "/usr/bin/bwrap")
    monkeypatch.setattr(bubblewrap.os, "geteuid", lambda: 0)
    monkeypatch.setattr(runtime, "runtime", lambda: runtime.Runtime(Path("/python"), (), (packages,)))
    why = bubblewrap.why_missing()
    assert why is not None and why.args == {"folder": str(packages)}
    (packages / "torch.py").chmod(0o644)
    assert bubblewrap.why_missing() is None
