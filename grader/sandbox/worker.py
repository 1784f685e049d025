"""The only file that meets learner code. It runs inside the sandbox, alone, on the standard library.

It knows no check, no expected value, no seed: the judge sends a driver and the learner's source, then stories; the
worker plays them and says what came back. What it says is never believed further than "this is what the learner's file
did".

Streams: frames in on stdin, frames out on stdout, everything the learner prints and every stack on stderr. A frame is
two big-endian 4-byte lengths, JSON, and at most one attachment. A process that is up says ``{"n": 0, "ready": true}``.

Requests                                                        replies (each echoes ``n``)
  load  driver, source, name, class, exception, limits         ``{"problem": null | {...}}``
  restart                                                      none: the next request meets a fresh process
  run   session, new (params or null), ops [name, [args]],
        view, fresh, end                                       ``{"created": result, "results": [...], "views": [...]}``
While a story runs longer than a slice of the op limit, ``{"n": …, "done": k}`` says that it goes on.
"""

import faulthandler
import json
import linecache
import os
import re
import struct
import sys
import time
import types
from collections.abc import Sequence
from io import RawIOBase
from typing import Any

HEAD = struct.Struct(">II")
WIDEST = 2**63
LONGEST = 1 << 14
SKIP = {"skip": True}
Frame = dict[str, Any]
Reply = tuple[Frame, Sequence[bytes]]
PLAIN = (float, complex, str, bytes, tuple, dict, set, frozenset, range)


class Refusal(Exception):
    """Raised by a driver for an op that the story cannot ask here: the op is skipped."""


def lay_streams() -> tuple[RawIOBase, RawIOBase]:
    """Move the frames off descriptors 0 and 1, so that a print or an input() of the learner never touches them."""
    frames_in, frames_out = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdin = open(0, encoding="utf-8", errors="replace", closefd=False)
    sys.stdout = open(1, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    return open(frames_in, "rb", buffering=0), open(frames_out, "wb", buffering=0)


def encode(value: Any, blobs: list[bytes]) -> Any:
    """A result as it may cross: exact types only; anything else is named, never passed on."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if -WIDEST <= value < WIDEST else {"odd": "int", "text": "of more than 64 bits"}
    if kind is list:
        if len(value) > LONGEST:
            return {"odd": "list", "text": f"of {len(value)} items"}
        for item in value:
            if type(item) is not int:
                return {"odd": "list", "text": f"that holds {type_name(item)}"}
            if not -WIDEST <= item < WIDEST:
                return {"odd": "list", "text": "that holds an int of more than 64 bits"}
        return value.copy()
    if kind is Attachment:
        blobs.append(value.data)
        return {"tensor": {"dtype": value.dtype, "shape": value.shape, "bytes": len(value.data)}}
    if kind is Odd:
        return {"odd": value.name, "text": value.text}
    return {"odd": type_name(value), "text": shown(value)}


class Attachment:
    """What a driver returns for a tensor: its dtype name, shape and raw bytes."""

    def __init__(self, dtype: str, shape: list[int], data: bytes) -> None:
        self.dtype, self.shape, self.data = dtype, shape, data


class Odd:
    """What a driver returns for a value that cannot cross: the name of its type, and what is odd about it."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text


def type_name(value: Any) -> str:
    try:
        kind = type(value)
        module, name = kind.__module__, kind.__qualname__
        if type(name) is not str or type(module) is not str:
            return "an object"
        return (name if module in ("builtins", MODULE_NAME) else module + "." + name)[:80]
    except BaseException:
        return "an object"


def shown(value: Any) -> str:
    """A short repr of plain values, "" for objects: their repr is the learner's code, and may hold an address."""
    if type(value) not in PLAIN:
        return ""
    try:
        text = repr(value)
    except BaseException:
        return ""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text[:200])


def text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:
        return "(its text cannot be read: its __str__ raises)"
    return text[:2000] if type(text) is str else ""


def bases_of(error: BaseException) -> list[str]:
    names = []
    for kind in type.mro(type(error)):
        try:
            name = type.__dict__["__name__"].__get__(kind)
        except BaseException:
            name = "?"
        names.append(name[:80])
    return names[:20]


