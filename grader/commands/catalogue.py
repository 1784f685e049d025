"""`./check.sh words`: bring the catalogues up to date with the message ids in the sources.

Found by reading the syntax tree, so that `Say`'s plural keyword and texts joined over several lines are understood.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from grader.words import LANGUAGES, LOCALE

ROOT = LOCALE.parent
SOURCES = ("grader", "solutions", "app")
HEADER = """\
msgid ""
msgstr ""
"Project-Id-Version: KV Hotel\\n"
"Language: {lang}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""  # without the dates that gettext's tools write: they would change on every run

Message = tuple[str, str | None, ast.Call]  # msgid, plural, where


def messages(source: str) -> Iterator[Message]:
    """The messages of a Python source: texts given to `N_` and `Say`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and _name(node.func) in ("N_", "Say") and node.args:
            msgid = _text(node.args[0])
            if msgid:
                plurals = [_text(keyword.value) for keyword in node.keywords if keyword.arg == "plural"]
                yield msgid, plurals[0] if plurals else None, node


def template(root: Path = ROOT) -> Catalog:
    """Every message of the project, without translations."""
    found = Catalog()
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            for msgid, plural, node in messages(path.read_text("utf-8")):
                place = (path.relative_to(root).as_posix(), node.lineno)
                found.add((msgid, plural) if plural else msgid, locations=[place])
        for path in sorted((root / folder).rglob("exercise.toml")):
            title = tomllib.loads(path.read_text("utf-8"))["title"]
            found.add(title, locations=[(path.relative_to(root).as_posix(), 1)])
    return found


def load(lang: str) -> Catalog:
    with (LOCALE / lang / "LC_MESSAGES" / "kvhotel.po").open("rb") as file:
        return read_po(file, locale=lang, abort_invalid=True)


def update() -> None:
    """Rewrite each .po: new messages untranslated, gone ones dropped, nothing guessed."""
    for lang in LANGUAGES:
        path = LOCALE / lang / "LC_MESSAGES" / "kvhotel.po"
        if not path.exists():  # English needs none
            continue
        catalogue = load(lang)
        catalogue.update(template(), no_fuzzy_matching=True)
        with path.open("wb") as file:
            file.write(HEADER.format(lang=lang, plural=catalogue.plural_forms).encode())
            write_po(file, catalogue, ignore_obsolete=True, include_lineno=False, omit_header=True, width=110)
        missing = sum(not translated(message.string) for message in catalogue if message.id)
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} messages, {missing} untranslated")


def translated(string: str | tuple[str, ...] | list[str] | None) -> bool:
    """Is there a text for every form?"""
    return bool(string) and (isinstance(string, str) or all(string or ()))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


if __name__ == "__main__":
    update()
