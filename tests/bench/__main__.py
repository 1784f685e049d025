"""``./check.sh bench [NAME]``: every measurement here is a ratio or a median within one run, never a bare number of an
unknown machine. Without a name: which there are. A module of this folder with ``main()`` is one."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if "def main(" in path.read_text("utf-8"))


def main(arguments: list[str]) -> int:
    known = [name for name in names() if name != "__main__"]
    if not arguments:
        print("./check.sh bench NAME, where NAME is one of:", *known, sep="\n  ")
        return 0
    if arguments[0] not in known:
        print(f"There is no bench {arguments[0]}. There are: {', '.join(known)}", file=sys.stderr)
        return 2
    importlib.import_module(f"tests.bench.{arguments[0]}").main(arguments[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
