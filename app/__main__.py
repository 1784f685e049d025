"""`python -m app`, which check.sh calls: the playground's server on this machine alone."""

from __future__ import annotations

import argparse
import importlib
import os
import socket
import sys
from pathlib import Path

from grader.words import LANGUAGES, Say, Translator, pick_language, translator

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
#: Slow to import: done before the first visitor comes, not while they wait.
_AHEAD = ("pandas", "pyarrow", "plotly.graph_objects", "app.history", "grader.playing", "streamlit.web.bootstrap")


def main(arguments: list[str]) -> int:
    """Serve until Ctrl-C. Exit 2 where the port cannot be had."""
    options = _options(arguments)
    words = translator(pick_language(options.lang, os.environ))
    port = _free_port(options.port, words)
    address = f"http://{HOST}:{port}"
    _tell(words, Say("Starting the playground: {address} (Ctrl-C ends it)", address=address))
    for name in _AHEAD:
        importlib.import_module(name)
    os.chdir(ROOT)  # where .streamlit/config.toml is looked for
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(ROOT / "app" / "main.py"), f"--server.port={port}", f"--server.address={HOST}",
                "--browser.gatherUsageStats=false", "--server.headless=true"]  # fmt: skip
    return int(cli.main() or 0)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("./check.sh app", description="The playground, in the browser.")
    parser.add_argument("--port", type=int, default=8501, help="default 8501; 0 takes a free one")
    parser.add_argument("--lang", choices=LANGUAGES, help="of what is said here; the browser has its own switch")
    return parser.parse_args(arguments)


def _free_port(port: int, words: Translator) -> int:
    """The port, tried out; for 0 one that is free."""
    with socket.socket() as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((HOST, port))
        except (OSError, OverflowError):
            say = Say("Port {port} cannot be had: something else is using it. Take another one: --port {other}",
                      port=port, other=8502 if port != 8502 else 8503)  # fmt: skip
            _tell(words, say)
            raise SystemExit(2) from None
        return int(trial.getsockname()[1])


def _tell(words: Translator, say: Say) -> None:
    print(words.text(say), file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
