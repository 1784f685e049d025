"""`python -m app`, which check.sh calls: the playground's server, for this machine alone unless told otherwise."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import threading
from pathlib import Path
from typing import Any, cast

from app import address
from app.address import Address
from grader.words import LANGUAGES, Say, Translator, pick_language, translator

ROOT = Path(__file__).resolve().parent.parent
#: Slow to import: done before the first visitor comes, not while they wait.
_AHEAD = ("pandas", "pyarrow", "plotly.graph_objects", "app.history", "grader.playing", "streamlit.web.bootstrap")


def main(arguments: list[str]) -> int:
    """Serve until Ctrl-C. Exit 2 where address or port cannot be had, or is open to all and nobody said so."""
    options = _options(arguments)
    words = translator(pick_language(options.lang, os.environ))
    try:
        where = address.found(options.address, options.port)
        _allow(where, options.open_to_all)
    except address.Unusable as error:
        _tell(words, error.say)
        return 2
    _settings(options)
    _tell(words, Say("Starting the playground: {address} (Ctrl-C ends it)", address=where.url))
    if not where.alone:
        _tell(words, Say("It is open to everybody who can reach this machine, without login."))
    for name in _AHEAD:
        importlib.import_module(name)
    threading.Thread(target=_open_desk, args=(words,), name="kvhotel-desk", daemon=True).start()
    os.chdir(ROOT)  # where .streamlit/config.toml is looked for
    return _serve(where, options.open_to_all)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("./check.sh app", description="The playground, in the browser.")
    parser.add_argument("--port", type=int, default=8501, help="default 8501; 0 takes a free one")
    parser.add_argument("--address", metavar="HOST", default="127.0.0.1", help="default 127.0.0.1: this machine alone")
    parser.add_argument("--open-to-all", action="store_true", help="whoever reaches HOST may use it, without login")
    parser.add_argument("--data", metavar="FOLDER|URL", help="where submissions are kept: a folder (default: data/ "
                        "beside check.sh) or a database, as postgresql+psycopg://…")  # fmt: skip
    parser.add_argument("--judges", metavar="N", type=_count, help="so many gradings at a time; default: cores - 1")
    parser.add_argument("--lang", choices=LANGUAGES, help="of what is said here; the browser has its own switch")
    return parser.parse_args(arguments)


def _count(written: str) -> int:
    if not written.isdecimal() or int(written) < 1:
        raise argparse.ArgumentTypeError(f"{written!r} is not a number from 1 on")
    return int(written)


def _allow(where: Address, open_to_all: bool) -> None:
    if not where.alone and not open_to_all:
        say = Say(
            "Not started: at {host} everybody who can reach this machine could use the playground and have files run "
            "and graded here, because there is no login. If you want that, add --open-to-all.",
            host=where.host,
        )
        raise address.Unusable(say)


def _settings(options: argparse.Namespace) -> None:
    """Where `app/desk.py` looks, however the server was started."""
    if options.data is not None:
        os.environ["KVH_DATA"] = options.data if "://" in options.data else str(Path(options.data).absolute())
    if options.judges is not None:
        os.environ["KVH_JUDGES"] = str(options.judges)


def _open_desk(words: Translator) -> None:
    """Start the judges before the first file comes, and say where they grade, or why they cannot."""
    from app.desk import desk, desk_problem
    from grader.sandbox import launcher

    problem, judges = desk_problem(), cast(Any, desk().judges)
    if problem is None and judges is not None:
        judges.ready.wait()
        problem = judges.problem
    if problem is None:
        _tell(words, Say("What is handed in is graded in a sandbox: {sandbox}", sandbox=launcher.pick("auto")))
    else:
        _tell(words, Say("Nothing can be graded for now: {why}", why=problem))


def _serve(where: Address, open_to_all: bool) -> int:
    from streamlit import net_util
    from streamlit.web import cli

    net_util.get_external_ip = lambda: None  # it would ask a web site for it, when a stranger knocks
    sys.argv = ["streamlit", "run", str(ROOT / "app" / "main.py"), f"--server.port={where.port}",
                f"--server.address={where.host}", "--browser.gatherUsageStats=false", "--server.headless=true",
                "--logger.hideWelcomeMessage=true"]  # fmt: skip
    if not open_to_all:  # a web page elsewhere may give this machine's address a name of its own
        sys.argv += [f"--server.allowedHosts={host}" for host in ("localhost", "127.0.0.1", "::1", where.host)]
    return int(cli.main() or 0)


def _tell(words: Translator, say: Say) -> None:
    print(words.text(say), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
