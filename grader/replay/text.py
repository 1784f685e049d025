"""Reading ops from text: every line that cannot be read is said, by line and column. ``form`` is the language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.replay.form import LONG, LOOKS, NUMBER, SHAPES, SHORT
from grader.replay.op import Op
from grader.words import Say


@dataclass(frozen=True)
class Caps:
    """How much text is read: ops, tokens of one prompt, tokens of all prompts, characters of one name."""

    ops: int = 10_000
    prompt: int = 20_000
    tokens: int = 1_000_000
    name: int = 40


class Problem(NamedTuple):
    """What is wrong, where (both counted from 1), and what to do about it."""

    line: int
    column: int
    say: Say


class Parsed(NamedTuple):
    """The ops of the lines that can be read, and the problems of those that cannot, first line first."""

    ops: tuple[Op, ...]
    problems: tuple[Problem, ...]


_WIDEST = 2**63
_SHOWN = 12

_PIECE = re.compile(
    r'(?P<space>[ \t,]+)|(?P<comment>#.*)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<range>\d+\.\.\d+)'
    r'|(?P<bracket>[\[\]])|(?P<word>[^\s,\[\]"#]+)|(?P<odd>.)'
)


class _Piece(NamedTuple):
    kind: str
    text: str
    column: int


class _Wrong(Exception):
    """This line cannot be read."""

    def __init__(self, column: int, say: Say) -> None:
        super().__init__(say.msgid)
        self.column, self.say = column, say


def parse(text: str, caps: Caps | None = None) -> Parsed:
    """Read ``text``; every line that cannot be read is one problem."""
    reader = _Reader(caps or Caps())
    for number, line in enumerate(text.splitlines(), start=1):
        reader.line(number, line)
    return Parsed(tuple(reader.ops), tuple(reader.problems))


class _Reader:
    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.ops: list[Op] = []
        self.problems: list[Problem] = []
        self.tokens = 0
        self.begun: dict[Any, int] = {}
        self.freed: dict[Any, int] = {}
        self.number = 0
        self.full = False

    def line(self, number: int, line: str) -> None:
        if self.full:
            return
        self.number = number
        try:
            pieces = _pieces(line)
            if pieces and len(self.ops) == self.caps.ops:
                self.full = True
                raise _Wrong(1, Say("that is more than {limit} ops: cut the story here", limit=self.caps.ops))
            if pieces:
                self.ops.append(self._op(pieces, len(line.rstrip()) + 1))
        except _Wrong as wrong:
            self.problems.append(Problem(number, wrong.column, wrong.say))

    def _op(self, pieces: list[_Piece], end: int) -> Op:
        first, rest = pieces[0], pieces[1:]
        name = SHORT.get(first.text, first.text)
        if name not in SHAPES:
            known = ", ".join(LONG.get(op, op) for op in SHAPES)
            raise _Wrong(first.column, Say("there is no op {name}: use one of {known}", name=_cut(first), known=known))
        args: list[Any] = []
        for what in SHAPES[name]:
            if what == "tokens":
                row, rest = self._tokens(rest, end, name)
                args.append(row)
                continue
            if not rest:
                raise _Wrong(end, Say("something is missing here: write {example}", example=LOOKS[name]))
            args.append(self._argument(what, rest.pop(0), name, args))
        if rest:
            say = Say("{text} is too much here: write {example}", text=_cut(rest[0]), example=LOOKS[name])
            raise _Wrong(rest[0].column, say)
        self._note(name, args)
        return Op(name, tuple(args))

    def _argument(self, what: str, piece: _Piece, name: str, args: list[Any]) -> Any:
        if what == "token":
            return _token(piece)
        if what == "number":
            return _number(piece)
        seq = self._name(piece, name)
        if what == "seq" and seq not in self.begun:
            if seq in self.freed:
                say = Say(
                    "{seq} was freed in line {line}: allocate it again first", seq=_cut(piece), line=self.freed[seq]
                )
                raise _Wrong(piece.column, say)
            raise _Wrong(piece.column, Say("there is no sequence {seq} yet: allocate it first", seq=_cut(piece)))
        if what == "list" and seq not in self.begun and seq not in self.freed:
            raise _Wrong(piece.column, Say("there is no sequence {seq} yet: allocate it first", seq=_cut(piece)))
        return seq

    def _name(self, piece: _Piece, op: str) -> Any:
        if piece.kind == "quoted":
            name: Any = re.sub(r"\\(.)", r"\1", piece.text[1:-1])
        elif piece.kind == "word":
            name = int(piece.text) if NUMBER.fullmatch(piece.text) and len(piece.text.lstrip("-")) < 20 else piece.text
        else:
            say = Say("the name of a sequence stands here: write {example}", example=LOOKS[op])
            raise _Wrong(piece.column, say)
        if type(name) is int and not -_WIDEST <= name < _WIDEST:
            raise _Wrong(piece.column, Say("{text} is too large a number", text=_cut(piece)))
        if len(str(name)) > self.caps.name:
            limit = self.caps.name
            raise _Wrong(piece.column, Say("a name has at most {limit} characters: shorten it", limit=limit))
        return name

    def _tokens(self, pieces: list[_Piece], end: int, op: str) -> tuple[list[int], list[_Piece]]:
        if not pieces or pieces[0].text != "[":
            column = pieces[0].column if pieces else end
            raise _Wrong(column, Say("the tokens stand here in brackets: write {example}", example=LOOKS[op]))
        tokens: list[int] = []
        for at, piece in enumerate(pieces[1:], start=2):
            if piece.text == "]":
                if not tokens and op == "allocate":
                    raise _Wrong(piece.column, Say("a prompt has at least one token: write {example}", example="[1]"))
                self.tokens += len(tokens)
                if self.tokens > self.caps.tokens:
                    limit = self.caps.tokens
                    raise _Wrong(pieces[0].column, Say("all prompts together have over {limit} tokens", limit=limit))
                return tokens, pieces[at:]
            if piece.kind == "range":
                low, high = (_token(_Piece("word", text, piece.column)) for text in piece.text.split(".."))
                if high < low:
                    say = Say(
                        "the range {text} runs backwards: write {low}..{high}", text=_cut(piece), low=high, high=low
                    )
                    raise _Wrong(piece.column, say)
                count = high - low + 1
            else:
                low = high = _token(piece)
                count = 1
            if len(tokens) + count > self.caps.prompt:
                limit = self.caps.prompt
                raise _Wrong(piece.column, Say("a prompt has at most {limit} tokens: shorten it", limit=limit))
            tokens.extend(range(low, high + 1))
        raise _Wrong(end, Say("the bracket is not closed: add ]"))

    def _note(self, name: str, args: list[Any]) -> None:
        if name == "allocate":
            self.begun.setdefault(args[0], self.number)
        elif name == "free":
            self.freed[args[0]] = self.number
            del self.begun[args[0]]


def _pieces(line: str) -> list[_Piece]:
    found = []
    for match in _PIECE.finditer(line):
        kind = match.lastgroup or ""
        if kind == "odd":
            if match.group() == '"':
                raise _Wrong(match.start() + 1, Say('the quotation mark is not closed: add "'))
            continue  # white space of another kind
        if kind not in ("space", "comment"):
            found.append(_Piece(kind, match.group(), match.start() + 1))
    return found


def _token(piece: _Piece) -> int:
    if piece.kind != "word" or not NUMBER.fullmatch(piece.text):
        raise _Wrong(piece.column, Say("{text} is no token: a token is a number from 0 on", text=_cut(piece)))
    if piece.text.startswith("-"):
        raise _Wrong(piece.column, Say("{text} is no token: a token is a number from 0 on", text=_cut(piece)))
    if len(piece.text) > 19 or int(piece.text) >= _WIDEST:
        raise _Wrong(piece.column, Say("{text} is too large a number", text=_cut(piece)))
    return int(piece.text)


def _number(piece: _Piece) -> int:
    if piece.kind != "word" or not piece.text.isascii() or not piece.text.isdigit():
        raise _Wrong(piece.column, Say("a number stands here, not {text}", text=_cut(piece)))
    if len(piece.text) > 9:
        raise _Wrong(piece.column, Say("{text} is too large a number", text=_cut(piece)))
    return int(piece.text)


def _cut(piece: _Piece) -> str:
    return piece.text if len(piece.text) <= _SHOWN else piece.text[:_SHOWN] + "…"
