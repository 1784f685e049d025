"""The text of a page, read into parts: prose, code that is run, figures.

A figure is a line of its own, ``{player story=worked-2 op=4}``; ``{after-pass}`` and ``{end}`` stand around what is
shown after a pass. A fence ``python run`` is code that the checker runs, the fence ``output`` after it what it prints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from grader.lesson.data import AfterPass, Code, Figure, Part, Problem, Prose
from grader.words import Say

_LINE = re.compile(r"\{([a-z][a-z-]*)((?: +[^\s{}]+)*) *\}")
_FENCE = re.compile(r"(`{3,}|~{3,}) *(.*)")


class Shape(NamedTuple):
    """What a figure is told: a value of its own or none, keys it needs, keys it may have."""

    value: bool = False
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


SHAPES: Mapping[str, Shape] = {
    "question": Shape(value=True),
    "player": Shape(needs=("story",), may=("op", "by")),
    "chart": Shape(needs=("story", "kind"), may=("op",)),
    "tensor": Shape(needs=("mission",), may=("prompt", "steps", "block_size", "num_blocks", "head_dim", "mixed")),
    "task": Shape(value=True),
    "mistakes": Shape(),
    "hints": Shape(may=("mission",)),
    "grade": Shape(),
}
NUMBERS = frozenset({"op", "prompt", "steps", "block_size", "num_blocks", "head_dim", "mixed"})


def figure(text: str, line: int) -> Figure | Say:
    """The figure that a line ``{…}`` asks for, or why there is none."""
    found = _LINE.fullmatch(text.strip())
    if not found or found[1] not in SHAPES:
        return Say("{text} is no figure. There are: {names}", text=text.strip(), names=", ".join(SHAPES))
    name, words, shape = found[1], found[2].split(), SHAPES[found[1]]
    args = dict(word.split("=", 1) for word in words if "=" in word)
    values = [word for word in words if "=" not in word]
    if len(values) != shape.value:
        return Say("{text} takes {n} word without an equals sign.", plural="{text} takes {n} words without an equals "
                   "sign.", text=text.strip(), n=int(shape.value))  # fmt: skip
    lacks = [key for key in shape.needs if key not in args]
    if lacks:
        return Say("{text} lacks {key}=…", text=text.strip(), key=lacks[0])
    for key, value in args.items():
        if key not in (*shape.needs, *shape.may):
            return Say("{text} does not know {key}=", text=text.strip(), key=key)
        if key in NUMBERS and not value.isdecimal():
            return Say("{key}= of {text} must be a number", text=text.strip(), key=key)
    return Figure(name, values[0] if values else "", args, line)


def read(text: str, file: Path) -> tuple[tuple[Part, ...], list[Problem]]:
    """The parts of a page, and what could not be understood."""
    reader = _Reader(text.splitlines(), file)
    return tuple(reader.parts()), reader.problems


class _Reader:
    def __init__(self, lines: list[str], file: Path) -> None:
        self.lines, self.file, self.at = lines, file, 0
        self.problems: list[Problem] = []

    def parts(self, inside: int = 0) -> list[Part]:
        """Up to the end; ``inside`` an {after-pass} that began in that line, up to its {end}."""
        found: list[Part] = []
        prose: list[str] = []
        begun = self.at + 1

        def flush() -> None:
            nonlocal prose, begun
            if any(line.strip() for line in prose):
                skipped = next(i for i, line in enumerate(prose) if line.strip())
                found.append(Prose("\n".join(prose[skipped:]).rstrip(), begun + skipped))
            prose = []

        while self.at < len(self.lines):
            line = self.lines[self.at]
            fence = _FENCE.fullmatch(line)
            if not prose:
                begun = self.at + 1
            if fence and fence[2].split()[:2] != ["python", "run"] and fence[2].strip() != "output":
                prose += self._fenced(fence[1])
            elif fence:
                flush()
                found += self._code(fence)
            elif line.startswith("{") and line.rstrip().endswith("}"):
                flush()
                self.at += 1
                word = line.strip()
                if word == "{end}" and inside:
                    return found
                if word == "{after-pass}" and not inside:
                    started = self.at
                    found.append(AfterPass(tuple(self.parts(inside=started)), started))
                else:
                    found += self._figure(word, self.at)
            else:
                prose.append(line)
                self.at += 1
        flush()
        if inside:
            self._problem(inside, Say("{name} has no {end} after it.", name="{after-pass}", end="{end}"))
        return found

    def _figure(self, text: str, line: int) -> list[Part]:
        made = figure(text, line)
        if isinstance(made, Say):
            self._problem(line, made)
            return []
        return [made]

    def _fenced(self, mark: str) -> list[str]:
        """The lines of a fence, its marks included."""
        start = self.at
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].strip() != mark:
            self.at += 1
        if self.at == len(self.lines):
            self._problem(start + 1, Say("This fence is not closed: put {mark} on a line of its own.", mark=mark))
        self.at += 1
        return self.lines[start : self.at]

    def _code(self, fence: re.Match[str]) -> list[Part]:
        line = self.at + 1
        body = "\n".join(self._fenced(fence[1])[1:-1])
        if fence[2].strip() == "output":
            self._problem(line, Say("This output follows no code: put a fence {fence} before it.", fence="python run"))
            return []
        ahead = self.at
        while ahead < len(self.lines) and not self.lines[ahead].strip():
            ahead += 1
        output = ""
        after = _FENCE.fullmatch(self.lines[ahead]) if ahead < len(self.lines) else None
        if after and after[2].strip() == "output":
            self.at = ahead
            output = "\n".join(self._fenced(after[1])[1:-1])
        return [Code(body, output, line)]

    def _problem(self, line: int, say: Say) -> None:
        self.problems.append(Problem(self.file, line, say))
