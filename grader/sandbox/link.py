"""The judge's end of the link to one worker: frames out, replies back, all of it with a deadline and a cap.

Nothing that comes back is trusted: sizes are checked before bytes are read, JSON must be of exact plain types, and a
reply must echo the number of the request. Whatever breaks that is the submission's doing and ends the worker.
"""

from __future__ import annotations

import json
import os
import selectors
import struct
import time
from typing import Any

from grader.sandbox.child import Child, Ending
from grader.sandbox.limits import Limits

HEAD = struct.Struct(">II")
DEEPEST = 16
NESTED = {dict, list}
TAIL = 16_384
RECENT = 4_096
Frame = dict[str, Any]


class LinkDown(Exception):
    """The worker is of no more use. ``done``: ops it said it had finished in this request."""

    def __init__(self, done: int = 0) -> None:
        super().__init__(type(self).__name__)
        self.done = done


class Stopped(LinkDown):
    """The process ended (exit, signal, out of memory) before it answered."""

    def __init__(self, ending: Ending, done: int) -> None:
        super().__init__(done)
        self.ending = ending


class Stuck(LinkDown):
    """An op outlasted its limit; ``stack``: where, as faulthandler's lines, when the worker could still tell."""

    def __init__(self, stack: str, done: int) -> None:
        super().__init__(done)
        self.stack = stack


class OverTime(LinkDown):
    """The whole grading has used up its wall time."""


class Forged(LinkDown):
    """What came back is no reply: not JSON, wrong types or the wrong number."""


class Oversized(LinkDown):
    """What came back is larger than a reply may be."""


def parse(body: bytes) -> Frame:
    """The JSON object in ``body``; ValueError for anything but exact, finite, shallow, non-repeating plain data."""
    try:
        frame = json.loads(body.decode("utf-8"), parse_constant=_no_constant, object_pairs_hook=_no_repeats)
    except RecursionError:
        raise ValueError("too deep") from None
    if type(frame) is not dict:
        raise ValueError("not an object")
    _check_depth(frame, DEEPEST)
    return frame


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _no_repeats(pairs: list[tuple[str, Any]]) -> Frame:
    frame = dict(pairs)
    if len(frame) != len(pairs):
        raise ValueError("a key stands twice")
    return frame


def _check_depth(value: Any, left: int) -> None:
    if left == 0:
        raise ValueError("too deep")
    inner = value.values() if type(value) is dict else value
    if NESTED.isdisjoint(map(type, inner)):  # nearly always: long lists of numbers
        return
    for item in inner:
        if type(item) in NESTED:
            _check_depth(item, left - 1)


class Output:
    """What the learner printed: the first bytes kept, the rest counted, the very last held for the stack.

    Of one story the first bytes are kept apart: ``begin`` before it, ``printed`` after it.
    """

    def __init__(self, keep: int) -> None:
        self.keep = keep
        self.head = bytearray()
        self.tail = bytearray()
        self.recent = bytearray()
        self.total = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        self.head += data[: max(0, self.keep - len(self.head))]
        self.recent += data[: max(0, RECENT - len(self.recent))]
        self.tail += data
        del self.tail[:-TAIL]

    @property
    def lost(self) -> int:
        return self.total - len(self.head)

    def text(self) -> str:
        return self.head.decode("utf-8", "replace")

    def begin(self) -> None:
        """From here on ``printed`` is gathered anew."""
        self.recent.clear()

    def printed(self) -> str:
        """The first of what was printed since ``begin``."""
        return self.recent.decode("utf-8", "replace")


