"""Submissions that break a limit or are hardly one at all: name, part of the sentence that each must get, text.

`FILES` stand alone. `CALLS` are written under a right answer: what they do happens in a call.
"""

from __future__ import annotations

FILES: dict[str, tuple[str, bytes]] = {}
CALLS: dict[str, tuple[str, str]] = {}

STUB = """\
class OutOfBlocks(Exception): pass
class BlockManager:
    def __init__(self, num_blocks, block_size, enable_prefix_cache=True): self.n = num_blocks
    num_free_blocks = property(lambda self: self.n)
    def can_allocate(self, num_tokens): return True
    def allocate(self, seq_id, token_ids): return [0]
    def append_slot(self, seq_id, token_id): return 0
    def slot(self, seq_id, pos): return 0
    def num_cached_tokens(self, seq_id): return 0
    def free(self, seq_id): pass
"""


def _file(name: str, says: str, text: str | bytes) -> None:
    FILES[name] = says, text if isinstance(text, bytes) else text.encode()


def _call(name: str, says: str, text: str) -> None:
    CALLS[name] = says, text


def _method(name: str, says: str, line: str, top: str = "") -> None:
    _call(name, says, f"{top}class BlockManager(BlockManager):\n    {line}\n")


def _init(name: str, says: str, body: str) -> None:
    _method(name, says, f"def __init__(self, num_blocks, block_size, enable_prefix_cache=True): {body}")


_file("empty", "is empty", b"")
_file("only-spaces", "is empty", b" \n\t\n")
_file("only-a-byte-order-mark", "is empty", b"\xef\xbb\xbf")
_file("latin-1", "is not UTF-8 text (byte 4)", b"# Na\xefve\n")
_file("utf-16", "is not UTF-8", STUB.encode("utf-16"))
_file("null-bytes", "contains a null byte", b"x = 1\0\n")
_file("too-large", "is larger than 256 KiB", STUB + "# " + "x" * 300_000)
_file("only-a-comment", "has no BlockManager: define it", "# I will start tomorrow\n")
_file("a-word-document", "is not UTF-8", b"PK\x03\x04\x14\x00\x06\x00\x08\x00\xff\xfe")
_file("syntax-error", "is not valid Python", STUB + "def broken(:\n")
_file("tabs-and-spaces", "is not valid Python", "def f():\n\tif 1:\n        return 2\n")
_file("python-2", "is not valid Python", 'print "hello"\n')
_file("deep-nesting", "is not valid Python", "x = " + "(" * 5000 + ")" * 5000)
_file("odd-encoding", "returned [0], the contract gives", "# -*- coding: no-such -*-\n" + STUB)
_file("no-class", "has no BlockManager: define it", STUB.replace("BlockManager", "Blockmanager"))
_file("class-in-main", "has no BlockManager: define it", STUB.replace("class BlockManager", 'if __name__ == "__main__":\n  class BlockManager').replace("\n    ", "\n      "))
_file("class-is-a-number", "raised TypeError: 'int' object is not callable", STUB + "BlockManager = 7\n")
_file("class-is-an-instance", "object is not callable", STUB + "BlockManager = BlockManager(4, 4)\n")
_file("no-exception", "has no OutOfBlocks: define it", STUB.replace("class OutOfBlocks(Exception): pass\n", ""))
_file("exception-is-none", "has no OutOfBlocks", STUB + "OutOfBlocks = None\n")
_file("exception-is-a-class-of-nothing", "must be an exception class", STUB.replace("(Exception)", ""))
_file("exception-is-an-instance", "must be an exception class", STUB + "OutOfBlocks = OutOfBlocks()\n")
_file("exception-is-a-base-exception", "must be an exception class", STUB.replace("(Exception)", "(BaseException)"))
_file("exception-is-a-tuple", "must be an exception class", STUB + "OutOfBlocks = (OutOfBlocks, ValueError)\n")
_file("import-of-what-is-not-there", "imports what is not there: No module named 'not_there_at_all'", "import not_there_at_all\n" + STUB)
_file("relative-import", "attempted relative import", "from . import helper\n" + STUB)
_file("import-of-the-solution", "No module named 'solutions'", "from solutions.p06_block_manager import BlockManager, OutOfBlocks\n")
_file("name-error-on-import", "raised NameError: name 'undefined_name' is not defined", STUB + "undefined_name\n")
_file("raises-nameless-on-import", "raised Exception", STUB + "raise Exception\n")
_file("assertion-on-import", "raised AssertionError: my own test", STUB + "assert BlockManager(4, 4).allocate('a', [1] * 9) == [0, 1, 2], 'my own test'\n")
_file("reads-standard-input", "waited for input: there is none here", "n = int(input('how many blocks? '))\n" + STUB)
_file("exit-on-import", "asked the process to exit", STUB + "import sys; sys.exit()\n")
_file("exit-1-on-import", "asked the process to exit", STUB + "raise SystemExit(1)\n")
_file("hard-exit-on-import", "stopped the process in import answer", STUB + "import os; os._exit(0)\n")
_file("keyboard-interrupt-on-import", "raised KeyboardInterrupt", STUB + "raise KeyboardInterrupt\n")
_file("generator-exit-on-import", "raised GeneratorExit", STUB + "raise GeneratorExit\n")
_file("loop-on-import", "importing answer.py was still running after", STUB + "while True: pass\n")
_file("sleep-on-import", "importing answer.py was still running after", STUB + "import time; time.sleep(1000)\n")
_file("recursion-on-import", "raised RecursionError", STUB + "def f(): f()\nf()\n")
_file("segfault-on-import", "crashed the Python process (SIGSEGV)", STUB + "import ctypes; ctypes.string_at(0)\n")
_file("memory-on-import", "ran out of memory", STUB + "x = [0] * 10**10\n")
_file("memory-touched-on-import", "memory", STUB + "x = b'x' * (3 << 30)\n")
_file("warnings-are-errors", "No module named 'imp_that_is_not'", "import warnings; warnings.simplefilter('error')\nimport imp_that_is_not\n" + STUB)

