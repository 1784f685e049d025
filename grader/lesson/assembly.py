"""One mission's methods taken out of a whole file, and put back into it."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def methods_text(source: str, class_name: str, names: Sequence[str]) -> str | None:
    """The methods as they stand in the class, one after the other; None where the file lacks one or is no Python."""
    places = _places(source, class_name, names)
    if places is None:
        return None
    lines = source.splitlines()
    return "\n\n".join("\n".join(lines[first:last]) for first, last in places) + "\n"


def methods_span(source: str, class_name: str, names: Sequence[str]) -> tuple[int, int] | None:
    """The lines from the first of the methods to the last, counted from 0, the end not included. None as above."""
    places = _places(source, class_name, names)
    return None if places is None else (min(places)[0], max(last for _, last in places))


def with_methods(source: str, class_name: str, names: Sequence[str], text: str) -> str | None:
    """The file with ``text`` in place of these methods: all of it where the first of them stands. None as above."""
    places = _places(source, class_name, names)
    if places is None:
        return None
    lines = source.splitlines()
    for first, last in sorted(places, reverse=True):
        new = text.rstrip().splitlines() if first == min(places)[0] else []
        lines[first:last] = new
    return "\n".join(lines) + "\n"


def _is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _places(source: str, class_name: str, names: Sequence[str]) -> list[tuple[int, int]] | None:
    """First and last line of each method, counted from 0, the last one not included; decorators belong to it."""
    if not names or not _is_python(source):
        return None
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == class_name:
            found = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
            if all(name in found for name in names):
                return [_place(found[name]) for name in names]
    return None


def _place(method: ast.FunctionDef) -> tuple[int, int]:
    first = min([method.lineno, *(one.lineno for one in method.decorator_list)])
    return first - 1, method.end_lineno or method.lineno
