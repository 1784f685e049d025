"""What went wrong with a call, as one sentence that names the call and says what to do. Words only, no judgement."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

from grader.plain import plain
from grader.replay.op import Op
from grader.replay.result import ANY, Result, raised, refused, shown
from grader.sandbox.limits import Limits
from grader.words import N_, Say


def line(text: str, limit: int) -> str:
    """Untrusted text as part of a sentence: on one line, so that it cannot look like lines of ours."""
    return plain(text, limit, one_line=True)


# The ops that may find no room.
MAY_REFUSE = {"allocate", "append_slot", "prefill", "decode"}


def expected_text(expected: Sequence[Result]) -> str | Say:
    """``[0, 1]``, ``OutOfBlocks``; several when the contract leaves it open: ``3 or 5``."""
    texts = [contract_name(result) for result in expected if result is not ANY]
    if len(texts) < 2:
        return texts[0] if texts else ""
    return Say("{first} or {second}", first=", ".join(texts[:-1]), second=texts[-1])


def contract_name(result: Result) -> str:
    return str(result["raise"][0]) if refused(result) else shown(result)


def mismatch(op: Op, expected: Sequence[Result], actual: Result, limits: Limits, memory_mib: int) -> Say:
    """The sentence for an op that gave ``actual`` where only ``expected`` is right."""
    call = line(op.call(), 400)
    if type(actual) is dict and "trouble" in actual:
        return lost(actual, call, limits, memory_mib)
    if type(actual) is dict and "content" in actual:
        return misread(op, actual["content"])
    wanted = expected_text(expected)
    if op.name == "list" and type(actual) is list:
        text = N_("the list passed to {call} is now {value}: it belongs to the caller and must still be {wanted}")
        allocate = line(Op("allocate", (op.seq,)).call(), 100)
        return Say(text, call=allocate, value=line(shown(actual), 400), wanted=wanted)
    if raised(actual) and not refused(actual):
        if expected and all(refused(result) for result in expected) and actual["raise"][0] != "NotImplementedError":
            error = line(shown(actual), 400)
            return Say("{call} raised {error}, but what is due here is {wanted}", call=call, error=error, wanted=wanted)
        return unexpected(actual, call)
    if refused(actual) and op.name not in MAY_REFUSE:
        return unexpected(actual, call)
    if refused(actual):
        if any(refused(result) for result in expected):
            return Say("{call} differs", call=call)
        return Say(
            "{call} raised {error}, but there is room: the contract gives {wanted}",
            call=call,
            error=line(str(actual["raise"][0]), 80),
            wanted=wanted,
        )
    if all(refused(result) for result in expected):
        return Say(
            "{call} returned {value}, but there is no room: it must raise {wanted}",
            call=call,
            value=line(shown(actual), 400),
            wanted=wanted,
        )
    if type(actual) is dict and "odd" in actual:
        return odd(actual, call, expected)
    if any(type(result) is type(actual) for result in expected) or type(actual) is dict:
        if "(" not in call:
            value = line(shown(actual), 400)
            return Say("{call} is {value}, the contract gives {wanted}", call=call, value=value, wanted=wanted)
        if shown(actual) == wanted:
            return unseen(call, expected[0], actual)
        return Say(
            "{call} returned {value}, the contract gives {wanted}",
            call=call,
            value=line(shown(actual), 400),
            wanted=wanted,
        )
    return odd({"odd": type(actual).__name__, "text": shown(actual)}, call, expected)


def unseen(call: str, expected: Result, actual: Result) -> Say:
    """Two results that look alike as they are shown: a long list is cut there, a tensor is its type and shape."""
    if type(actual) is list and type(expected) is list:
        place = next(i for i, (due, got) in enumerate(zip(expected, actual, strict=False)) if due != got)
        text = N_("{call} returned a list that is wrong at index {place}: {got}, the contract gives {due}")
        return Say(text, call=call, place=place, got=actual[place], due=expected[place])
    text = N_("{call} returned {value} with other values in it than the contract gives")
    return Say(text, call=call, value=shown(actual))


def odd(actual: Result, call: str, expected: Sequence[Result]) -> Say:
    """A value of a type that the contract does not know."""
    kinds = {bool: "bool", int: "int", list: "list[int]", type(None): "None", dict: "torch.Tensor"}
    kind = next((kinds[type(result)] for result in expected if type(result) in kinds and not refused(result)), "int")
    name = line(str(actual["odd"]), 80)
    if name == "method":
        return Say("{call} is a method here: make it a property, so that it gives an {kind}", call=call, kind=kind)
    got = f"{name} {line(str(actual['text']), 200)}".strip()
    if name == "NoneType":
        return Say("{call} returned nothing: it must return {kind}", call=call, kind=kind)
    return Say("{call} returned {got}: it must return exactly {kind}", call=call, got=got, kind=kind)


def misread(op: Op, wrong: dict[str, Any]) -> Say:
    """A sequence that reads back K and V that are not its own."""
    seq = line(str(wrong["seq"]), 80)
    after: str | Say = line(op.call(), 400)
    if op.name == "slots":
        after = Say("writing {seq}'s tokens at their slots", seq=line(str(op.seq), 80))
    if "outside" in wrong:
        return Say("{seq} is given slot {slot}, which is outside the pool", seq=seq, slot=wrong["outside"])
    if "cached" in wrong:
        text = N_("num_cached_tokens({seq}) is {cached}, but {seq} has {total} tokens")
        return Say(text, seq=seq, cached=wrong["cached"], total=wrong["total"])
    if "table" in wrong:
        return Say("after {call} the block table of {seq} is too short or leaves the pool", call=after, seq=seq)
    place = {"call": after, "seq": seq, "pos": wrong["pos"], "slot": wrong["slot"]}
    if wrong["holds"] is None:
        text = N_("after {call} sequence {seq} reads K and V that were never written (token {pos}, slot {slot})")
        return Say(text, **place)
    return Say(
        "after {call} sequence {seq} reads wrong K and V for its token {pos}: slot {slot} holds those of sequence "
        "{other}, token {other_pos}",
        **place,
        other=line(str(wrong["holds"][0]), 80),
        other_pos=wrong["holds"][1],
    )


def unexpected(actual: Result, call: str) -> Say:
    """An exception that the contract does not let be raised here."""
    name, text = line(str(actual["raise"][0]), 80), line(str(actual["text"]), 400)
    if name == "NotImplementedError":
        return Say("not written yet: {call} raised {error}", call=call, error=f"{name}: {text}" if text else name)
    if "SystemExit" in actual["raise"]:
        return Say("{call} asked the process to exit: take the sys.exit out", call=call)
    if "KeyboardInterrupt" in actual["raise"]:
        return Say("{call} raised KeyboardInterrupt: only the contract's own exceptions may leave it", call=call)
    if "MemoryError" in actual["raise"]:
        return Say("{call} ran out of memory (MemoryError): keep only what the contract needs", call=call)
    if "RecursionError" in actual["raise"]:
        return Say("{call} recursed without end (RecursionError): follow the stack below", call=call)
    if "BdbQuit" in actual["raise"]:
        return Say("{call} stopped in the debugger: nobody answers it here, take breakpoint() out", call=call)
    if "EOFError" in actual["raise"]:
        return Say("{call} waited for input: there is none here, take the input() out", call=call)
    error = f"{name}: {text}" if text else name
    return Say("{call} raised {error}; no exception is due here", call=call, error=error)


def lost(actual: Result, call: str, limits: Limits, memory_mib: int) -> Say:
    """The worker was lost in a call: why, as well as can be known."""
    kind, code = actual["trouble"], actual.get("code")
    if kind == "stuck":
        return Say("{call} was still running after {limit:g} s", call=call, limit=limits.op_s)
    if kind == "overtime":
        return Say("the whole grading took longer than {limit:g} s, in {call}", call=call, limit=limits.grading_s)
    if kind == "cpu":
        return Say("used more than {limit:g} s of CPU time, in {call}", call=call, limit=limits.grading_s)
    if kind == "memory":
        return Say("used more than {limit} MiB of memory, in {call}", call=call, limit=memory_mib)
    if kind == "processes":
        return Say("started more than {limit} processes or threads, in {call}", call=call, limit=limits.processes)
    if kind == "scratch":
        return Say("wrote more than {limit} MiB of files, in {call}", call=call, limit=limits.scratch_mib)
    if kind == "signal":
        return Say("{call} crashed the Python process ({signal})", call=call, signal=signal_name(code))
    if kind == "exit":
        return Say("your code stopped the process in {call} (exit code {code})", call=call, code=code or 0)
    if kind == "oversized":
        return Say("{call} gave back more than {limit} MiB", call=call, limit=limits.reply_mib)
    if kind == "forged":
        return Say("{call} wrote on the channel that only the grader's worker may use", call=call)
    return Say("the process ended in {call}", call=call)


def signal_name(code: int | None) -> str:
    try:
        return signal.Signals(code or 0).name
    except ValueError:
        return f"signal {code}"


def unloadable(problem: Result, name: str, limits: Limits, memory_mib: int) -> Say:
    """Why the file as a whole cannot be graded."""
    if "lacks" in problem:
        return lacking(line(str(problem["lacks"]), 80), name)
    importing = f"import {name.removesuffix('.py')}"
    if "trouble" in problem:
        if problem["trouble"] == "stuck":
            return Say("importing {name} was still running after {limit:g} s", name=name, limit=limits.load_s)
        return lost(problem, importing, limits, memory_mib)
    kind, text = line(str(problem["raise"][0]), 80), line(str(problem["text"]), 400)
    if "SyntaxError" in problem["raise"]:
        return Say("{name} is not valid Python: {kind}: {text}", name=name, kind=kind, text=text)
    if "ModuleNotFoundError" in problem["raise"]:
        return Say(
            "{name} imports what is not there: {text}. Only this one file is taken to the sandbox: put into it what it "
            "needs of your own",
            name=name,
            text=text,
        )
    if "SystemExit" in problem["raise"]:
        return Say("importing {name} asked the process to exit: take the sys.exit out", name=name)
    if "BdbQuit" in problem["raise"]:
        return Say("importing {name} stopped in the debugger: nobody answers it here, take breakpoint() out", name=name)
    if "EOFError" in problem["raise"]:
        return Say("importing {name} waited for input: there is none here, take the input() out", name=name)
    if "MemoryError" in problem["raise"]:
        return unexpected(problem, importing)
    return Say("importing {name} raised {error}", name=name, error=f"{kind}: {text}" if text else kind)


def lacking(what: str, name: str) -> Say:
    if "(" in what:
        return Say("{what} is due in {name}: it must be an exception class", what=what, name=name)
    owner, _, method = what.partition(".")
    if method:
        return Say("class {owner} in {name} has no {method}: write it", owner=owner, method=method, name=name)
    return Say("{name} has no {what}: define it under this name", name=name, what=what)


def unbuilt(problem: Result, call: str, limits: Limits, memory_mib: int) -> Say:
    """Why no manager could be constructed."""
    if "trouble" in problem:
        return lost(problem, call, limits, memory_mib)
    if "lacks" in problem:
        return Say("the file has no {what} when it is run a second time", what=line(str(problem["lacks"]), 80))
    if "TypeError" in problem["raise"] and "argument" in problem["text"]:
        text = line(str(problem["text"]), 300)
        return Say(
            "{call} raised TypeError: {text}. The constructor is called with these keywords", call=call, text=text
        )
    return unexpected(problem, call)
