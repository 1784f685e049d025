"""Printing on a terminal of any width.

Texts are printed as they are: nothing that a submission wrote is read as markup, links or emoji codes.
"""

from __future__ import annotations

import os
import sys
from typing import IO

from rich.cells import cell_len
from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from grader.words import Say, translator


class Page:
    """A console and a language. With `width` None the terminal's own is used."""

    def __init__(self, lang: str, file: IO[str] | None = None, width: int | None = None) -> None:
        self._say = translator(lang).text
        self.console = Console(
            file=file or sys.stdout,
            width=width,
            no_color=bool(os.environ.get("NO_COLOR")),
            markup=False,
            highlight=False,
            emoji=False,
        )

    def say(self, message: str | Say) -> str:
        """The message in this page's language."""
        return self._say(message)

    def line(self, *parts: tuple[str, str], keep: bool = False) -> None:
        """One line of `(text, style)` parts; `keep` lets a line that is to be copied run over the edge."""
        self.console.print(Text.assemble(*parts), soft_wrap=keep)

    def block(self, text: str, indent: int, style: str = "") -> None:
        """`text` wrapped, every line of it indented."""
        self.labelled(" " * indent, text, style)

    def rule(self, text: str) -> None:
        """A line across the page with `text` in it."""
        self.console.print()
        self.console.print(Rule(Text(text), style="dim"))

    def labelled(self, label: str, text: str, style: str = "", label_style: str = "dim") -> None:
        """`text` wrapped to the right of `label`."""
        edge = cell_len(label)
        for line in text.split("\n"):
            for part in Text(line, style).wrap(self.console, max(20, self.console.width - edge)) or [Text()]:
                part.rstrip()
                self.console.print(Text.assemble((label, label_style), part))
                label = " " * edge
