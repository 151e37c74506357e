"""No mutant of the judge survives: no small change turns a verdict,
a mark or a status round without a test that notices.

A few of them are tried here, and others after every change of the judge or of its tests. All are tried by
`python tests/mutants/run_mutants.py`, and here with KQA_ALL=1, as in `make test-all`. In a process of its
own, because it forks for every mutant.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).with_name("run_mutants.py")
ONE_IN = "1" if os.environ.get("KQA_ALL") else "60"


@pytest.mark.slow
@pytest.mark.parametrize("half", ["decides", "records"])
def test_every_mutant_is_killed_or_shown_to_change_nothing(half):
    command = [sys.executable, str(TOOL), half, "--one-in", ONE_IN]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ran.stdout.strip().splitlines()[-1:])
    assert ran.returncode == 0, f"to repeat it: {' '.join(command)}\n{ran.stdout}\n{ran.stderr}"
