"""What comes back over the link is bytes from a stranger: only exact, small, plain replies are taken."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import FileIO, RawIOBase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.sandbox.child import Child, Ending, EndingKind
from grader.sandbox.limits import Limits
from grader.sandbox.link import HEAD, Forged, Link, Oversized, OverTime, Stopped, Stuck, parse
from grader.sandbox.replies import valid

LIMITS = replace(Limits(), reply_mib=1, attachment_mib=1, kept_output_kib=1)


class Scripted(Child):
    """A child whose other end is a function of ours: it gets the streams a worker would have."""

    def __init__(self, body: Callable[[FileIO, FileIO, FileIO], None]) -> None:
        self.backend, self.pid = "scripted", 0
        ends = [os.pipe() for _ in range(3)]
        self.stdin: RawIOBase = FileIO(ends[0][1], "w")
        self.stdout: RawIOBase = FileIO(ends[1][0], "r")
        self.stderr: RawIOBase = FileIO(ends[2][0], "r")
        theirs = FileIO(ends[0][0], "r"), FileIO(ends[1][1], "w"), FileIO(ends[2][1], "w")

        def run() -> None:
            try:
                body(*theirs)
            except (BrokenPipeError, ValueError):
                pass
            finally:
                for stream in theirs:
                    stream.close()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()

    def kill(self) -> None:
        pass

    def wait(self, timeout: float) -> Ending | None:
        self.thread.join(timeout)
        return Ending("exit", 0)

    def hit(self) -> EndingKind | None:
        return None


@pytest.fixture
def link() -> Iterator[Callable[..., Link]]:
    made: list[Link] = []

    def make(body: Callable[[FileIO, FileIO, FileIO], None]) -> Link:
        made.append(Link(Scripted(body), LIMITS))
        return made[-1]

    yield make
    for one in made:
        one.close()


def take(stream: FileIO) -> None:
    size, extra = HEAD.unpack(stream.read(HEAD.size) or b"")
    left = size + extra
    while left:
        left -= len(stream.read(left) or b"")


def answering(*parts: bytes) -> Callable[[FileIO, FileIO, FileIO], None]:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        take(requests)
        for part in parts:
            replies.write(part)

    return body


def framed(body: bytes, blob: bytes = b"") -> bytes:
    return HEAD.pack(len(body), len(blob)) + body + blob


def test_a_reply_comes_back_with_its_attachment(link: Callable[..., Link]) -> None:
    reply, blob = link(answering(framed(b'{"n":1,"x":[1,true,null]}', b"abc"))).request({"do": "x"}, 1.0)
    assert (reply, blob) == ({"n": 1, "x": [1, True, None]}, b"abc")


def test_a_reply_in_many_pieces_is_put_together(link: Callable[..., Link]) -> None:
    whole = framed(b'{"n":1,"x":"\xc3\xa9"}', b"z" * 5000)
    pieces = [whole[i : i + 7] for i in range(0, len(whole), 7)]
    assert link(answering(*pieces)).request({}, 1.0)[1] == b"z" * 5000


@pytest.mark.parametrize(
    "reply",
    [
        framed(b'{"n":2}'),
        framed(b'{"n":true}'),
        framed(b"[1]"),
        framed(b'{"n":1,"x":NaN}'),
        framed(b'{"n":1,"n":1}'),
        framed(b'{"n":1,"x":Infinity}'),
        framed(b'{"n":1'),
        framed(b"\xff\xfe"),
        framed(b""),
        framed(b'{"n":1,"x":' + b"[" * 60 + b"]" * 60 + b"}"),
        framed(b'{"n":1,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        framed(b'{"n":1,"x":' + b"9" * 100_000 + b"}"),
        framed(b'{"n":1,"done":-1}'),
        framed(b'{"n":1,"done":1.5}'),
    ],
)
def test_what_is_no_reply_is_a_forgery(link: Callable[..., Link], reply: bytes) -> None:
    with pytest.raises(Forged):
        link(answering(reply)).request({}, 1.0)


@pytest.mark.parametrize("sizes", [((1 << 20) + 1, 0), (2, (1 << 20) + 1), (0xFFFFFFFF, 0xFFFFFFFF)])
def test_what_is_too_large_is_not_even_read(link: Callable[..., Link], sizes: tuple[int, int]) -> None:
    with pytest.raises(Oversized):
        link(answering(HEAD.pack(*sizes))).request({}, 1.0)


def test_a_second_reply_to_one_request_is_a_forgery(link: Callable[..., Link]) -> None:
    one = link(answering(framed(b'{"n":1}') + framed(b'{"n":1}')))
    one.request({}, 1.0)
    with pytest.raises(Forged):
        one.request({}, 1.0)


def test_the_end_of_the_stream_says_how_the_process_ended(link: Callable[..., Link]) -> None:
    with pytest.raises(Stopped) as stopped:
        link(answering()).request({}, 1.0)
    assert stopped.value.ending == Ending("exit", 0)


def test_silence_is_an_op_that_is_stuck(link: Callable[..., Link]) -> None:
    waiting = threading.Event()

    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        waiting.wait(5)

    with pytest.raises(Stuck):
        link(body).request({}, 0.1)
    waiting.set()


def test_signs_of_life_carry_a_long_story_past_the_limit_of_one_op(link: Callable[..., Link]) -> None:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        take(requests)
        for done in range(8):
            threading.Event().wait(0.1)
            replies.write(framed(b'{"n":1,"done":%d}' % done))
        replies.write(framed(b'{"n":1,"ok":1}'))

    assert link(body).request({}, 0.2)[0]["ok"] == 1


def test_signs_of_life_do_not_outlast_the_whole(link: Callable[..., Link]) -> None:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        take(requests)
        for _ in range(100):
            threading.Event().wait(0.02)
            replies.write(framed(b'{"n":1,"done":0}'))

    with pytest.raises(OverTime):
        link(body).request({}, 1.0, wall_s=0.3)


def test_a_stack_on_stderr_ends_the_wait_once_the_limit_has_passed(link: Callable[..., Link]) -> None:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        take(requests)
        prints.write(b"hello\nTimeout (0:00:00.2)!\nThread 0x1 (most recent call first):\n  File x, line 3 in loop\n")
        threading.Event().wait(3)

    with pytest.raises(Stuck) as stuck:
        link(body).request({}, 0.1)
    assert "line 3 in loop" in stuck.value.stack and "hello" not in stuck.value.stack


def test_output_is_kept_to_its_cap_and_the_rest_counted(link: Callable[..., Link]) -> None:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        take(requests)
        for _ in range(1000):
            prints.write(b"x" * 1000)
        replies.write(framed(b'{"n":1}'))

    one = link(body)
    one.request({}, 2.0)
    one.close()
    assert one.output.text() == "x" * 1024
    assert one.output.total > 900_000 and one.output.lost == one.output.total - 1024


def test_a_worker_that_greets_with_anything_else_is_no_worker(link: Callable[..., Link]) -> None:
    def body(requests: FileIO, replies: FileIO, prints: FileIO) -> None:
        replies.write(framed(b'{"n":0,"ready":false}'))
        requests.read(1)

    with pytest.raises(Forged):
        link(body).greet(2.0)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.binary(max_size=300) | st.text(alphabet='{}[]",:0123456789.eEnultrfasNI \\u', max_size=80).map(str.encode))
def test_any_bytes_parse_to_a_plain_object_or_are_refused(body: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert type(parse(body)) is dict


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
        max_leaves=8,
    )
)
def test_a_result_is_taken_only_in_one_of_its_forms(value: object) -> None:
    if type(value) in (type(None), bool, int, str):
        assert valid(value)
    elif type(value) is list:
        assert valid(value) is all(type(item) is int for item in value)
    elif type(value) is float or type(value) is dict and not {"raise", "odd", "tensor", "skip"} & set(value):
        assert not valid(value)
