"""Times as the visitor's own clock shows them, the same in every language."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import streamlit as st


def when(moment: datetime, now: datetime | None = None) -> str:
    """``14:03`` for a time of today, else ``2026-11-29 14:03``, in the browser's time zone."""
    here = moment.astimezone(_zone())
    today = (now or datetime.now(UTC)).astimezone(_zone()).date()
    return f"{here:%H:%M}" if here.date() == today else f"{here:%Y-%m-%d %H:%M}"


def _zone() -> ZoneInfo:
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ValueError, OSError, KeyError):  # a browser may say anything
        return ZoneInfo("UTC")