def stack_of(error: BaseException, filename: str) -> str:
    """The learner's own frames of a traceback, outermost first, at most 12: file, line, function, source."""
    rows: list[tuple[int, str] | None] = []
    tb = error.__traceback__
    while tb is not None:
        code = tb.tb_frame.f_code
        if code.co_filename == filename:
            rows.append((tb.tb_lineno, code.co_name))
        tb = tb.tb_next
    if len(rows) > 12:
        rows = rows[:4] + [None] + rows[-7:]
    lines = []
    for row in rows:
        if row is None:
            lines.append("  …")
            continue
        lines.append(f"  {filename}, line {row[0]}, in {row[1][:80]}")
        source = linecache.getline(filename, row[0]).strip()
        if source:
            lines.append("    " + source[:160])
    return "\n".join(lines)


MODULE_NAME = "submission"


def lacking(module: Any, name: str, methods: Sequence[str], sample: Frame) -> Frame | None:
    """What the learner's class ``name`` lacks, or None. ``sample``: keywords to construct one with.

    A method may also be made in the constructor or by ``__getattr__``; so a class is told to lack one only after an
    object of it does. A constructor that fails is no lack: it is told where a check constructs.
    """
    made = getattr(module, name, None)
    if made is None:
        return {"lacks": name}
    absent = [method for method in methods if not hasattr(made, method)]
    if absent:
        try:
            made = made(**sample)
        except BaseException:
            return None
    for method in absent:
        try:
            getattr(made, method)
        except AttributeError:
            return {"lacks": name + "." + method}
        except BaseException:
            pass
    return None


