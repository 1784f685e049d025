"""Ways to take something away from our sandbox or our judge: patches of this process, for the sabotage table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grader import judge, plain, report, wording
from grader.sandbox import bubblewrap, link, remote, runtime, seccomp
from grader.sandbox.limits import Limits


def put(owner: Any, name: str, other: Any) -> None:
    """``other`` in the place of what ``owner`` calls ``name``, which must be there to be taken away."""
    assert hasattr(owner, name), f"{owner.__name__} has no {name} any more: take away what stands for it now"
    setattr(owner, name, other)


def without_flags(*flags: str, more: tuple[str, ...] = ()) -> None:
    """bwrap without these words (a flag with what follows it, as one string with blanks), and with ``more``."""
    plain_house = bubblewrap._house

    def house(as_root: bool) -> tuple[str, ...]:
        words = list(plain_house(as_root))
        for flag in flags:
            parts = flag.split()
            at = next(i for i in range(len(words)) if words[i : i + len(parts)] == parts)
            del words[at : at + len(parts)]
        return (*words, *more)

    put(bubblewrap, "_house", house)


def edited_command(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    """bwrap's whole command line with ``old`` (prefixes of words in a row) replaced."""
    popen = bubblewrap.subprocess.Popen

    def start(words: list[str], **more: Any) -> Any:
        starts = [i for i in range(len(words)) if all(w.startswith(o) for w, o in zip(words[i:], old, strict=False))]
        assert starts, f"no {old} in the command"
        return popen([*words[: starts[0]], *new, *words[starts[0] + len(old) :]], **more)

    bubblewrap.subprocess = type("Subprocess", (), {"PIPE": -1, "Popen": staticmethod(start)})  # type: ignore[assignment]


def edited(path: Path, old: str, new: str) -> None:
    """A file of ours that goes into the sandbox, changed."""
    plain_source = runtime.source
    assert old in path.read_text("utf-8"), f"{path.name} has no {old!r}"

    def source(wanted: Path) -> bytes:
        text = plain_source(wanted)
        return text.replace(old.encode(), new.encode()) if wanted == path else text

    put(runtime, "source", source)


in_enter = partial(edited, runtime.ENTER)
in_worker = partial(edited, runtime.WORKER)


def without_uid_drop() -> None:
    in_enter('if plan["uid"] is not None:', "if False:")


def without_seccomp() -> None:
    put(seccomp, "program", lambda *_: None)


def without_rlimit(name: str) -> None:
    in_enter("for name, (soft, hard) in", f'plan["rlimits"].pop("{name}")\n    for name, (soft, hard) in')


def unwritten(*names: str) -> None:
    """Control groups whose files of these names are left as they are."""
    plain_write = Path.write_text

    def write(self: Path, data: str, *more: Any) -> int:
        return 0 if self.name in names else plain_write(self, data, *more)

    put(Path, "write_text", write)


def unlimited_link(**other: Any) -> None:
    plain_init = link.Link.__init__

    def init(self: link.Link, child: Any, limits: Limits) -> None:
        plain_init(self, child, replace(limits, **other))

    put(link.Link, "__init__", init)


def any_number() -> None:
    plain_request = link.parse

    def parse(body: bytes) -> Any:
        frame = plain_request(body)
        return AnyNumber(frame) if "n" in frame and "done" not in frame and "ready" not in frame else frame

    put(link, "parse", parse)


class AnyNumber(dict):  # type: ignore[type-arg]
    """A reply whose number is always the one that was asked for."""

    def __getitem__(self, key: str) -> Any:
        return Same() if key == "n" else super().__getitem__(key)

    get = __getitem__  # type: ignore[assignment]


class Same(int):
    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__
    __class__ = int  # type: ignore[assignment]


def untyped_number() -> None:
    import builtins

    def kind(value: Any) -> Any:
        return int if builtins.type(value) is Same else builtins.type(value)

    link.type = kind  # type: ignore[attr-defined]
    any_number()


def lax_json() -> None:
    import json

    put(link, "parse", json.loads)


def taking_anything() -> None:
    put(remote, "valid", lambda result: True)


def halves_are_whole() -> None:
    put(remote, "whole", lambda created, results, asked: True)


def attachments_fit() -> None:
    def hand_out(results: Any, attachment: bytes) -> bool:
        remote_handed_out(results, attachment)
        return True

    remote_handed_out = remote.handed_out
    put(remote, "handed_out", hand_out)


def untouched_text() -> None:
    def as_it_is(text: str, limit: int, *, one_line: bool = False) -> str:
        return text

    for module in (plain, report, wording):
        put(module, "plain", as_it_is)


def patient_link() -> None:
    plain_receive = link.Link.receive
    put(link.Link, "receive", lambda self, limit_s, wall_s=3600.0: plain_receive(self, 3600.0, wall_s))


def endless_grading() -> None:
    plain_receive = link.Link.receive
    put(remote.Remote, "_check_time", lambda self: None)
    put(link.Link, "receive", lambda self, limit_s, wall_s=3600.0: plain_receive(self, limit_s, 12.0))


def keeping_all_output() -> None:
    def add(self: link.Output, data: bytes) -> None:
        self.total += len(data)
        self.head += data
        self.tail = bytearray(self.head[-link.TAIL :])

    plain_report = judge.Judge._report

    def tell(self: judge.Judge, *arguments: Any, **words: Any) -> Any:
        self.limits = replace(self.limits, kept_output_kib=1 << 20)
        return plain_report(self, *arguments, **words)

    put(link.Output, "add", add)
    put(judge.Judge, "_report", tell)


def trusting_pictures() -> None:
    from grader.exercises.l22 import oracle

    put(oracle, "readable", lambda view: True)


def trusting_views() -> None:
    from grader.replay import witness

    put(witness, "_sound", lambda inside, num_blocks: inside is not None)


def in_docker(**other: Any) -> Callable[[], None]:
    """Containers whose host config has these words otherwise; None: left out."""

    def carry_out() -> None:
        from grader.sandbox import docker

        engine = docker.client()
        plain_config = type(engine).create_host_config

        def config(**words: Any) -> Any:
            words |= other
            return plain_config(engine, **{name: value for name, value in words.items() if value is not None})

        engine.create_host_config = config

    return carry_out


def in_docker_container(**other: Any) -> Callable[[], None]:
    def carry_out() -> None:
        from grader.sandbox import docker

        engine = docker.client()
        plain_create = type(engine).create_container
        engine.create_container = lambda *arguments, **words: plain_create(engine, *arguments, **{**words, **other})

    return carry_out


def both(*acts: Callable[[], None]) -> Callable[[], None]:
    def carry_out() -> None:
        for act in acts:
            act()

    return carry_out


def engine_socket() -> str:
    """Where the engine's socket lies on this machine."""
    import os

    from grader.sandbox import docker

    return os.environ.get("DOCKER_HOST", f"unix://{docker.SOCKET}").removeprefix("unix://")
