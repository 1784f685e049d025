"""Sent into a container of the image `app`, on its Python's standard input; prints one JSON list.

hand-in PERSON FILE [CHECK …]   hand FILE in as PERSON's answer to p06, or for these checks alone
wait PERSON                     until the server's judges have ended all that PERSON handed in
look PERSON                     what has become of it by now
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from grader.desk.desk import Desk
from grader.desk.submission import QUEUED, RUNNING

PATIENCE_S = 600
what, person, *rest = sys.argv[1:]
desk = Desk(os.environ["KVH_DATA"])
if what == "hand-in":
    desk.submit(person, "p06", Path(rest[0]).read_bytes(), "answer.py", rest[1:])
end = time.monotonic() + PATIENCE_S
while what == "wait" and any(one.state in (QUEUED, RUNNING) for one in desk.submissions(person, trials=True)):
    if time.monotonic() > end:
        break
    time.sleep(0.2)
found = []
for one in desk.submissions(person, trials=True):
    report = desk.report(person, one.id)
    said = report.to_json("en") if report else {"sandbox": None, "message": None, "checks": []}
    wrong = {each["id"]: each["actual"] or each["message"] for each in said["checks"] if each["outcome"] != "passed"}
    found.append(
        {
            "state": one.state,
            "verdict": one.verdict,
            "sandbox": said["sandbox"],
            "message": said["message"],
            "wrong": wrong,
        }
    )
print(json.dumps(found))
