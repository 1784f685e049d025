"""The screens of the playground: the order in which the navigation lists them, and how one leads to another.

A screen is a file in `screens/`; its name is also what `app.pages.path` takes.
"""

from __future__ import annotations

from pathlib import Path

from grader.words import N_

FOLDER = Path(__file__).parent / "screens"
HOME, EXPLORE = "home", "explore"

#: name of the file, address, title
SCREENS = (
    (HOME, "", N_("Home")),
    ("learn", "learn", N_("Learn")),
    (EXPLORE, "explore", N_("Explore")),
    ("paged_attention", "paged-attention", N_("Paged attention")),
    ("submit", "submit", N_("Submit")),
    ("history", "history", N_("History")),
    ("mistakes", "mistakes", N_("Mistakes")),
)


def path(name: str) -> str:
    """What ``st.switch_page`` and ``st.page_link`` call the screen ``name``."""
    return f"screens/{name}.py"
