"""Whether submissions can be graded on this machine at all."""

from __future__ import annotations

import pytest

from grader.sandbox import launcher

_why = launcher.available()["bubblewrap"]
needs_bubblewrap = pytest.mark.skipif(_why is not None, reason=f"bubblewrap does not work here: {_why}")
