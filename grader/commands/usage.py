"""What the person can put right: a command line that makes no sense, a file that is not there (exit 2)."""

from __future__ import annotations

from collections.abc import Iterable

from grader.words import Say

EXIT_USAGE = 2


class UsageError(Exception):
    """Carries the sentence that says what is wrong and what to do."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


def unknown(what: Say, known: Iterable[str], given: str) -> UsageError:
    """`what`, and the known names closest to the one given, or all of them if none is close."""
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(given, names, n=3)
    if close:
        return UsageError(Say("{problem} Close to it: {names}", problem=what, names=", ".join(close)))
    return UsageError(Say("{problem} There are: {names}", problem=what, names=", ".join(names)))
