"""The player as one HTML page that needs nothing else: no server, no network."""

from __future__ import annotations

import html
import json
from pathlib import Path

from app.player.payload import Payload

FOLDER = Path(__file__).resolve().parent
HTML, CSS = ((FOLDER / name).read_text("utf-8") for name in ("hotel.html", "hotel.css"))

#: The script's parts, in the order in which they are joined: Streamlit takes one script, a page from a file no more.
PARTS = "trace state words page side hotel picture ghosts listing telling follow guess player".split()  # noqa: SIM905
JS = "\n".join((FOLDER / "js" / f"{name}.js").read_text("utf-8") for name in PARTS)

#: What a page is before its payload is put in; the player itself carries it, to make pages without a round trip.
SHELL = f"""<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>KV Hotel</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; padding: 18px; background: light-dark(#faf9f6, #15171b); }}
main {{ max-width: 1240px; margin: 0 auto; }}
@media (max-width: 760px) {{ body {{ padding: 12px; }} }}
{CSS}</style>
</head>
<body>
<main>
<h1 style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">KV Hotel</h1>
{HTML}</main>
<script type="application/json" id="payload">__PAYLOAD__</script>
<script type="module">
{JS}
const payload = JSON.parse(document.getElementById("payload").textContent);
document.documentElement.lang = payload.lang;
document.title = `${{payload.title}} · KV Hotel`;
mount({{ data: payload, parentElement: document.querySelector("main") }});
</script>
</body>
</html>
"""

#: The component's markup, and in it the page that it can hand out.
COMPONENT = f'{HTML}<template class="kvh-page">{html.escape(SHELL, quote=False)}</template>'


def page(payload: Payload) -> str:
    """One self-contained HTML page that plays ``payload``."""
    data = json.dumps({**payload, "offline": True}, ensure_ascii=False, separators=(",", ":"))
    return SHELL.replace("__PAYLOAD__", data.replace("<", "\\u003c"), 1)
