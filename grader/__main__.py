"""`python -m grader`, which check.sh calls."""

import sys

from grader.cli import main

sys.exit(main(sys.argv[1:]))