for _name in ("can_allocate", "allocate", "append_slot", "slot", "num_cached_tokens", "free", "num_free_blocks"):
    _lines = [line for line in STUB.splitlines() if f" {_name}(" not in line and not line.startswith(f"    {_name} ")]
    _file(f"without-{_name}", f"{_name}", "\n".join(_lines) + "\n")
_method("method-is-a-number", "'int' object is not callable", "slot = 7")

_init("constructor-raises", "enable_prefix_cache=True) raised ValueError: not today", "raise ValueError('not today')")
_method("constructor-of-other-names", "The constructor is called with these keywords", "def __init__(self, blocks, size, cache=True): super().__init__(blocks, size, cache)")
_method("constructor-lacks-the-last", "The constructor is called with these keywords", "def __init__(self, num_blocks, block_size): super().__init__(num_blocks, block_size)")
_method("constructor-of-nothing", "The constructor is called with these keywords", "def __init__(self): super().__init__(8, 2)")
_init("constructor-refuses", "raised OutOfBlocks: no; no exception is due", "raise OutOfBlocks('no')")
_init("constructor-hangs", "enable_prefix_cache=True) was still running after", "\n        while True: pass")
_init("constructor-gives-a-value", "__init__() should return None", "super().__init__(num_blocks, block_size, enable_prefix_cache); return 1")
_init("constructor-forgets", "no attribute 'block_size'", "pass")
_method("call-of-other-arity", 'slot("a", 0) raised TypeError', "def slot(self, seq_id): return 0")
_method("call-by-keyword-only", 'allocate("a", [1]) raised TypeError', "def allocate(self, *, seq_id, token_ids): return super().allocate(seq_id, token_ids)")
_method("not-written", 'not written yet: allocate("a", [1])', "def allocate(self, seq_id, token_ids): raise NotImplementedError")
_method("reads-in-a-call", 'free("a") waited for input', "def free(self, seq_id): input('free? '); super().free(seq_id)")
_method("exit-in-a-call", 'free("a") asked the process to exit', "def free(self, seq_id): raise SystemExit(0)")
_method("hard-exit-in-a-call", 'stopped the process in free("b") (exit code 0)', "def free(self, seq_id): __import__('os')._exit(0)")
_method("aborts-in-a-call", 'free("b") crashed the Python process (SIGABRT)', "def free(self, seq_id): __import__('os').abort()")
_method("loop-in-a-call", 'free("b") was still running after', "def free(self, seq_id):\n        while True: pass")
_method("sleep-in-a-call", 'append_slot("a", 0) was still running after', "def append_slot(self, s, t): __import__('time').sleep(9999)")
_method("catches-everything", 'free("b") was still running after', "def free(self, seq_id):\n        while True:\n            try: __import__('time').sleep(1)\n            except BaseException: pass")
_method("regex-in-a-call", 'free("b") was still running after', "def free(self, seq_id): __import__('re').match('(a+)+b', 'a' * 60)")
_method("power-in-a-call", "can_allocate(0) was still running after", "def can_allocate(self, n): return 10**10**9 > n")
_method("recursion-in-a-call", 'slot("a", 0) recursed without end', "def slot(self, s, p): return self.slot(s, p)")
_method("segfault-in-a-call", 'free("b") crashed the Python process (SIGSEGV)', "def free(self, seq_id): __import__('ctypes').string_at(0)")
_method("memory-in-a-call", 'allocate("a", [1]) ran out of memory', "def allocate(self, s, t): self.x = b'x' * (3 << 30); return super().allocate(s, t)")
_method("memory-error-in-a-call", 'allocate("a", [1]) ran out of memory', "def allocate(self, s, t): raise MemoryError")
_method("keyboard-interrupt-in-a-call", 'allocate("a", [1]) raised KeyboardInterrupt', "def allocate(self, s, t): raise KeyboardInterrupt")
_method("generator-exit-in-a-call", 'allocate("a", [1]) raised GeneratorExit', "def allocate(self, s, t): raise GeneratorExit")
_method("stop-iteration-in-a-call", 'allocate("a", [1]) raised StopIteration', "def allocate(self, s, t): return next(iter([]))")
_method("str-raises", 'free("a") raised Mute: (its text cannot be read', "def free(self, seq_id): raise Mute", "class Mute(Exception):\n    def __str__(self): raise ValueError('no')\n    __repr__ = __str__\n")
_method("str-is-no-text", 'free("a") raised Mute', "def free(self, seq_id): raise Mute", "class Mute(Exception):\n    def __str__(self): return 7\n")
_method("str-hangs", 'free("b") was still running after', "def free(self, seq_id): raise Mute", "class Mute(Exception):\n    def __str__(self):\n        while True: pass\n")
_method("class-pretends", "raised Pretender", "def allocate(self, s, t):\n        if len(t) > 4: raise Pretender\n        return super().allocate(s, t)",
        "class Pretender(Exception):\n    __class__ = property(lambda self: OutOfBlocks)\n")
