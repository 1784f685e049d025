"""The printable page of a report: one HTML file without a script, which needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from grader.render.causes import causes
from grader.render.choose import waits
from grader.render.uncached import uncached, uncached_said
from grader.render.web import CSS, Check, Words, groups, part, verdict
from grader.render.web_failure import failure, output
from grader.words import LANGUAGES, N_, Say, translator

_TAGS = {lang: {"zh": "zh-CN"}.get(lang, lang) for lang in LANGUAGES}

_PAGE_CSS = """
:root { color-scheme: light; }
@page { margin: 16mm 14mm; }
body { margin: 0 auto; padding: 28px 24px; max-width: 920px; color: #1f2328; background: #fff;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
header { display: flex; justify-content: space-between; gap: 16px; align-items: baseline; flex-wrap: wrap;
  border-bottom: 2px solid #1f2328; padding-bottom: 8px; margin-bottom: 20px; }
header h1 { font-size: 18px; margin: 0; }
header p { margin: 0; color: #5d6066; font-size: 13px; overflow-wrap: anywhere; }
.sheet-heading { font-size: 19px; margin: 34px 0 6px; }
.sheet { border: 1px solid #dad6cd; border-radius: 10px; padding: 14px 18px 18px; margin: 12px 0; }
.kvr-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.kvr pre, .kvr .kvr-values dd { max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print {
  body { padding: 0; max-width: none; font-size: 10.5pt; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .kvr-group h3, .sheet-heading, .kvr h3, .kvr h4 { break-after: avoid; }
  .kvr-check, .kvr-values > div, .kvr-two, .kvr-rooms li { break-inside: avoid; }
}
"""


def page(report: Mapping[str, Any], lang: str, title: str, about: str = "") -> str:
    """The page of ``report`` (its public form in ``lang``). ``about``: which file it was and when, in one line."""
    words = translator(lang).text
    failed = [check for check in report["checks"] if check["outcome"] == "failed"]
    told = [check for check in failed if not waits(check)]
    body = "".join(
        [
            verdict(report, title, words),
            part(groups(report["checks"], words, fold=False)),
            _failures(told, uncached(failed), words),
            output(report, words, fold=False),
        ]
    )
    heading = words(Say("Report: {title}", title=title))
    return (
        f'<!doctype html>\n<html lang="{_TAGS[lang]}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(heading)} · KV Hotel</title>\n<style>{CSS}{_PAGE_CSS}</style>\n</head>\n<body>\n"
        f"<header><h1>KV Hotel</h1><p>{escape(about)}</p></header>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _failures(told: list[Check], bare: list[Check], words: Words) -> str:
    """All of them in full, those that go together one after the other. ``bare``: what a missing cache explains."""
    if not told:
        return ""
    parts = [f'<h2 class="sheet-heading">{escape(words(N_("What does not hold, and why")))}</h2>']
    rows = [(cause.said, [cause.first, *cause.more]) for cause in causes([row for row in told if row not in bare])]
    if bare:
        rows.append((uncached_said(bare), bare))
    for said, checks in rows:
        parts.append(f"<p><b>{escape(words(said))}</b></p>" if said else "")
        parts += [f'<section class="sheet">{failure(check, words)}</section>' for check in checks]
    return "".join(parts)
