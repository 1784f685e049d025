"""What l22 knows of right and wrong: the contract's model in step with the submission."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from grader.exercises.l22.data import bits
from grader.exercises.l22.model import Model
from grader.naming import MistakeLike
from grader.oracle import JudgingOracle
from grader.replay.op import Story
from grader.replay.result import Parting, same
from grader.sandbox.remote import Played

Picture = dict[str, Any]


class Oracle(JudgingOracle):
    """Whatever the contract leaves open is open in every story anew."""

    def blob(self, story: Story) -> bytes:
        """What the op ``fill`` puts into the cache; nothing for a story without it."""
        if not any(op.name == "fill" for op in story.ops):
            return b""
        params = story.params
        return bits(params["num_blocks"] * params["block_size"] * params["head_dim"])

    def follow(self, story: Story, played: Played) -> Parting | None:
        return self._follow(Model(story), story, played)

    def _follow(self, model: Model, story: Story, played: Played) -> Parting | None:
        for step, (op, actual) in enumerate(zip(story.ops, played.results, strict=False)):
            expected = model.step(op, actual)
            if not any(same(result, actual) for result in expected):
                return Parting(step, tuple(model.told(result) for result in expected), model.told(actual))
        return None

    def construction(self, story: Story) -> str:
        return f"KVCacheManager({', '.join(f'{name}={value}' for name, value in story.params.items())})"

    def pictures(self, story: Story, played: Played, step: int) -> tuple[Picture | None, Picture | None]:
        """Both hotels after ``step``; None where they are alike (a wrong gather does not show) or not readable."""
        model = Model(story)
        for op, actual in zip(story.ops[: step + 1], played.results, strict=False):
            model.step(op, actual)
        views = played.views[: step + 2]
        if not views or not readable(views[-1]):
            return None, None
        seen = {name: length for name, length, _ in views[-1]["requests"]}
        requests = [
            (name, seen[name] if seen.get(name) in one.lengths else one.lengths[0], one.table)
            for name, one in model.requests.items()
        ]
        reference = picture(model, model.free, requests)
        mine = picture(model, views[-1]["free_blocks"], views[-1]["requests"])
        return (None, None) if mine == reference else (mine, reference)


class Strict(Oracle):
    """As the contract's authors would like it best: a refused decode leaves ``seq_len``."""

    def follow(self, story: Story, played: Played) -> Parting | None:
        return self._follow(Model(story, strict=True), story, played)


def readable(view: Any) -> bool:
    """Is this a view as the driver makes it? It comes from the sandbox: nothing about it is taken for granted."""

    def numbers(row: Any) -> bool:
        return type(row) is list and all(type(item) is int for item in row)

    if type(view) is not dict or type(view.get("requests")) is not list or not numbers(view.get("free_blocks")):
        return False
    return all(
        type(row) is list
        and len(row) == 3
        and type(row[0]) in (str, int)
        and type(row[1]) is int
        and abs(row[1]) < 2**53
        and numbers(row[2])
        for row in view["requests"]
    )


def picture(model: Model, free: list[int], requests: list[Any]) -> Picture:
    """The hotel as the renderers take it: a room's tokens are positions in its request; there is no cart."""
    size = model.block_size
    rooms: list[Picture] = [
        {"block": block, "ref": None, "groups": [], "tokens": [], "tag": None, "state": "free"}
        for block in range(model.num_blocks)
    ]
    for name, length, table in requests:
        for i, block in enumerate(table):
            if 0 <= block < model.num_blocks:
                room = rooms[block]
                room["state"] = "shared" if room["groups"] else "used"
                room["groups"].append(name)
                room["tokens"] = list(range(i * size, max(i * size, min((i + 1) * size, length))))
    return {"num_blocks": model.num_blocks, "block_size": size, "rooms": rooms, "free": free, "partial": False}


def modules(mistake: MistakeLike) -> Iterator[Any]:
    """The mistake as what looks like a learner's module: a refused decode leaves seq_len, or has raised it."""
    for cls in (mistake.cls, _grown(mistake.cls)):
        yield types.SimpleNamespace(KVCacheManager=cls)


def _grown(cls: Any) -> Any:
    class Grown(cls):  # type: ignore[misc]
        def allocate_for_decode(self, req: Any) -> None:
            length = req.seq_len
            try:
                super().allocate_for_decode(req)
            except RuntimeError:
                req.seq_len = max(req.seq_len, length + 1)
                raise

    return Grown
