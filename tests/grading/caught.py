"""Which checks catch which classic mistake, found out by grading.

``python -m tests.grading.caught`` writes the table in `solutions/caught.json` anew; the tests that grade every mistake
hold it to what they see.
"""

from __future__ import annotations

import json
from contextlib import closing

from grader.exercise import discover
from grader.judge import Judge
from grader.report import Report
from solutions.mistakes import CAUGHT_FILE, MISTAKES, source


def failed(report: Report) -> list[str]:
    """The deciding checks that a file failed, in the order of the report."""
    return [check.id for check in report.checks if check.outcome == "failed" and check.group == "acceptance"]


def main() -> None:
    table = {}
    for exercise in discover().values():
        with closing(Judge(exercise)) as judge:
            for mistake in (one for one in MISTAKES if one.exercise == exercise.id):
                table[mistake.id] = failed(judge.grade(source(mistake.id).encode(), exercise.file))
    rows = ",\n".join(f"  {json.dumps(name)}: {json.dumps(ids)}" for name, ids in table.items())
    CAUGHT_FILE.write_text(f"{{\n{rows}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
