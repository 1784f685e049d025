"""What the person can put right: a command line that makes no sense, a file that is not there (exit 2)."""

from __future__ import annotations

from collections.abc import Iterable

from grader.words import Say

EXIT_USAGE = 2
FEW = 20  # names that are listed though some of them are close


class UsageError(Exception):
    """Carries the sentence that says what is wrong and what to do."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


def unknown(what: Say, known: Iterable[str], given: str) -> UsageError:
    """`what`, the known names closest to the one given, and all of them where they are few or none is close."""
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(given, names, n=3)
    if close and len(names) <= FEW:
        say = Say(
            "{problem} Close to it: {close}. There are: {names}",
            problem=what, close=", ".join(close), names=", ".join(names),
        )  # fmt: skip
        return UsageError(say)
    if close:
        return UsageError(Say("{problem} Close to it: {names}", problem=what, names=", ".join(close)))
    return UsageError(Say("{problem} There are: {names}", problem=what, names=", ".join(names)))
