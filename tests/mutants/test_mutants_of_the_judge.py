"""No mutant of the judge survives: no small change turns a verdict, a mark or a status round without a test that notices.

In a process of its own, because it forks for every mutant: `python tests/mutants/run_mutants.py` prints the same.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).with_name("run_mutants.py")


@pytest.mark.slow
@pytest.mark.parametrize("half", ["decides", "records"])
def test_every_mutant_is_killed_or_shown_to_change_nothing(half):
    ran = subprocess.run([sys.executable, str(TOOL), half], capture_output=True, text=True, check=False)
    print(ran.stdout.strip().splitlines()[-1:])
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