class Link:
    """Requests to one worker, one at a time. Owned by one thread; ``close`` ends the worker, whatever it is doing."""

    def __init__(self, child: Child, limits: Limits) -> None:
        self.child, self.limits = child, limits
        self.output = Output(limits.kept_output_kib * 1024)
        self.number = 0
        self.buffer = bytearray()
        self.pending = memoryview(b"")
        self.selector = selectors.DefaultSelector()
        for stream, role in ((child.stdout, "reply"), (child.stderr, "print")):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ, role)
        os.set_blocking(child.stdin.fileno(), False)

    def request(self, frame: Frame, limit_s: float, blob: bytes = b"", wall_s: float = 3600.0) -> tuple[Frame, bytes]:
        """Send ``frame`` and wait for its reply and attachment.

        ``limit_s`` is what one op may take: the worker has that long (and a little: it reports itself first) between
        two signs of life. ``wall_s`` bounds the whole request. Raises Stopped, Stuck, OverTime, Oversized or Forged;
        then only ``close`` is left to call.
        """
        self.send(frame, blob)
        return self.receive(limit_s, wall_s)

    def send(self, frame: Frame, blob: bytes = b"") -> None:
        """Start a request without waiting for its reply, which ``receive`` has to fetch before the next one."""
        self.number += 1
        body = json.dumps({"n": self.number, **frame}, separators=(",", ":")).encode()
        self.pending = self._write(memoryview(HEAD.pack(len(body), len(blob)) + body + blob))

    def receive(self, limit_s: float, wall_s: float = 3600.0) -> tuple[Frame, bytes]:
        """The reply to what was sent, and its attachment; limits and errors are those of ``request``."""
        start = time.monotonic()
        patience = limit_s * 1.25 + 0.25
        sign, end, done = start, start + wall_s, 0
        if self.pending:
            self.selector.register(self.child.stdin, selectors.EVENT_WRITE, "request")
        try:
            while True:
                found = self._next_frame(done)
                if found is not None:
                    reply, attachment = found
                    if type(reply.get("n")) is not int or reply["n"] != self.number or self.pending:
                        raise Forged(done)
                    if "done" in reply and len(reply) == 2:
                        if type(reply["done"]) is not int or reply["done"] < done:
                            raise Forged(done)
                        done, sign = reply["done"], time.monotonic()
                        continue
                    self._drain()  # printed before the reply, though it may come in after it
                    return reply, attachment
                now = time.monotonic()
                if now >= end:
                    raise OverTime(done)
                if now - sign >= patience or (now - sign >= limit_s and self._fired()):
                    raise Stuck(self._stack(), done)
                for key, _ in self.selector.select(min(sign + patience, end) - now):
                    if key.data == "print":
                        self._read_print()
                    elif key.data == "reply":
                        self._read_reply(done)
                    else:
                        self.pending = self._write(self.pending)
                        if not self.pending:
                            self.selector.unregister(self.child.stdin)
        finally:
            if self.pending:
                self.selector.unregister(self.child.stdin)

    def greet(self, limit_s: float) -> None:
        """Wait until the process behind the link is up: it has met no learner code yet. Raises LinkDown if none is."""
        end = time.monotonic() + limit_s
        while (found := self._next_frame(0)) is None:
            left = end - time.monotonic()
            if left <= 0:
                raise Stuck("", 0)
            for key, _ in self.selector.select(left):
                if key.data == "print":
                    self._read_print()
                else:
                    self._read_reply(0)
        if found[0] != {"n": 0, "ready": True}:
            raise Forged(0)

    def restart(self, limit_s: float) -> None:
        """Put a fresh process, which has met no learner code, in this one's place. Raises LinkDown if none comes."""
        self.number += 1
        body = json.dumps({"n": self.number, "do": "restart"}).encode()
        self._write(memoryview(HEAD.pack(len(body), 0) + body))
        self.greet(limit_s)

    def close(self) -> None:
        """End the worker and let go of its streams. Safe to call twice."""
        self.child.kill()
        self._drain()
        self.selector.close()
        self.child.close()

    def _write(self, pending: memoryview) -> memoryview:
        try:
            return pending[os.write(self.child.stdin.fileno(), pending[:65_536]) :]
        except BlockingIOError:
            return pending
        except BrokenPipeError:
            return pending[len(pending) :]  # the end shows on the reply stream, with its reason

    def _read_reply(self, done: int) -> None:
        data = os.read(self.child.stdout.fileno(), 1 << 20)
        if not data:
            self._drain()
            raise Stopped(self.child.wait(1.0) or Ending("unknown"), done)
        self.buffer += data

    def _read_print(self) -> None:
        data = os.read(self.child.stderr.fileno(), 65_536)
        if data:
            self.output.add(data)
        else:
            self.selector.unregister(self.child.stderr)

    def _drain(self) -> None:
        """Take what was printed last, without waiting for more and without end."""
        try:
            for _ in range(64):
                data = os.read(self.child.stderr.fileno(), 65_536)
                if not data:
                    return
                self.output.add(data)
        except (BlockingIOError, ValueError, OSError):
            return

    def _next_frame(self, done: int) -> tuple[Frame, bytes] | None:
        if len(self.buffer) < HEAD.size:
            return None
        size, extra = HEAD.unpack_from(self.buffer)
        if size > self.limits.reply_mib << 20 or extra > self.limits.attachment_mib << 20:
            raise Oversized(done)
        whole = HEAD.size + size + extra
        if len(self.buffer) < whole:
            return None
        try:
            frame = parse(bytes(self.buffer[HEAD.size : HEAD.size + size]))
        except ValueError:
            raise Forged(done) from None
        blob = bytes(self.buffer[HEAD.size + size : whole])
        del self.buffer[:whole]
        return frame, blob

    def _fired(self) -> bool:
        return b"Timeout (" in self.output.tail and b"Thread 0x" in self.output.tail

    def _stack(self) -> str:
        """The last stack that faulthandler wrote, given a moment to finish writing it."""
        for _ in range(5):
            time.sleep(0.01)
            self._drain()
        text = self.output.tail.decode("utf-8", "replace")
        return text[text.rfind("Timeout (") :] if "Timeout (" in text else ""