class Worker:
    def __init__(self, frames_in: RawIOBase, frames_out: RawIOBase, asked: int) -> None:
        self.frames_in, self.frames_out, self.asked = frames_in, frames_out, asked
        self.sessions: dict[str, Any] = {}
        self.op_limit = 2.0

    def read(self) -> tuple[Any, bytes]:
        head = self.read_exactly(HEAD.size)
        if head is None:
            return None, b""
        size, extra = HEAD.unpack(head)
        body, blob = self.read_exactly(size), self.read_exactly(extra)
        return (None, b"") if body is None or blob is None else (json.loads(body), blob)

    def read_exactly(self, size: int) -> bytes | None:
        """Not a byte more than asked for: what follows may be for the next process. None at the end of the stream."""
        parts: list[bytes] = []
        while size > 0:
            part = self.frames_in.read(min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def write(self, frame: Frame, blobs: Sequence[bytes] = ()) -> None:
        body = json.dumps(frame, separators=(",", ":")).encode("utf-8", "surrogatepass")
        blob = b"".join(blobs)
        left = memoryview(HEAD.pack(len(body), len(blob)) + body + blob)
        while left:
            left = left[self.frames_out.write(left) or 0 :]

    def serve(self) -> None:
        while True:
            frame, blob = self.read()
            if frame is None:
                return
            if frame["do"] == "restart":
                os.write(self.asked, b"r")
                return
            answer = getattr(self, "do_" + frame["do"])
            reply, blobs = answer(frame, blob)
            for stream in (sys.stdout, sys.stderr):
                try:
                    stream.flush()
                except BaseException:
                    pass
            self.write({"n": frame["n"], **reply}, blobs)

    # -- load ------------------------------------------------------------------------------------------------------

    def do_load(self, frame: Frame, blob: bytes) -> Reply:
        self.op_limit = frame["op_s"]
        self.source, self.filename = frame["source"], frame["name"]
        driver = types.ModuleType("driver")
        driver.__dict__.update(Refusal=Refusal, Attachment=Attachment, Odd=Odd, lacking=lacking)
        exec(compile(frame["driver"], "driver.py", "exec"), driver.__dict__)
        self.driver = driver
        lines = self.source.splitlines(True)
        linecache.cache[self.filename] = (len(self.source), None, lines, self.filename)
        self.arm(frame["load_s"])
        problem = self.execute()
        self.disarm()
        return {"problem": problem}, ()

    def execute(self) -> Any:
        """Run the learner's file as a new module. Returns None, or what it raised."""
        module = types.ModuleType(MODULE_NAME)
        module.__file__ = self.filename
        sys.modules[MODULE_NAME] = module
        try:
            exec(compile(self.source, self.filename, "exec"), module.__dict__)
        except SyntaxError as error:
            tb = error.__traceback__
            if error.filename == self.filename and (tb is None or tb.tb_next is None):
                where = f"  {self.filename}, line {error.lineno}\n    {(error.text or '').strip()[:160]}"
                return {"raise": bases_of(error), "text": str(error.msg)[:2000], "refused": False, "stack": where}
            return self.raised(error)
        except BaseException as error:
            return self.raised(error)
        self.module = module
        return self.driver.missing(module)

    # -- run -------------------------------------------------------------------------------------------------------

    def do_run(self, frame: Frame, blob: bytes) -> Reply:
        reply: Frame = {"created": None, "results": [], "views": []}
        blobs: list[bytes] = []
        key = frame["session"]
        session = self.sessions.get(key)
        self.arm(self.op_limit)
        try:
            if frame["new"] is not None:
                if frame["fresh"]:
                    problem = self.execute()
                    if problem is not None:
                        reply["created"] = problem
                        return reply, ()
                try:
                    session = self.driver.Session(self.module, frame["new"])
                except BaseException as error:
                    reply["created"] = self.raised(error)
                    return reply, ()
                self.sessions[key] = session
                if frame["view"]:
                    reply["views"].append(session.view(frame["view"]))
            if session is not None:
                session.blob = blob
                self.play(frame, session, reply, blobs)
            if frame["end"]:
                self.sessions.pop(key, None)
        finally:
            self.disarm()
        return reply, blobs

    def play(self, frame: Frame, session: Any, reply: Frame, blobs: list[bytes]) -> None:
        results, calls, clock = reply["results"], session.calls, time.perf_counter
        view = frame["view"]
        slice_s = self.op_limit / 8
        armed = clock()
        for name, args in frame["ops"]:
            now = clock()
            if now - armed > slice_s:
                self.write({"n": frame["n"], "done": len(results)})
                self.arm(self.op_limit)
                armed = now
            try:
                value = calls[name](*args)
                kind = type(value)
                if kind is int and -WIDEST <= value < WIDEST or value is None or kind is bool:
                    results.append(value)
                else:
                    results.append(encode(value, blobs))
            except Refusal:
                results.append(SKIP)
            except BaseException as error:
                result = self.raised(error, session)
                results.append(result)
                if not result["refused"]:  # what follows would only be the wreckage of this
                    if view:
                        reply["views"].append(session.view(view))
                    return
            if view:
                reply["views"].append(session.view(view))

    def raised(self, error: BaseException, session: Any = None) -> Frame:
        return {
            "raise": bases_of(error),
            "text": text_of(error),
            "refused": bool(session is not None and session.refused(error)),
            "stack": stack_of(error, self.filename),
        }

    # -- the clock: a stack on stderr when an op outlasts its limit. The judge reads it, and ends the sandbox. --------
    # Armed anew at most every eighth of the limit (arming costs 11 µs, an op must not), so it fires between one limit
    # and one limit and an eighth.

    def arm(self, limit: float) -> None:
        faulthandler.dump_traceback_later(limit * 1.125, file=2)

    def disarm(self) -> None:
        faulthandler.cancel_dump_traceback_later()


def main() -> None:
    """Stay behind the process that meets the learner's file, and make another when the judge asks for a fresh one.

    What the interpreter needs anyway (torch, for an exercise with tensors) is imported before the fork. When the child
    ends by itself, this process ends the same way, so that the judge sees how.
    """
    frames_in, frames_out = lay_streams()
    fresh, asked = os.pipe()
    os.set_blocking(fresh, False)
    while True:
        child = os.fork()
        if child == 0:
            os.close(fresh)
            worker = Worker(frames_in, frames_out, asked)
            worker.write({"n": 0, "ready": True})
            worker.serve()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        try:
            os.read(fresh, 1)
        except BlockingIOError:
            break
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
