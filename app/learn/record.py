"""What this learner did in a lesson: answers, guesses, pages seen. Their own, kept at the desk under their key."""

from __future__ import annotations

from typing import Any

from app.desk import desk
from app.person import person

KIND = "lesson"
PAGE, SEEN = "at", "seen"


class Record:
    """One exercise's part. Read once; ``keep`` writes through."""

    def __init__(self, exercise: str) -> None:
        self.exercise = exercise
        self._notes = desk().notes(person(), KIND)

    def of(self, name: str) -> dict[str, Any]:
        """What is known of a question, a task, …; an empty dict where nothing is."""
        found = self._notes.get(f"{self.exercise}/{name}")
        return dict(found) if isinstance(found, dict) else {}

    def keep(self, name: str, **fields: Any) -> None:
        """Add ``fields``; None takes one away."""
        new = {key: value for key, value in {**self.of(name), **fields}.items() if value is not None}
        if new != self.of(name):
            self._notes[f"{self.exercise}/{name}"] = new
            desk().note(person(), KIND, f"{self.exercise}/{name}", new)

    @property
    def page(self) -> str:
        """The page where one left; "" before the first."""
        return str(self.of(PAGE).get("page", ""))

    def answered(self, question: str) -> bool:
        kept = self.of(f"q/{question}")
        return any(kept.get(field) not in (None, "") for field in ("choice", "number", "text"))

    def seen(self, page: str) -> bool:
        return self.of(SEEN).get(page) is True


def answer(exercise: str, question: str, **fields: Any) -> None:
    """Keep what was answered; for callbacks, which run before the page."""
    Record(exercise).keep(f"q/{question}", **fields)
