"""The hidden check inside a plain nbgrader run: the hidden-tests region of a check cell calls it.

The student's code and the check share a process here, so a dishonest notebook can pass. Trust
`kqa course grade` instead.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable

from autograder.answer_key import find_checked
from kqa_core.check.display import OneLine
from kqa_core.check.exercise import Outcome


class HiddenCheckFailed(OneLine, AssertionError):
    """The answer passed the visible check and fails the hidden one."""


def hidden(name: str, function: Callable[..., object]) -> None:
    """Raise HiddenCheckFailed, shown as one line, unless the hidden check of exercise `name` says right."""
    from kqa_core.check.local import LocalAnswer
    from kqa_core.check.run import run_check

    key = find_checked(name)
    # The same for everyone and every run (the judge draws per student): a regrade must give the same mark.
    seed = random.Random(f"plain nbgrader, {name}").getrandbits(32)
    with contextlib.redirect_stderr(sys.stdout):
        verdict = run_check(key.hidden, LocalAnswer(function), seed, name)
    if verdict.outcome is not Outcome.RIGHT:
        raise HiddenCheckFailed(f"{name}: {verdict.outcome} on other inputs: {verdict.sentence}") from None
