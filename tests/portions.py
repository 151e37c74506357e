"""A portion of many generated cases, for tests that would take minutes with all of them.

`portion(cases, one_in, *files)` is one case in so many. Which ones depends on what the files hold: after each
change of what is tested, others are tried. With KQA_ALL=1 in the environment, as in `make test-all`, it is
all of them; a test that fails prints the command that tries its case again whatever the files hold by then.
"""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

Case = TypeVar("Case")


def portion(cases: Sequence[Case], one_in: int, *files: str | Path) -> list[Case]:
    """One of `one_in` cases, in their order, and at least one; all of them where KQA_ALL is set."""
    if os.environ.get("KQA_ALL"):
        return list(cases)
    drawn = random.Random(b"".join(Path(file).read_bytes() for file in files))
    chosen = set(drawn.sample(range(len(cases)), -(-len(cases) // one_in)))
    return [case for number, case in enumerate(cases) if number in chosen]


def repeated_by(item: pytest.Item) -> str | None:
    """The command that tries this case again, if its file draws a portion."""
    module = item.getparent(pytest.Module)
    drawn = module is not None and vars(module.obj).get("portion") is portion
    return f"KQA_ALL=1 pytest '{item.nodeid}'" if drawn else None