_method("class-raises", 'free("a") raised Hostile', "def free(self, seq_id): raise Hostile", "class Hostile(Exception):\n    @property\n    def __class__(self): raise KeyError('who?')\n")
_method("text-of-a-megabyte", 'free("a") raised ValueError: xxx', "def free(self, seq_id): raise ValueError('x' * 10**6)")
_method("raises-a-warning", 'free("a") raised UserWarning: careful', "def free(self, seq_id): raise UserWarning('careful')")
_method("raises-a-string", "exceptions must derive from BaseException", "def free(self, seq_id): raise 'error'")
_method("group-of-exceptions", 'free("a") raised ExceptionGroup', "def free(self, seq_id): raise ExceptionGroup('several', [ValueError(1), OutOfBlocks()])")
_method("refuses-to-free", 'free("a") raised OutOfBlocks: nothing to free; no exception is due', "def free(self, seq_id): raise OutOfBlocks('nothing to free')")
_method("free-gives-a-count", "must return exactly None", "def free(self, seq_id): super().free(seq_id); return 3")
_method("value-with-hostile-repr", 'slot("a", 0) returned Odd: it must return exactly int', "def slot(self, s, p): return Odd()", "class Odd:\n    def __repr__(self): raise ValueError\n")
_method("value-equal-to-everything", 'slot("a", 0) returned Odd: it must return exactly int', "def slot(self, s, p): return Odd()", "class Odd:\n    def __eq__(self, other): return True\n    def __hash__(self): return 1\n")
_method("table-holds-itself", "list that holds list", "def allocate(self, s, t): t = super().allocate(s, t); t.append(t); return t")
_method("table-of-a-million", "returned list of 131073 items", "def allocate(self, s, t): return super().allocate(s, t) + [0] * 2**17")
_method("slot-is-huge", "int of more than 64 bits", "def slot(self, s, p): return 10**5000")
_method("property-raises", "raised AttributeError: shelf", "@property\n    def num_free_blocks(self): raise AttributeError('shelf')")
_method("closes-its-output", "raised ValueError: after closing", "def allocate(self, s, t):\n        __import__('os').close(1); __import__('os').close(2); raise ValueError('after closing')")
