"""P06's hints by topic, three levels each: a question or an example; structures and order; the answer in words."""

from grader.exercises.p06.hints_cache import CACHE
from grader.exercises.p06.hints_calls import CALLS
from grader.exercises.p06.hints_stars import STARS

HINTS: dict[str, tuple[str, str, str]] = {**CALLS, **CACHE, **STARS}
