"""Sent into a container of the image `app`, on its Python's standard input; prints one JSON object.

hand-in ID FILE   hand FILE in as ID's answer (p06), with nobody to grade it
grade ID          start judges; wait until all that ID handed in has ended, or nothing can be graded
look ID           what became of it
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from grader.desk.desk import Desk
from grader.desk.judges import Judges
from grader.words import translator

PATIENCE_S = 200
what, person, *rest = sys.argv[1:]
database = os.environ["KVH_DATA"]
desk = Desk(database)
problem = None
if what == "hand-in":
    desk.submit(person, "p06", Path(rest[0]).read_bytes(), "answer.py")
elif what == "grade":
    judges = Judges(database)
    end = time.monotonic() + PATIENCE_S
    while any(one.state in ("queued", "running") for one in desk.submissions(person)) and not judges.problem:
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.1)
    problem = judges.problem
    judges.close()
ended = []
for one in desk.submissions(person):
    report = desk.report(person, one.id)
    data = report.to_json("en") if report else {"sandbox": None, "message": None}
    ended.append({"state": one.state, "verdict": one.verdict, "sandbox": data["sandbox"], "said": data["message"]})
print(json.dumps({"problem": problem and translator("en").text(problem), "submissions": ended}))
