"""How fast does the hotel step, beside a Plotly chart drawn by a rerun, and what does a long trace cost?"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from app.player.payload import payload
from grader.replay.trace import run
from tests.bench.table import row
from tests.bench.traffic import traffic
from tests.browser.running import FLAGS, ROOT, chromium_path, serving

ROOMS = (8, 64, 1_024)
STEPS = 21
WAIT_MS = 60_000
SERVER = (
    "-m", "streamlit", "run", str(ROOT / "tests" / "bench" / "hotel_app.py"), "--server.port={port}",
    "--server.address=127.0.0.1", "--server.headless=true", "--browser.gatherUsageStats=false",
)  # fmt: skip

#: Milliseconds from the click on a button to the paint after the step it shows has changed, in the browser's own clock.
STEP = """
async ([name]) => {
  const roots = [document.body];
  for (const part of document.querySelectorAll("*")) if (part.shadowRoot) roots.push(part.shadowRoot);
  const find = (what) => roots.map((root) => root.querySelector(what)).find(Boolean);
  const button = name === "Next"
    ? [...document.querySelectorAll("button")].find((one) => one.innerText.trim() === "Next")
    : find(`button[aria-label="${name}"], button[title="${name}"]`);
  const said = () => name === "Next"
    ? document.querySelector(".gtitle")?.textContent
    : roots.map((root) => root.textContent.match(/step \\d+ of \\d+/)?.[0]).find(Boolean);
  const before = said(), began = performance.now();
  button.click();
  while (said() === before || !said()) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - began;
}
"""


def main(arguments: list[str] | None = None) -> None:
    """Print the figures; exit 2 where there is no Chromium."""
    path = chromium_path()
    if path is None:
        sys.exit("no Chromium here: apt install chromium, or name it in KVH_CHROMIUM")
    long_trace()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "log.txt", SERVER) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        first_picture(browser, address)
        for rooms in ROOMS:
            steps(browser, address, rooms)
        with serving(Path(folder) / "app.log") as app:
            front_page(browser, app)
        browser.close()


def long_trace() -> None:
    """Seconds to compute 10,000 ops on 1,024 blocks of 16, and megabytes to send."""
    story = traffic()
    spent = []
    for _ in range(3):
        began = time.perf_counter()
        trace = run(story)
        spent.append(time.perf_counter() - began)
    row("trace of 10,000 ops on 1,024 blocks computed", f"{statistics.median(spent):.2f} s", "at most 2 s")
    sent = len(json.dumps(payload(trace, lang="en"), separators=(",", ":")).encode()) / 1e6
    row("sent to the browser", f"{sent:.2f} MB", "at most 3 MB")


def first_picture(browser: Browser, address: str) -> None:
    """Seconds from the loaded page to the long trace's first picture, the trace being computed already."""
    spent = []
    for _ in range(4):
        page = browser.new_page()
        page.goto(f"{address}/?what=long&rooms=1024", wait_until="load")
        began = time.perf_counter()
        page.get_by_text("step 0 of").wait_for(timeout=WAIT_MS)
        spent.append(time.perf_counter() - began)
        page.close()
    row("its first picture after the page is up", f"{statistics.median(spent[1:]):.2f} s", "at most 3 s")


def front_page(browser: Browser, address: str) -> None:
    """Seconds from asking for ``/`` in a fresh browser profile to the first picture of the hotel."""
    spent = []
    for _ in range(6):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        began = time.perf_counter()
        page.goto(f"{address}/explore", wait_until="commit")
        page.get_by_text("step 0 of").wait_for(timeout=WAIT_MS)
        spent.append(time.perf_counter() - began)
        context.close()
    row("the app's first page, to the hotel's first picture", f"{statistics.median(spent[1:]):.2f} s", "under 2 s")


def steps(browser: Browser, address: str, rooms: int) -> None:
    """Milliseconds a step of the player and of the chart, medians, in turns on two open pages."""
    player, chart = browser.new_page(), browser.new_page()
    player.goto(f"{address}/?what=player&rooms={rooms}")
    player.get_by_text("step 0 of").wait_for(timeout=WAIT_MS)
    chart.goto(f"{address}/?what=plotly&rooms={rooms}")
    chart.locator(".gtitle").wait_for(timeout=WAIT_MS)
    mine, plain = _alternate(player, chart)
    row(f"a step at {rooms:,} rooms: the player", f"{mine:.0f} ms")
    row(f"a step at {rooms:,} rooms: st.plotly_chart and a rerun", f"{plain:.0f} ms")
    row(f"times faster at {rooms:,} rooms", f"{plain / mine:.1f}", "at least 4 at 1,024")
    player.close()
    chart.close()


def _alternate(player: Page, chart: Page) -> list[float]:
    spent: list[list[float]] = [[], []]
    for _ in range(STEPS):
        for page, name, times in ((player, "Next operation", spent[0]), (chart, "Next", spent[1])):
            page.bring_to_front()
            times.append(page.evaluate(STEP, [name]))
    return [statistics.median(times[1:]) for times in spent]


if __name__ == "__main__":
    main()
