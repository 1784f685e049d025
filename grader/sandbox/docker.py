"""The docker backend: one container a worker, thrown away afterwards. For servers.

No network, read-only, a numeric user, no capabilities, no new privileges, the engine's seccomp profile and ours, memory
and processes bounded by cgroup, no mount of the host, no /dev/shm, no log. The worker's three streams come over the
attached connection.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from functools import cache
from typing import Any

from grader.sandbox import image, seccomp
from grader.sandbox import runtime as rt
from grader.sandbox.cgroup import is_dead, judge_mark
from grader.sandbox.child import SandboxError
from grader.sandbox.limits import Limits
from grader.words import Say

NAME = "docker"
SOCKET = "/var/run/docker.sock"
USER = "60000:60000"
LABEL, UNTIL = "kvhotel.judge", "kvhotel.until"
READY_S = 300
"""Seconds that a container may wait, started ahead of time, for its grading."""
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def why_not() -> Say | None:
    """What keeps docker from working here, without starting anything."""
    if "DOCKER_HOST" not in os.environ and not os.path.exists(SOCKET):
        return Say("no Docker engine here: start one, or name it in DOCKER_HOST")
    try:
        engine = client()
    except SandboxError as error:
        return error.say
    docker = _sdk()
    try:
        engine.inspect_image(image.tag())
    except docker.errors.ImageNotFound:
        return Say("Docker has no image that fits this version: run {command}", command=image.COMMAND)
    except (docker.errors.DockerException, OSError) as error:
        return trouble(error)
    return None


def _sdk() -> Any:
    """The package, imported only where Docker is used: it takes 0.15 s, and need not be installed."""
    return importlib.import_module("docker")


@cache
def client() -> Any:
    """The connection to the engine. SandboxError if there is none."""
    try:
        docker = _sdk()
    except ImportError as error:
        say = Say("Docker needs one more package: {command}", command="./check.sh setup docker")
        raise SandboxError(say) from error
    host = os.environ.get("DOCKER_HOST", f"unix://{SOCKET}")
    if host.startswith("unix://"):
        path = host.removeprefix("unix://")
        if not os.path.exists(path):
            raise SandboxError(trouble(FileNotFoundError(path)))
        if not os.access(path, os.R_OK | os.W_OK):
            say = Say(
                "you may not use the Docker engine at {where}: usually joining the group docker helps", where=host
            )
            raise SandboxError(say)
    try:
        return docker.APIClient(**docker.utils.kwargs_from_env(), version="auto", timeout=30)
    except (docker.errors.DockerException, OSError) as error:
        raise SandboxError(trouble(error)) from error


def disconnect() -> None:
    """Close the connection, if there is one."""
    if client.cache_info().currsize:
        client().close()
        client.cache_clear()


def trouble(error: Exception) -> Say:
    """The sentence for an error of the SDK: the engine refused, or cannot be spoken to."""
    explanation = getattr(error, "explanation", None)
    if explanation:
        return Say("Docker does not run the sandbox: {reason}", reason=str(explanation)[:300])
    where = os.environ.get("DOCKER_HOST", SOCKET)
    return Say("the Docker engine at {where} does not answer: start it, or correct DOCKER_HOST", where=where)


def create(limits: Limits, torch: bool) -> str:
    """Make a container, not started; its id. SandboxError with the engine's reason.

    Should the judge die and the learner's code spin, the container ends itself, and the next judge removes it.
    """
    engine = client()
    memory = limits.memory_bytes(torch)
    lifetime = READY_S + 2 * round(limits.grading_s) + 5  # the stars have a time of their own
    # `timeout` as the first process: when it goes, everything in the container goes.
    inside = rt.plan(limits, torch, "/hotel/worker.py", ["/packages"], seccomp=seccomp.program(_machine()))
    command = ["timeout", "-s", "KILL", str(lifetime), "python3", *rt.PYTHON, "/hotel/enter.py", inside]
    host = engine.create_host_config(
        network_mode="none",
        ipc_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        mem_limit=memory,
        memswap_limit=memory,
        pids_limit=limits.processes + 1,
        nano_cpus=1_000_000_000,
        tmpfs={"/tmp": _scratch(limits)},
        log_config={"Type": "none"},
        runtime=os.environ.get("KVH_DOCKER_RUNTIME"),
        device_requests=_gpus(),
    )
    try:
        made = engine.create_container(
            image.tag(),
            entrypoint=command[:1],
            command=command[1:],
            user=USER,
            stdin_open=True,
            hostname="hotel",
            working_dir="/tmp",
            environment=rt.ENVIRONMENT,
            labels={LABEL: judge_mark(os.getpid()), UNTIL: str(round(time.time()) + lifetime + 60)},
            host_config=host,
        )
    except errors() as error:
        raise SandboxError(trouble(error)) from error
    return str(made["Id"])


@cache
def _machine() -> str:
    """The machine of the engine, which need not be ours."""
    arch = str(client().version()["Arch"])
    return MACHINES.get(arch, arch)


def _scratch(limits: Limits) -> str:
    size, files = limits.scratch_mib << 20, limits.scratch_files
    return f"rw,noexec,nosuid,nodev,mode=1777,size={size},nr_inodes={files}"


def _gpus() -> list[Any]:
    """All GPUs where KVH_DOCKER_GPUS is set, else none."""
    if not os.environ.get("KVH_DOCKER_GPUS"):
        return []
    return [_sdk().types.DeviceRequest(count=-1, capabilities=[["gpu"]])]


def errors() -> tuple[type[Exception], ...]:
    """What the SDK raises when the engine refuses or is gone."""
    return (_sdk().errors.DockerException, OSError)


def remove(container: str) -> None:
    """Kill and remove a container; one that is gone is fine, and so is an engine that is."""
    with contextlib.suppress(*errors()):
        client().remove_container(container, force=True, v=True)


def sweep() -> int:
    """Remove the containers of judges that are dead, or that could not be looked up and are overdue; how many."""
    found = 0
    with contextlib.suppress(*errors()):
        for container in client().containers(all=True, filters={"label": LABEL}):
            labels = container["Labels"]
            if is_dead(labels[LABEL]) or time.time() > float(labels.get(UNTIL, 0)):
                remove(container["Id"])
                found += 1
    return found
