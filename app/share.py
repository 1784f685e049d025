"""A story, whose manager plays it, and the step, as the query of a link; and back, whatever is in it.

``?story=worked-2&by=free-forwards&step=8&lang=en`` for a story of the house, ``?s=…`` for one's own: its text form,
compressed (about a byte for a token). A link is written by a person's browser, so nothing in it is taken for granted.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from app.pools import MAX_BLOCK_SIZE, MAX_BLOCKS
from app.stories import FIRST, OWN, stories
from grader.replay.form import write
from grader.replay.op import Story, p06_story
from grader.replay.text import parse
from grader.words import Say

REFERENCE, MINE = "reference", "mine"
#: What of a query is a story's, or says how it is looked at.
FIELDS = ("story", "s", "by", "step")
#: Characters of a link that every browser, mail program and chat lets through.
LONGEST = 6_000
_MOST_TEXT = 400_000
_FORMAT = 1
#: What almost every story contains: deflate refers to it instead of spelling it out.
_DICTIONARY = (
    b"num_free_blocks\ncan_allocate slots list cached free append 1 2 3 4 5 6 7 8 9 allocate a [1..\nallocate b [1 2 "
)


@dataclass(frozen=True)
class Shared:
    """What a link opens: a story (``story_id`` is OWN for one that is written out), a manager, a step.

    ``by``: REFERENCE, MINE or the id of a mistake. ``problem``: why something else is shown than the link says.
    """

    story_id: str = FIRST
    own: Story | None = None
    by: str = REFERENCE
    step: int | None = None
    problem: Say | None = None


def query(story: Story, by: str, lang: str) -> str | None:
    """The query of a link to ``story``, without the step; None if it would be too long to share."""
    fields = {"story": story.id} if stories().get(story.id) == story else {"s": pack(story)}
    if by != REFERENCE:
        fields["by"] = by
    text = urlencode({**fields, "lang": lang})
    return text if len(text) <= LONGEST else None


def asked(fields: Mapping[str, str]) -> dict[str, str]:
    """What of a query asks for a story; empty where nothing does."""
    return {name: fields[name] for name in FIELDS if name in fields}


def opened(fields: Mapping[str, str], mistakes: frozenset[str]) -> Shared:
    """What a link asks for. A part of it that cannot be used is replaced and said; never raises."""
    story_id, own, problem = fields.get("story", FIRST), None, None
    if "s" in fields:
        story_id = OWN
        try:
            own = unpack(fields["s"])
        except ValueError:
            problem = Say("The story in this link cannot be read: was all of it copied? Here is another one.")
    elif story_id not in stories():
        problem = Say("There is no story {id} here. Here is another one.", id=story_id[:40])
    by = fields.get("by", REFERENCE)
    if by not in (REFERENCE, MINE) and by not in mistakes:
        problem = problem or Say("There is no mistake {id} here: the reference plays.", id=by[:40])
        by = REFERENCE
    if problem is not None and own is None and (story_id == OWN or story_id not in stories()):
        return Shared(by=by, problem=problem)
    step = fields.get("step", "")
    sound = step.isascii() and step.isdigit() and len(step) < 8
    return Shared(story_id, own, by, int(step) if sound else None, problem)


def pack(story: Story) -> str:
    """The story in letters that need no escaping in a link."""
    params = story.params
    head = f"{params['num_blocks']} {params['block_size']} {int(params['enable_prefix_cache'])}\n"
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
    raw = (head + write(story.ops)).encode()
    return f"{_FORMAT}" + base64.urlsafe_b64encode(squeeze.compress(raw) + squeeze.flush()).decode().rstrip("=")


def unpack(blob: str) -> Story:
    """The story that ``pack`` wrote. ValueError if it is none, or is larger than the editor allows."""
    if blob[:1] != f"{_FORMAT}":
        raise ValueError("of another format")
    try:
        squeezed = base64.b64decode(blob[1:] + "=" * (-len(blob[1:]) % 4), altchars="-_", validate=True)
        unsqueeze = zlib.decompressobj(-15, zdict=_DICTIONARY)
        text = unsqueeze.decompress(squeezed, _MOST_TEXT).decode()
    except (binascii.Error, zlib.error, UnicodeError) as error:
        raise ValueError("damaged") from error
    if not unsqueeze.eof:
        raise ValueError("cut short, or too large")
    head, _, body = text.partition("\n")
    num_blocks, block_size, cache = (int(word) for word in head.split())
    parsed = parse(body)
    if parsed.problems or not (1 <= num_blocks <= MAX_BLOCKS and 1 <= block_size <= MAX_BLOCK_SIZE and cache in (0, 1)):
        raise ValueError("no story")
    return p06_story(num_blocks, block_size, [op.to_json() for op in parsed.ops], bool(cache), id=OWN)
