"""No mutant of the judge survives: no small change turns a verdict,
a mark or a status round without a test that notices.

`python tests/mutants/run_mutants.py` tries them, in a process of its own, because it forks for every mutant.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).with_name("run_mutants.py")


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("half", ["decides", "records"])
def test_every_mutant_is_killed_or_shown_to_change_nothing(half):
    command = [sys.executable, str(TOOL), half]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ran.stdout.strip().splitlines()[-1:])
    assert ran.returncode == 0, f"to repeat it: {' '.join(command)}\n{ran.stdout}\n{ran.stderr}"
