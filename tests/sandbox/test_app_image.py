"""The image `app`, built and started for real: it serves, it grades, and it is nobody in particular."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk import postgres
from tests.sandbox import containers
from tests.sandbox.containers import OWN_SANDBOXES, ROOT, TIGHT, Container, docker

pytestmark = pytest.mark.full

SOLUTION = "/kv-hotel/solutions/p06_block_manager.py"
QUICK = ("worked-1", "paged-gather")
"""One check without torch and one with it, where the whole exercise would show nothing more."""
RIGHT = {"state": "done", "verdict": "passed", "sandbox": "bubblewrap", "message": None, "wrong": {}}


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    try:
        containers.look_for_engine()
    except containers.NotHere as reason:
        pytest.skip(str(reason))
    with containers.built(tmp_path_factory.mktemp("app-image")) as tag:
        yield tag


@pytest.fixture(scope="module")
def server(image: str) -> Iterator[Container]:
    """As one `docker run` starts it."""
    with containers.running(image, "--publish", "127.0.0.1::8501") as container:
        yield container.healthy()


@pytest.fixture
def data() -> Iterator[str]:
    with containers.volume() as name:
        yield name


def test_one_docker_run_serves_the_playground(server: Container) -> None:
    assert server.fetch("/_stcore/health").strip() == "ok"
    assert "<title>Streamlit</title>" in server.fetch("/")


def test_it_is_not_root_and_has_no_capabilities(server: Container) -> None:
    status = dict(line.split(":\t", 1) for line in docker("exec", server.id, "cat", "/proc/1/status").splitlines())
    assert set(status["Uid"].split()) == {"10001"} and set(status["Gid"].split()) == {"10001"}
    assert int(status["CapEff"], 16) == 0


def test_its_code_cannot_be_changed_by_it(server: Container) -> None:
    look = """
import os
for place in ("/kv-hotel", "/venv", "/usr", "/etc"):
    for folder, _, files in os.walk(place):
        for path in (folder, *(os.path.join(folder, name) for name in files)):
            if not os.path.islink(path) and os.access(path, os.W_OK):
                print(path)
"""
    assert server.python(look) == ""


def test_it_has_what_it_needs_and_nobodys_files(server: Container) -> None:
    there = docker("exec", server.id, "ls", "-A", "/kv-hotel").split()
    assert sorted(there) == sorted(
        [".streamlit", "Dockerfile", "app", "constraints.txt", "grader", "locale", "pyproject.toml", "solutions"]
    )
    assert docker("exec", server.id, "find", "/kv-hotel", "-name", "old.pyc") == ""


def test_words_and_code_are_compiled_ahead(server: Container) -> None:
    compiled = """
import os
from pathlib import Path
po = Path("/kv-hotel/locale/zh/LC_MESSAGES/kvhotel.po")
assert po.with_suffix(".mo").stat().st_mtime_ns == po.stat().st_mtime_ns
import grader.judge
print(Path(grader.judge.__cached__).exists())
"""
    assert server.python(compiled) == "True"


def test_without_a_sandbox_it_says_so_and_serves_on(server: Container) -> None:
    server.says("neither Docker nor bubblewrap works")
    assert server.do("hand-in", "ada", SOLUTION)["state"] == "queued"
    assert "<title>" in server.fetch("/")


def test_it_grades_in_sandboxes_of_its_own(image: str, data: str) -> None:
    places = ("/data", "/kv-hotel", "/venv/pyvenv.cfg", "/etc/passwd", "/proc/self")
    nosy = f"import os\nraise RuntimeError([place for place in {places} if os.path.exists(place)])\n"
    with containers.running(image, *TIGHT, *OWN_SANDBOXES, "--volume", f"{data}:/data") as container:
        container.healthy().says("graded in a sandbox: bubblewrap")
        docker("exec", "--interactive", container.id, "sh", "-c", "cat >/tmp/nosy.py", stdin=nosy)
        container.do("hand-in", "ada", SOLUTION)
        container.do("hand-in", "bob", "/tmp/nosy.py")
        passed, failed = container.do("wait", "ada"), container.do("wait", "bob")
    assert passed == RIGHT
    assert failed["verdict"] == "failed" and "RuntimeError: []" in failed["message"]


def test_what_was_handed_in_outlives_its_container(image: str, data: str) -> None:
    options = [*TIGHT, *OWN_SANDBOXES, "--volume", f"{data}:/data"]
    with containers.running(image, *options) as first:
        first.healthy().do("hand-in", "ada", SOLUTION, *QUICK)
        docker("kill", first.id)
    with containers.running(image, *options) as second:
        assert second.healthy().do("wait", "ada") == RIGHT
        docker("restart", second.id)
        assert second.healthy().do("look", "ada") == RIGHT


def test_it_ends_when_it_is_told_to(image: str) -> None:
    with containers.running(image, *TIGHT) as container:
        container.healthy()
        docker("stop", "--time", "60", container.id)
        assert container.state()["ExitCode"] == 0  # 137: it had to be killed


def test_it_keeps_its_data_in_postgresql(image: str) -> None:
    try:
        with postgres.running() as database:
            database.folder.chmod(0o755)  # a socket in a folder, instead of a network
            options = ["--volume", f"{database.folder}:{database.folder}", "--env", f"KVH_DATA={database.new()}"]
            with containers.running(image, *TIGHT, *OWN_SANDBOXES, *options) as container:
                container.healthy().do("hand-in", "ada", SOLUTION, *QUICK)
                assert container.do("wait", "ada") == RIGHT
    except postgres.NotHere as reason:
        pytest.skip(str(reason))


def test_compose_starts_it(image: str, tmp_path: Path) -> None:
    ours = tmp_path / "image.yaml"
    ours.write_text(f"services:\n  app:\n    image: {image}\n")
    compose = containers.compose(ROOT / "compose.yaml", ours, KVH_LISTEN="127.0.0.1:")
    try:
        compose("up", "--detach", "--no-build")
        container = Container(compose("ps", "--quiet", "app"))
        container.healthy().do("hand-in", "ada", SOLUTION, *QUICK)
        assert container.do("wait", "ada") == RIGHT
        assert "<title>" in container.fetch("/")
        host = json.loads(docker("inspect", "--format", "{{json .HostConfig}}", container.id))
        assert host["ReadonlyRootfs"] and host["CapDrop"] == ["ALL"] and host["Init"]
    finally:
        compose("down", "--volumes")
