"""Random stories for p06, the same ones every time: a seed is a story. Kinds of traffic, not single cases.

A small world of prompt families makes prefixes shared, prompts repeated, blocks filled twice (duplicates) and chains
with holes. Occupancy swings between empty and over-full, so that pools run out, evict, and refuse.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from grader.replay.op import Op, Row, Story, p06_story


@cache
def random_story(
    seed: int, num_blocks: int, block_size: int, ops: int, cache: bool = True, exact: float = 0.4, repeat: float = 0.5
) -> Story:
    """``ops`` ops on a pool of that shape; ``exact`` of the prompts are whole blocks, ``repeat`` are old ones again."""
    return p06_story(num_blocks, block_size, _Traffic(seed, num_blocks, block_size, exact, repeat).rows(ops), cache)


class _Traffic:
    def __init__(self, seed: int, num_blocks: int, block_size: int, exact: float, repeat: float) -> None:
        self.random = Random(f"{seed}/{num_blocks}/{block_size}/{exact}/{repeat}")
        self.num_blocks, self.size, self.exact, self.repeat = num_blocks, block_size, exact, repeat
        self.alphabet = self.random.choice((2, 3, 50))
        longest = max(2, min(num_blocks + 1, 12)) * block_size
        self.families = [[self._token() for _ in range(longest)] for _ in range(3)]
        self.prompts: list[list[int]] = []
        self.live: dict[str | int, int] = {}
        self.gone: list[str | int] = []
        self.number = 0
        self.filling = True

    def _token(self) -> int:
        return self.random.choice((0, 1, 2**31 - 1)) if self.alphabet == 3 else self.random.randrange(self.alphabet)

    def rows(self, ops: int) -> list[list[Any]]:
        rows: list[list[Any]] = []
        while len(rows) < ops:
            held = sum(-(-length // self.size) for length in self.live.values())
            if held > self.num_blocks * self.random.choice((0.7, 1.0, 1.3)):
                self.filling = False
            elif held == 0:
                self.filling = True
            rows += self._some(held)
        for seq in list(self.live):
            rows.append(["free", seq])
        rows.append(["num_free_blocks"])
        return rows

    def _some(self, held: int) -> list[list[Any]]:
        dice = self.random.random()
        if not self.live or dice < (0.3 if self.filling else 0.08):
            return self._allocate()
        seq = self.random.choice(list(self.live))
        if dice < 0.62:
            return [self._append(seq) for _ in range(self.random.choice((1, 1, self.size, self.size + 1)))]
        if dice < (0.72 if self.filling else 0.85):
            del self.live[seq]
            self.gone.append(seq)
            return [["free", seq], ["num_free_blocks"]]
        probe = self.random.randrange(4)
        if probe == 0:
            return [["slot", seq, self.random.randrange(self.live[seq])]]
        if probe == 1:
            return [["num_cached_tokens", seq]]
        if probe == 2:
            return [["can_allocate", max(0, (self.num_blocks - held) * self.size + self.random.randrange(-1, 2))]]
        return [["num_free_blocks"]]

    def _append(self, seq: str | int) -> list[Any]:
        """Mostly the token that the sequence's family has there, so that a block is filled with a known content."""
        length = self.live[seq]
        self.live[seq] = length + 1
        family = self.families[hash_of(seq) % len(self.families)]
        token = family[length] if length < len(family) and self.random.random() < 0.8 else self._token()
        return ["append_slot", seq, token]

    def _allocate(self) -> list[list[Any]]:
        self.number += 1
        # Ids of every kind the contract allows: 0 and "" are ids like any other, 1 and "1" are two.
        seq: str | int = self.random.choice((f"s{self.number}", self.number, str(self.number)))
        if self.number == 1:
            seq = self.random.choice((0, ""))
        elif self.gone and self.random.random() < 0.25:  # an id that was freed may come again
            seq = self.gone.pop(self.random.randrange(len(self.gone)))
        prompt = self._prompt(seq)
        self.prompts.append(prompt)
        self.live[seq] = len(prompt)
        return [["allocate", seq, prompt], ["num_cached_tokens", seq], ["num_free_blocks"]]

    def _prompt(self, seq: str | int) -> list[int]:
        random = self.random
        if self.prompts and random.random() < self.repeat:
            prompt = list(random.choice(self.prompts[-8:]))
            if random.random() < 0.3:
                prompt.append(self._token())
            return prompt
        family = self.families[hash_of(seq) % len(self.families)]
        blocks = random.randrange(1, len(family) // self.size + 1)
        if random.random() < 0.5:
            blocks = min(blocks, random.randrange(1, 4))
        length = blocks * self.size
        if random.random() >= self.exact:
            length = max(1, length - random.randrange(self.size))
        return family[:length]


def hash_of(seq: str | int) -> int:
    """A small number for an id, the same in every process."""
    return sum(str(seq).encode())


@cache
def prefix_of_duplicates(seed: int) -> Story:
    """Duplicates and holes on purpose: equal prompts of whole blocks, filled by allocate and by append, freed in any
    order, with strangers between them that evict a few blocks."""
    random = Random(f"duplicates {seed}")
    size, blocks = random.choice((1, 2, 2, 3)), random.randrange(3, 10)
    text = [random.randrange(1, 4) for _ in range(4 * size)]
    ops: list[Op] = []
    live: list[str] = []
    for number in range(random.randrange(8, 22)):
        dice = random.random()
        if dice < 0.5 or not live:
            name = f"s{number}"
            whole = random.randrange(1, 4) * size
            if random.random() < 0.3:
                stranger = [100 + number] * (random.randrange(1, max(2, blocks - 1)) * size)
                ops += [Op("allocate", (name, stranger)), Op("free", (name,))]
                continue
            start = random.choice((whole, whole, max(1, whole - size), max(1, whole - 1), whole + 1))
            ops.append(Op("allocate", (name, text[: min(start, len(text))])))
            ops.append(Op("num_cached_tokens", (name,)))
            ops += [Op("append_slot", (name, text[i])) for i in range(start, min(whole, len(text)))]
            live.append(name)
        elif dice < 0.9:
            ops.append(Op("free", (live.pop(random.randrange(len(live))),)))
        else:
            name = random.choice(live)
            ops += [Op("append_slot", (name, random.randrange(1, 4))) for _ in range(size)]
        ops.append(Op("num_free_blocks"))
    ops += [Op("allocate", ("end", [*text, 9])), Op("num_cached_tokens", ("end",))]
    params = {"num_blocks": blocks, "block_size": size, "enable_prefix_cache": True}
    return Story(params, tuple(ops))


@cache
def known_block_evicted(num_blocks: int, empty: int, extra: int) -> Story:
    """A prompt whose third full block is known behind a gap, and evicted while the prompt's own blocks are taken.

    ``empty`` blocks are on the free list by then; the prompt has four full blocks and ``extra`` more. Only here does it
    show whether allocate registers a block as it takes it or after taking all, and if it judges either too early.
    """
    rows: list[Row] = [["allocate", "p", [1, 1, 2, 2]], ["allocate", "q", [1, 1, 2, 2]]]
    rows += [["append_slot", "q", 3], ["append_slot", "q", 3]]
    rows += [["allocate", f"y{i}", [70]] for i in range(empty)]
    rows += [["free", "p"], ["allocate", "z", list(range(50, 50 + 2 * (num_blocks - 3 - empty)))], ["free", "q"]]
    rows += [["free", f"y{i}"] for i in range(empty)]
    rows += [["allocate", "c", [1, 1, 2, 2, 3, 3, 4, 4, *range(100, 100 + 2 * extra)]], ["num_cached_tokens", "c"]]
    rows += [["free", "c"], ["free", "z"], ["allocate", "d", [1, 1, 2, 2, 3, 3, 9]], ["num_cached_tokens", "d"]]
    rows += [["free", "d"], ["allocate", "e", [1, 1, 2, 2, 3, 3, 4, 4, 9]], ["num_cached_tokens", "e"]]
    return p06_story(num_blocks, 2, [*rows, ["num_free_blocks"]])


@cache
def long_prompt(num_blocks: int, block_size: int) -> Story:
    """Two prompts in turn that fill the pool to its last block, under one id, so the second has every block evicted and
    lies in another order; each is read all over, ended, and found again but for its last block."""
    rows: list[Row] = []
    for step in (7, 11):
        prompt = [step * pos % 1009 for pos in range(num_blocks * block_size)]
        read: list[Row] = [["slot", "a", pos] for pos in range(0, len(prompt), max(1, len(prompt) // 50))]
        rows += [["allocate", "a", prompt[:-1]], ["append_slot", "a", prompt[-1]], ["append_slot", "a", 1]]
        rows += [*read, ["free", "a"], ["num_free_blocks"]]
        rows += [["allocate", "a", prompt], ["num_cached_tokens", "a"], *read, ["free", "a"], ["num_free_blocks"]]
    return p06_story(num_blocks, block_size, rows)


@cache
def crowd(guests: int) -> Story:
    """So many live sequences share the same two blocks; all but one end, then a stranger takes what is left."""
    rows: list[Row] = []
    for number in range(guests):
        rows += [["allocate", number, [1, 2, 3, 4, 5]], ["num_free_blocks"]]
    for number in range(guests - 1):
        rows.append(["free", number])
    rows += [["num_free_blocks"], ["allocate", "z", [8] * (2 * guests - 2)], ["num_free_blocks"], ["free", "z"]]
    return p06_story(guests + 2, 2, [*rows, ["free", guests - 1], ["num_free_blocks"]])
