"""Words for people: English in the code as message ids, other languages in one catalogue.

Nothing is put into words before it is shown: the grader keeps `Say` objects, so a stored report can be read
in any language.
"""

from __future__ import annotations

import gettext
import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

LANGUAGES = ("en", "zh")
LOCALE = Path(__file__).resolve().parent.parent / "locale"


def N_(msgid: str) -> str:
    """Mark a text for the catalogue; it is translated where it is shown."""
    return msgid


@dataclass(frozen=True, init=False)
class Say:
    """A message not yet in words: `Say("{call} returned {value}", call="free('a')", value=3)`.

    Placeholders are `str.format` fields; an argument may be another Say, which is translated too.
    With `plural`, the argument `n` chooses the form: `Say("{n} block", plural="{n} blocks", n=2)`.
    """

    msgid: str
    plural: str | None
    args: Mapping[str, Arg]

    def __init__(self, msgid: str, /, *, plural: str | None = None, **args: Arg) -> None:
        object.__setattr__(self, "msgid", msgid)
        object.__setattr__(self, "plural", plural)
        object.__setattr__(self, "args", args)

    def __hash__(self) -> int:
        return hash((self.msgid, self.plural, tuple(sorted(self.args))))

    def to_json(self) -> dict[str, Any]:
        """Plain data that from_json turns back into an equal Say."""
        args = {name: arg.to_json() if isinstance(arg, Say) else arg for name, arg in self.args.items()}
        data: dict[str, Any] = {"say": self.msgid, "args": args}
        if self.plural is not None:
            data["plural"] = self.plural
        return data

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Say:
        args = {
            name: Say.from_json(arg) if isinstance(arg, dict) else arg for name, arg in data["args"].items()
        }
        return Say(data["say"], plural=data.get("plural"), **args)


Arg = str | int | float | Say


class Translator:
    """One language. An object of its own, so that one process can speak to several people."""

    def __init__(self, lang: str, catalogue: gettext.NullTranslations) -> None:
        self.lang = lang
        self._catalogue = catalogue

    def text(self, message: str | Say) -> str:
        """The message in this language. A plain str is looked up as it is, its braces mean nothing."""
        if isinstance(message, str):
            return (
                self._catalogue.gettext(message) if message else ""
            )  # gettext("") is the catalogue's header
        args = {name: self.text(arg) if isinstance(arg, Say) else arg for name, arg in message.args.items()}
        if message.plural is None:
            form = self.text(message.msgid)
        else:
            n = message.args["n"]
            form = self._catalogue.ngettext(message.msgid, message.plural, n if isinstance(n, int) else 2)
        return form.format(**args)


@cache
def translator(lang: str) -> Translator:
    """The translator for "en" or "zh"; raises ValueError for another language."""
    if lang not in LANGUAGES:
        raise ValueError(f"no such language: {lang}")
    return Translator(lang, gettext.NullTranslations() if lang == "en" else _catalogue(lang))


def pick_language(arg: str | None, env: Mapping[str, str]) -> str:
    """`arg` if given, else the first language of the environment that we speak, else English."""
    if arg is not None:
        return arg
    named = env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    for name in f"{env.get('LANGUAGE', '')}:{named}".split(":"):
        lang = name[:2].lower()
        if lang in LANGUAGES:
            return lang
    return "en"


def _catalogue(lang: str) -> gettext.GNUTranslations:
    """The compiled catalogue; compiled first when the .mo is missing or was made from another .po."""
    po = LOCALE / lang / "LC_MESSAGES" / "kvhotel.po"
    mo = po.with_suffix(".mo")
    made_from = po.stat().st_mtime_ns
    try:
        if mo.stat().st_mtime_ns == made_from:
            with mo.open("rb") as file:
                return gettext.GNUTranslations(file)
    except OSError:
        pass
    compiled = io.BytesIO()
    compile_po(po, compiled)
    _keep(mo, compiled.getvalue(), made_from)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def compile_po(po: Path, out: IO[bytes]) -> None:
    """Write `po` to `out` in the .mo format."""
    from babel.messages.mofile import write_mo  # slow to import, and needed only after a change
    from babel.messages.pofile import read_po

    with po.open("rb") as file:
        write_mo(out, read_po(file))


def _keep(mo: Path, data: bytes, made_from: int) -> None:
    """Put `data` beside the .po in one step, stamped with the .po's time; a read-only folder is no error."""
    part = mo.with_suffix(f".mo.{os.getpid()}")
    try:
        part.write_bytes(data)
        os.utime(part, ns=(made_from, made_from))
        part.replace(mo)
    except OSError:
        part.unlink(missing_ok=True)
