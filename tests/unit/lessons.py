"""A small whole lesson in a folder of its own, to be broken by the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from grader.exercise import Exercise, discover
from grader.lesson.check import problems
from grader.words import translator

P06 = discover()["p06"]

TOML = """
[[page]]
id = "idea"
title = {en = "The idea", zh = "思路"}
given = ["16", "(len - 1) // bs"]

[[story]]
id = "mine"
title = {en = "a story of its own", zh = "自己的故事"}
num_blocks = 6
block_size = 4
enable_prefix_cache = true
ops = [["allocate", "a", [1, 2, 3]], ["append_slot", "a", 4]]

[[question]]
id = "blocks-of-ten"
kind = "choice"
given = ["10"]
ask = {en = "How many blocks do 10 tokens need?", zh = "10 个 token 要几个 block？"}
answer = {en = "Rounded up.", zh = "向上取整。"}
choices = [
    {id = "up", right = true, en = "[3](ref:calc/-(-10//4))", zh = "[3](ref:calc/-(-10//4))"},
    {id = "down", en = "2", zh = "2", why = {en = "The rest has no place.", zh = "剩下的没有地方放。"}},
]

[[question]]
id = "found-again"
kind = "predict"
number = "worked-4/10/result"
figure = "{player story=worked-4 op=10}"
ask = {en = "How many tokens are found again?", zh = "还能找到几个 token？"}
answer = {en = "None of them.", zh = "一个也找不到。"}

[[question]]
id = "why"
kind = "open"
ask = {en = "Why?", zh = "为什么？"}
answer = {en = "Because.", zh = "因为。"}
"""

EN = """\
## The idea

A block has 16 tokens, `(len - 1) // bs` of them may hit, and `9 % 4 == 1` always. There: [three](ref:mine/1/length/a).

- Its table is [[0, 1, 3]](ref:worked-2/3/table/b).
- [A mistake](mistake:free-forwards) and [op 4](story:worked-2/4)

{question blocks-of-ten}
{question found-again}
{question why}
{player story=mine op=1}

```python run
print(1 + 1)  # two
```
```output
2
```

{after-pass}

Well done.

{hints}

{end}
"""

ZH = """\
## 思路

block 有 16 个 token，最多 `(len - 1) // bs` 个 hit，`9 % 4 == 1`。这里有 [三](ref:mine/1/length/a) 个。

- table 是 [[0,1,3]](ref:worked-2/3/table/b)。
- [第 4 步](story:worked-2/4) 和 [一种错误](mistake:free-forwards)

{question blocks-of-ten}
{question found-again}
{question why}
{player story=mine op=1}

```python run
print(1 + 1)  # 二
```
```output
2
```

{after-pass}

很好。

{hints}

{end}
"""

FILES = {"lesson.toml": TOML, "idea.en.md": EN, "idea.zh.md": ZH}


def laid(place: Path, files: Mapping[str, str] = FILES, exercise: Exercise = P06) -> Exercise:
    """The exercise with these files as its lesson; what else its folder has is as it was."""
    for path in exercise.folder.iterdir():
        if path.suffix in (".py", ".toml"):
            (place / path.name).write_bytes(path.read_bytes())
    (place / "lesson").mkdir()
    for name, text in files.items():
        (place / "lesson" / name).write_text(text, "utf-8")
    return replace(exercise, folder=place)


def said(exercise: Exercise) -> list[str]:
    """What the checker says: ``file:line: sentence``."""
    words = translator("en")
    return [f"{problem.file.name}:{problem.line}: {words.text(problem.say)}" for problem in problems(exercise)]
