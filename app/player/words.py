"""What the player says, as templates: the script in the browser fills in the numbers.

A template is a text for the catalogue, or the singular and plural of one whose ``{n}`` chooses the form.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.words import N_, Say, Translator

Template = str | Say

#: How the first difference is said. Where two managers gave different results, its field is "the result".
DIFFERENCE = N_("First difference, operation {op}: {field} is {actual}, the contract has {expected}.")
RESULT = N_("the result")
NOTHING = N_("nothing")

#: Events by kind, and by how they went where that matters: the short form for the list of ops, what happened, and why.
EVENTS: Mapping[str, tuple[str, str, str]] = {
    "hit": (
        N_("block {i} is in the catalogue"),
        N_("Block {i} of {seq}, {story}, is in the catalogue: room {block}."),
        N_("Only a look. A card tells the whole story so far, so what is in the room is this prompt's own beginning."),
    ),
    "miss": (
        N_("block {i} is not in the catalogue"),
        N_("Block {i} of {seq}, {story}, is not in the catalogue: the lookup ends here."),
        N_("A block counts only if everything before it was found too: after a gap there is nothing to build on."),
    ),
    "limit": (
        N_("block {i} is full, and not looked up"),
        N_("Block {i} of {seq} is full, and still not looked up."),
        N_("At least one token must be run, or there is nothing to sample the next one from: (len − 1) // block_size."),
    ),
    "capacity.yes": (
        N_("{needed} new ≤ {available} available"),
        N_("New rooms needed: {needed}. Available: {available}. It fits."),
        N_("Available is the free list and the cart, less the rooms on the cart that this very prompt takes back."),
    ),
    "capacity.no": (
        N_("{needed} new > {available} available"),
        N_("New rooms needed: {needed}. Available: {available}. It does not fit."),
        N_("Available is the free list and the cart, less the rooms on the cart that this very prompt takes back."),
    ),
    "boundary.new": (
        N_("position {pos} opens a new block"),
        N_("Position {pos} of {seq} needs a new room."),
        N_("{pos} // {size} = {i}, and the room list has no entry {i} yet."),
    ),
    "boundary.old": (
        N_("position {pos} is in entry {i} of the room list"),
        N_("Position {pos} of {seq} still finds a bed in its last room."),
        N_("{pos} // {size} = {i}, and the room list has that entry already."),
    ),
    "refused": (
        N_("refused: OutOfBlocks"),
        N_("{seq} is refused: OutOfBlocks."),
        N_("Before anything was written: rooms, queues and the order of future evictions are as they were."),
    ),
    "arrive": (
        N_("{seq} arrives"),
        N_("{seq} arrives: its records are opened."),
        N_("All that had to be read has been read. From here on the call writes."),
    ),
    "share": (
        N_("share room {block} · ref {old}→{ref}"),
        N_("Room {block} holds {story}: {seq} moves in."),
        N_("The lookup found it and the capacity check has passed, so now, and only now, its ref may change."),
    ),
    "revive": (
        N_("room {block} off the cart · ref {old}→1"),
        N_("Room {block} still holds {story}: {seq} takes it straight off the cart."),
        N_("It leaves the cart before it counts a group again; left there, it would be evicted with somebody inside."),
    ),
    "take": (
        N_("take room {block} · free list"),
        N_("{seq} gets room {block}, the first of the free list."),
        N_("Free rooms come first, the one that has waited longest; only when none is left must a book go."),
    ),
    "evict.torn": (
        N_("evict room {block} · card {tag} torn up"),
        N_("Room {block} was on the cart longest: {seq} gets it, and its card {tag} is torn up."),
        N_("No room is free. The card goes at once, or the next reader gets a right cover with wrong pages."),
    ),
    "evict.other": (
        N_("evict room {block}"),
        N_("Room {block} was on the cart longest: {seq} gets it. No card leads to it."),
        N_("No room is free. A card is torn up only if it leads to this room."),
    ),
    "evict.left": (
        N_("evict room {block} · card {tag} left"),
        N_("{seq} gets room {block}, but its card {tag} is left in the catalogue."),
        N_("The next reader of that card gets a right cover with wrong pages."),
    ),
    "append": (
        N_("token {token} → slot {slot}"),
        N_("Token {token} goes to slot {slot}: room {block}, bed {bed}."),
        N_("slot = table[{pos} // {size}] × {size} + {pos} % {size} = {block} × {size} + {bed}."),
    ),
    "register.card": (
        N_("room {block} is full · card {tag}"),
        N_("Room {block} is full: its card {tag} goes into the catalogue."),
        N_("A full block has an identity, the hash of its tokens and of all before them. Now others can find it."),
    ),
    "register.copy": (
        N_("room {block} is full · {tag}, a copy"),
        N_("Room {block} is full and carries {tag}; the card leads to room {older} all the same."),
        N_("One hash leads to one block, and the older one stays."),
    ),
    "duplicate": (
        N_("room {block} is full · {tag} is taken"),
        N_("Room {block} is full, but the card {tag} leads to room {older} already."),
        N_("One hash leads to one block, and the older one stays. This copy carries none."),
    ),
    "fill": (
        N_("room {block} is full"),
        N_("Room {block} is full: the chain of {seq} grows by {tag}."),
        N_("The hash of the next block is made of this one and of its own tokens."),
    ),
    "unshare": (
        N_("leave room {block} · ref {old}→{ref}"),
        N_("{seq} leaves room {block}, and others stay."),
        N_("Only the last to leave gives a room back: its ref goes down by one, and that is all."),
    ),
    "to_free": (
        N_("room {block} → free list"),
        N_("Room {block} is empty: to the back of the free list."),
        N_("Its ref is 0 and it carries no hash, so nobody could ever ask for what was in it."),
    ),
    "to_cart": (
        N_("room {block} → cart"),
        N_("Room {block} goes on the cart, at the newest end; what is in it stays."),
        N_("Whoever asks for it next takes it straight back. The list is walked backwards: a prompt's head goes last."),
    ),
    "leave": (
        N_("{seq} checks out"),
        N_("{seq} checks out: its records are dropped."),
        N_("What it left on the cart can still be found: blocks outlive their sequences."),
    ),
    "changed": (
        N_("changed: {field}"),
        N_("This manager changed {field}: {from} → {to}."),
        N_("No step of the contract does this here."),
    ),
    "changed.chain": (
        N_("block {i} of {seq} is not its own"),
        N_("Block {i} of {seq} carries {from}, but its own tokens make {to}."),
        N_("What it was given is not what it asked for: it reads the K and V of another text."),
    ),
    "outside": (
        N_("what its calls tell"),
        N_("{call} gives {result}."),
        N_("The inside of this manager cannot be read: you see what its public calls tell."),
    ),
    "num_free_blocks": (
        N_("a question"),
        N_("num_free_blocks is {result}: {free} on the free list, {cart} on the cart."),
        N_("A book on the cart may be given up at any time, so it counts as free."),
    ),
    "slot": (
        N_("a question"),
        N_("Token {pos} of {seq} is in slot {result}: room {block}, bed {bed}."),
        N_("slot = table[{pos} // {size}] × {size} + {pos} % {size} = {block} × {size} + {bed}."),
    ),
    "num_cached_tokens": (
        N_("a question"),
        N_("Tokens of {seq} that came from the cache: {result}."),
        N_("Counted by allocate, in full blocks; it never grows later."),
    ),
    "can_allocate": (
        N_("a question"),
        N_("can_allocate({tokens}) says {result}."),
        N_("ceil({tokens} / {size}) = {needed}, num_free_blocks = {free}. It ignores hits: its no is not a promise."),
    ),
    "question": (N_("a question"), N_("{call} gives {result}."), N_("Nothing changes.")),
    "skip": (
        N_("skipped"),
        N_("Skipped: {call}."),
        N_("A sequence that is not there cannot be asked, and one that is there cannot arrive again."),
    ),
    "raised": (
        N_("raised {result}"),
        N_("{call} raised {result}."),
        N_("The contract knows only OutOfBlocks. This story ends here."),
    ),
    "lost": (
        N_("no answer"),
        N_("{call} gave no answer."),
        N_("The manager did not come back from this call. This story ends here."),
    ),
    "start": (
        N_("the doors open"),
        N_("Every room is free. Press play, or step with the arrow keys."),
        N_("A block is a room, a token a guest, a sequence a tour group; its block table is its list of rooms."),
    ),
}

#: Everything else.
UI: Mapping[str, Template] = {
    "hotel": N_("Hotel"),
    "story": N_("Story"),
    "operations": N_("Operations"),
    "pool.on": N_("{rooms} rooms of {beds} · prefix cache on"),
    "pool.off": N_("{rooms} rooms of {beds} · prefix cache off"),
    "rooms": N_("Rooms"),
    "room": N_("Room {block}"),
    "free": N_("free"),
    "used": N_("in use"),
    "shared": N_("shared"),
    "cart": N_("on the cart"),
    "lost": N_("in no list"),
    "unknown": N_("nobody known"),
    "evicted": N_("just evicted"),
    "ref": N_("ref {ref}"),
    "ref.change": N_("ref {old}→{ref}"),
    "waiting": N_("waiting for a reader"),
    "free.list": N_("Free rooms · first in, first out"),
    "cart.list": N_("Return cart · oldest goes first"),
    "next": N_("next"),
    "last": N_("last"),
    "evicted.next": N_("evicted next"),
    "newest": N_("newest"),
    "nothing": N_("empty"),
    "more": N_("… {n} more"),
    "groups": N_("Tour groups"),
    "nobody": N_("Nobody is here."),
    "at.rooms": N_("rooms {rooms}"),
    "at.door": N_("at the door"),
    "turned.away": N_("turned away"),
    "cached": Say("{n} token from the cache", plural="{n} tokens from the cache", n=0),
    "cached.so.far": Say("{n} token from the cache so far", plural="{n} tokens from the cache so far", n=0),
    "from.cache": N_("from the cache"),
    "token": N_("token {token}, position {pos}"),
    "catalogue": N_("Catalogue"),
    "no.cards": N_("No card yet: only full blocks get one."),
    "no.catalogue": N_("The prefix cache is off: no cards."),
    "leads": N_("{tokens} → room {block}"),
    "stale": N_("wrong pages"),
    "quote": N_("“{tokens}”"),
    "quote.after": N_("“{tokens} after {before}”"),
    "why": N_("Why:"),
    "after.op": N_("after the last op"),
    "in.room": N_("room {block}"),
    "hidden.cards": N_("Not visible from outside."),
    "holds": N_("holds"),
    "broken": N_("broken"),
    "not.seen": N_("not visible"),
    "I1": N_("num_free_blocks = free list + cart; no room is in both or twice, and all of them have ref 0."),
    "I2": N_("A room is on the cart exactly when its ref is 0 and it carries a hash."),
    "I3": N_("Every card leads to a room that carries its hash."),
    "I4": N_("ref is the number of room lists that contain the room; when all have left, all rooms are free."),
    "I5": N_("Cached tokens are whole blocks, and at least one token of a prompt is left to run."),
    "first": N_("To the beginning"),
    "back": N_("One event back"),
    "play": N_("Play"),
    "pause": N_("Pause"),
    "next.event": N_("Next event"),
    "next.op": N_("Next operation"),
    "end": N_("To the end"),
    "speed": N_("Speed"),
    "scrub": N_("Step"),
    "step": N_("step {at} of {all}"),
    "jump": N_("Next"),
    "jump.hit": N_("hit"),
    "jump.evict": N_("eviction"),
    "jump.refused": N_("refusal"),
    "jump.differs": N_("difference"),
    "more.controls": N_("More controls"),
    "keys": N_("Keys: ← → one event, with Shift one operation, Space plays, Home and End."),
    "earlier": Say("… {n} earlier operation", plural="… {n} earlier operations", n=0),
    "later": Say("… {n} later operation", plural="… {n} later operations", n=0),
    "contract.gives": N_("By the contract: {result}"),
    "contract.nothing": N_("By the contract it returns nothing."),
    "contract.does": N_("The contract would:"),
    "ended": N_("The story ends here for this manager."),
    "outside": N_("The inside of this manager cannot be read: this is its public view, who lives where."),
    "view.lost": N_("This manager's public calls gave no usable answer; the last view is shown."),
    "says.free": N_("num_free_blocks says {n}"),
    "no.such": N_("There is none in this story."),
    "reference": N_("Reference"),
    "follow": N_("Follow"),
    "follow.room": N_("Follow room"),
    "close": N_("Close"),
    "through.time": N_("Room {block} through time"),
    "never.touched": N_("Nothing happens to it in this story."),
    "slot.of": N_("Token {pos} of {seq}: table[{pos} // {size}] = {block}, slot {block} × {size} + {bed} = {slot}"),
    "slot.none": N_("Token {pos} of {seq} has no room yet."),
    "bed.of": N_("Bed {bed} of room {block} is slot {slot}."),
    "bed": N_("bed {bed}: {token}"),
    "empty.bed": N_("empty"),
    "copy.link": N_("Copy link"),
    "copied": N_("Copied: the link opens this story at this step."),
    "not.copied": N_("The browser did not allow it. The link:"),
    "no.link": N_("This story is too long for a link: keep it as JSON."),
    "picture": N_("Picture"),
    "export": N_("Page"),
    "export.tip": N_("One HTML file that plays offline"),
    "json": N_("JSON"),
    "guess": N_("Guess first"),
    "guess.rooms.allocate": N_("Which rooms does {seq} get? Click them in order."),
    "guess.rooms.append": N_("Which room does token {token} of {seq} go to? Click it."),
    "guess.rooms.free": N_("Which rooms go back, to the free list or the cart? Click them."),
    "guess.cached": N_("How many of its tokens come from the cache?"),
    "guess.fate": N_("Does it need an eviction, or is it refused?"),
    "guess.neither": N_("neither"),
    "guess.evicted": N_("something is evicted"),
    "guess.refused": N_("refused"),
    "guess.none": N_("none"),
    "guess.check": N_("Check"),
    "guess.skip": N_("Show me"),
    "guess.right": N_("Right."),
    "guess.wrong": N_("Not quite."),
    "guess.yours": N_("{question} You said {yours}; it is {truth}."),
    "guess.same": N_("{question} {truth}, as you said."),
    "guess.score": N_("{right} of {asked} right"),
    "guess.watch": N_("Now watch"),
    "picked": N_("picked"),
}


def templates(translator: Translator) -> dict[str, object]:
    """All of it in one language: ``{"ui": {key: text or [one, many]}, "events": {kind: [short, what, why]}}``."""
    return {
        "ui": {key: forms(translator, text) for key, text in UI.items()},
        "events": {kind: [translator.text(text) for text in texts] for kind, texts in EVENTS.items()},
    }


class _Hole(int):
    """A number that chooses the plural form and leaves its place open."""

    def __format__(self, spec: str) -> str:
        return "{n}"


def forms(translator: Translator, text: Template) -> str | list[str]:
    """The template in this language: one text, or one for each form that ``{n}`` chooses."""
    if isinstance(text, str):
        return translator.text(text)
    return [translator.text(Say(text.msgid, plural=text.plural, n=_Hole(n))) for n in (1, 2)]
