"""The sandbox's line in `kqa doctor`: would grading start on this machine?

A runner is started in the sandbox that grading would use, and cells import there what exercises need. So the
doctor finds what grading would find, such as packages that a runner cannot see.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

from autograder.judge.escape_test import quick_check
from autograder.judge.session import Session
from autograder.paths import read_course
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.tiers import best_tier, launcher_for
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.merge import GraftedCell
from kqa_core.errors import UserError

INSTALL = "apt-get install bubblewrap, or see docs/judge.md"
REPAIR = (
    "if a package is not found, install it into this environment, or name its site-packages folder in a .pth"
    " file; else see docs/judge.md"
)


def sandbox() -> tuple[str, str, str | None]:
    """The state ("ok" or "absent"), what was found, and how to change that."""
    try:
        tier = best_tier()
    except UserError as error:
        why = str(error).removeprefix("sandbox: ").partition("; repair one")[0]
        return "absent", f"{why}; grading will refuse to start, all else runs", INSTALL
    problem = _problem(tier)
    if problem is not None:
        return "absent", f"{tier}: {problem}; grading will refuse to start, all else runs", REPAIR
    return "ok", f"{tier}; `kqa doctor --sandbox` tries to break out of it", None


def _problem(tier: str) -> str | None:
    """Why no answer could be judged in this tier, in one line; None where one could."""
    limits = Limits()
    needed = ("numpy", "kqa_core", *read_course().packages)
    cells = [GraftedCell("solution", "code", f"import {name}", name) for name in needed]
    try:
        with (
            tempfile.TemporaryDirectory() as base,
            closing(launcher_for(tier, limits, Path(base))) as launcher,
            closing(Session(launcher, cells, limits)) as session,
        ):
            quick_check(launcher)
            session.start()
    except (InfrastructureError, UserError) as error:
        return str(error)
    failed = {name: session.cell_failure(name) for name in needed}
    return (
        "; ".join(f"a runner cannot import {name} ({why})" for name, why in failed.items() if why is not None)
        or None
    )
