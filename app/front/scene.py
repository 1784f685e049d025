"""The picture on the first page: a short day in the hotel, played by the reference, told with words for tokens.

What is shown after each call is read from the trace; only the words that the guests say are made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Any

from grader.replay.events import Event
from grader.replay.op import Story, p06_story
from grader.replay.picture import picture
from grader.replay.state import State
from grader.replay.trace import Step, Trace, run
from grader.words import N_, Say, translator

BLOCKS, BED_ROOMS = 8, 4
#: What is said, a word a token; a translation has as many words.
SYSTEM = N_("You are a helpful bot . Answer briefly")
ROME, ANSWER = N_("Where is Rome ?"), N_("In Italy .")
JOKE, OSLO = N_("Tell me a joke now"), N_("Where is Oslo ?")
LETTER = N_("Put this letter into French : Dear Sir , thank you for your order . It will arrive soon")
SPOKEN = (SYSTEM, ROME, ANSWER, JOKE, OSLO, LETTER)

Frame = dict[str, Any]


def story() -> Story:
    """Who comes and goes. A token is the number of a word."""
    said = _tokens()
    return p06_story(
        BLOCKS,
        BED_ROOMS,
        [
            ["allocate", "Anna", said[SYSTEM] + said[ROME]],
            ["allocate", "Ben", said[SYSTEM] + said[JOKE]],
            *(["append_slot", "Anna", token] for token in said[ANSWER]),
            ["free", "Anna"],
            ["free", "Ben"],
            ["allocate", "Cleo", said[SYSTEM] + said[OSLO]],
            ["allocate", "Dora", said[LETTER]],
        ],
        id="first-page",
    )


def _tokens() -> dict[str, list[int]]:
    """The tokens of each text; equal words of different places are different tokens, which does no harm here."""
    found, next_one = {}, 0
    for text in SPOKEN:
        found[text] = list(range(next_one, next_one + len(text.split())))
        next_one += len(text.split())
    return found


@cache
def frames(lang: str) -> tuple[Frame, ...]:
    """Each moment as plain data, from the empty hotel to the full one, in the words of ``lang``."""
    words = translator(lang)
    vocabulary = " ".join(words.text(text) for text in SPOKEN).split()
    trace = run(story())
    assert trace.initial is not None
    empty = N_("A room is a block of GPU memory. A bed keeps what the model worked out for one token.")
    rows = [_frame(trace.initial, {"who": "", "prompt": [], "cached": 0, "say": words.text(empty)}, vocabulary)]
    for steps, state in _moments(trace):
        events = [event for step in steps for event in step.events]
        call, seq = steps[0].op.name, steps[0].op.args[0]
        prompt = _prompt(steps)
        cached = state.cached[seq] if call == "allocate" else 0
        say = words.text(_told(call, seq, prompt, events, cached))
        rows.append(_frame(state, {"who": seq, "prompt": prompt, "cached": cached, "say": say}, vocabulary))
    return tuple(rows)


def _moments(trace: Trace) -> Iterator[tuple[list[Step], State]]:
    """Calls of one kind for one guest are one moment; the state is the one after the last."""
    rows = [(step, None if state is None else state.copy())
            for step, state in zip(trace.steps, trace.states(), strict=True)]  # fmt: skip
    for _, group in groupby(rows, key=lambda row: (row[0].op.name, row[0].op.args[0])):
        moment = list(group)
        state = moment[-1][1]
        assert state is not None
        yield [step for step, _ in moment], state


def _prompt(steps: list[Step]) -> list[int]:
    """The tokens that come with these calls."""
    if steps[0].op.name == "allocate":
        return list(steps[0].op.args[1])
    return [step.op.args[1] for step in steps if step.op.name == "append_slot"]


def _frame(state: State, told: Frame, vocabulary: list[str]) -> Frame:
    rooms = [
        {
            "state": room["state"],
            "groups": sorted(room["groups"]),
            "beds": [vocabulary[token] for token in room["tokens"]],
        }
        for room in picture(state)["rooms"]
    ]
    return {**told, "prompt": [vocabulary[token] for token in told["prompt"]], "rooms": rooms}


def _told(call: str, seq: str, prompt: list[int], events: list[Event], cached: int) -> Say:
    """The moment in one sentence."""
    kinds = [event[0] for event in events]
    took, evicted = kinds.count("take"), kinds.count("evict")
    if call == "append_slot":
        return Say("{who}'s answer grows token by token: {tokens} tokens so far, {n} more room.",
                   plural="{who}'s answer grows token by token: {tokens} tokens so far, {n} more rooms.",
                   who=seq, tokens=len(prompt), n=took)  # fmt: skip
    if call == "free":
        return _left(seq, kinds)
    if evicted:
        return Say("{who} needs {n} rooms and {free} are free: what waited longest on the cart is given up.",
                   who=seq, n=took + evicted, free=took)  # fmt: skip
    if "revive" in kinds:
        return Say("{who} begins with the same words: {n} rooms come back from the cart, {cached} tokens are not "
                   "computed again.", who=seq, n=kinds.count("revive"), cached=cached)  # fmt: skip
    if "share" in kinds:
        return Say("{who} begins with the same words: {n} rooms are shared, {cached} of {all} tokens are not computed "
                   "again.", who=seq, n=kinds.count("share"), cached=cached, all=len(prompt))  # fmt: skip
    return Say("{who}'s prompt moves in: {tokens} tokens, {n} rooms.", who=seq, tokens=len(prompt), n=took)


def _left(seq: str, kinds: list[str]) -> Say:
    if "unshare" in kinds:
        return Say("{who} leaves. What others read stays; a full room waits on the cart, should somebody ask for it.",
                   who=seq)  # fmt: skip
    return Say("{who} leaves, too. The hotel is empty, and what it knows is still there.", who=seq)
