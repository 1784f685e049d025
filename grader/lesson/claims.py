"""What the reference gives where a claim says it does: ``STORY/OP/FIELD/…`` or ``calc/3+4``.

The story is played up to op OP (from 1; 0: a new manager), and the field is read there. The contract may leave a value
open: a claim must then not be made.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from grader.replay.op import Story
from grader.words import Say

Values = Callable[[Story, int, str, tuple[str, ...]], list[Any]]

#: Numbers that may be written as words.
WORDS: Mapping[str, int] = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "none": 0, "no": 0,
    "零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "十": 10, "十一": 11, "十二": 12, "没有": 0,
}  # fmt: skip


class Unclear(Exception):
    """The claim cannot be held against the reference; ``say`` says why."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


class Reference:
    """The values of one exercise's stories. An exercise whose stories are not of p06's form has a ``claims.py``."""

    def __init__(self, exercise: str, stories: Mapping[str, Story]) -> None:
        self.stories = stories
        self._own = _module(exercise)

    def value(self, target: str) -> Any:
        """What ``ref:target`` stands for, as JSON would write it. Raises Unclear."""
        story_id, _, rest = target.partition("/")
        if story_id == "calc":
            return calculated(rest)
        story = self.stories.get(story_id)
        if story is None:
            raise Unclear(Say("there is no story {id}", id=story_id or "-"))
        number, _, rest = rest.partition("/")
        field, *args = rest.split("/")
        if not number.isdecimal() or int(number) > len(story.ops):
            raise Unclear(Say("{id} has ops 0 to {n}, not {op}", id=story_id, n=len(story.ops), op=number or "-"))
        found = self._values(story)(story, int(number), field, tuple(args))
        if any(value != found[0] or type(value) is not type(found[0]) for value in found):
            raise Unclear(Say("the contract leaves it open: {values} are all right",
                              values=", ".join(dict.fromkeys(written(value) for value in found))))  # fmt: skip
        return found[0]

    def _values(self, story: Story) -> Values:
        if "enable_prefix_cache" in story.params or self._own is None:
            from grader.lesson.replayed import values

            return values
        own: Values = self._own.values
        return own


def named(exercise: str) -> dict[str, Story]:
    """The exercise's own stories by id: those of ``stories.py``, and what its ``claims.py`` adds."""
    stories = _module(exercise, "stories")
    found: list[Story] = list(stories.STORIES) if stories is not None else []
    more = getattr(_module(exercise), "more_stories", None)
    return {story.id: story for story in [*found, *(more() if more else [])]}


def readable(exercise: str, story: Story) -> bool:
    """Has the story the parameters that claims about it need?"""
    if "enable_prefix_cache" in story.params:
        return {"num_blocks", "block_size"} <= set(story.params)
    needed = getattr(_module(exercise), "PARAMS", None)
    return needed is not None and set(needed) <= set(story.params)


def in_the_hotel(exercise: str, story: Story, op: int) -> tuple[Story, int] | None:
    """The story as the hotel plays it, and which of its ops is over when ``op`` is; None where it cannot."""
    if "enable_prefix_cache" in story.params:
        return story, op
    made = getattr(_module(exercise), "hotel", lambda story: None)(story)
    return None if made is None else (made[0], made[1][op])


def written(value: Any) -> str:
    """A value as a claim writes it: ``[0,1,2]``."""
    return str(value).replace(" ", "")


def says(shown: str, value: Any) -> bool:
    """Does the text of a claim say ``value``? Marks around it and spaces do not count; small numbers may be words."""
    bare = re.sub(r"[*`\s]", "", shown)
    if type(value) is int and bare.lower() in WORDS:
        return WORDS[bare.lower()] == value
    return bare == written(value)


_OPERATORS: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def calculated(text: str) -> Any:
    """Whole-number arithmetic and comparisons. Raises Unclear."""
    try:
        return _calculate(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, KeyError, TypeError, ValueError, ZeroDivisionError, RecursionError):
        raise Unclear(Say("{text} is not whole-number arithmetic", text=text or "-")) from None


def _calculate(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_calculate(node.operand)
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_calculate(node.left), _calculate(node.right))
    if isinstance(node, ast.Compare):
        sides = [_calculate(side) for side in (node.left, *node.comparators)]
        return all(_OPERATORS[type(op)](*pair) for op, *pair in zip(node.ops, sides, sides[1:], strict=False))
    raise ValueError


def picked(row: list[Any], args: tuple[str, ...]) -> Any:
    """The whole list, or the entry whose place ``args`` names. Raises Unclear."""
    if not args:
        return list(row)
    if len(args) > 1 or not args[0].isdecimal() or int(args[0]) >= len(row):
        raise Unclear(Say("there is no entry {place}: the list is {row}", place="/".join(args), row=written(row)))
    return row[int(args[0])]


def no_field(field: str, known: Mapping[str, Any]) -> Unclear:
    return Unclear(Say("there is no field {name}. There are: {names}", name=field or "-", names=", ".join(known)))


def _module(exercise: str, part: str = "claims") -> Any:
    name = f"grader.exercises.{exercise}.{part}"
    return import_module(name) if find_spec(name) is not None else None
