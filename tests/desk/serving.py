"""A server as the app is one, without the app: judges for a database, until its input ends or it is killed."""

from __future__ import annotations

import json
import sys
import time

from grader.desk.judges import Judges


def main() -> None:
    told = json.loads(sys.stdin.readline())
    began = time.monotonic()
    judges = Judges(told["database"], told.get("sandbox", "bubblewrap"), told["count"])
    judges.ready.wait(60)
    print(
        json.dumps({"problem": judges.problem and judges.problem.msgid, "seconds": time.monotonic() - began}),
        flush=True,
    )
    sys.stdin.read()
    judges.close()


if __name__ == "__main__":
    main()
