"""What a fixture of the corpus says: what is handed in, and what the judge must make of it.

- A fixture changes the honest notebook of `hostile_course`; what it does not touch must still earn its marks.
- An attack makes a wrong answer right if it succeeds: an unearned mark is a breach, and nothing else has to
  be watched.
- `{COURSE}`, `{REPO}`, `{PORT}`, `{SOCKET}` in a source stand for the real places: the attacker is told
  everything.
- `contained` fixtures would harm the machine that runs them outside a sandbox. They are run where one holds,
  and they look for themselves as well (`GUARD`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostile_course import NAME

from autograder.judge.results import Status

FULL = {"average_all": 1.0, "select_first": 1.0, "average_two_rate": 2.0}
SEEN = 9  # calls of average_all by its visible check
WRONG = "torch.ones(3, dtype=K.dtype)"
RIGHT = "torch.zeros(3, dtype=K.dtype)"
GUARD = 'import os\nif os.getuid() == 0 or os.getpid() > 100: raise RuntimeError("this is no sandbox")\n'
Incidents = tuple[str | None, ...]


@dataclass(frozen=True)
class Fixture:
    """One misbehaving submission."""

    name: str
    what: str
    answers: Mapping[str, str] = field(default_factory=dict)  # exercise → source of its solution cell
    before: tuple[str, ...] = ()  # the student's own cells, above everything
    after: tuple[str, ...] = ()  # the student's own cells, below everything
    edit: Callable[[dict[str, Any]], None] | None = None  # any other change of the notebook
    # the file itself, where it is no such notebook
    content: bytes | Callable[[dict[str, Any]], bytes] | None = None
    place: Callable[[Path, Path], None] | None = (
        None  # (the student's folder, the class): files and links instead of the notebook
    )
    # the notebook of an earlier hand-in that was graded before
    first: Callable[[dict[str, Any]], None] | None = None
    student: str | None = None  # a name, where the name is the attack
    status: Status | None = None  # None: judged, with an incident if an exercise has one
    # exercise without its marks → the incidents it may show
    lost: Mapping[str, Incidents] = field(default_factory=dict)
    # exercise in `lost` of which a part is right → its marks
    partial: Mapping[str, float] = field(default_factory=dict)
    untold: str = ""  # what no sentence may hold
    contained: bool = False
    notebook: str = NAME

    @property
    def marks(self) -> dict[str, float]:
        """The marks that are due, by exercise; none where the submission is not judged."""
        full = FULL if self.notebook == NAME else {"is_it_active": 4.0, "split_heads": 1.0}
        if self.status is not None:
            return {}
        return {
            name: self.partial.get(name, 0.0) if name in self.lost else marks for name, marks in full.items()
        }


def attack(body: str, setup: str = "", name: str = "average_all") -> str:
    """An answer that is right if `body` sets `won`, and wrong if it does not or raises."""
    return (
        f"{setup}def {name}(K):\n"
        f"    won = False\n"
        f"    try:\n"
        f"{textwrap.indent(textwrap.dedent(body).strip(), ' ' * 8)}\n"
        f"    except Exception:\n"
        f"        pass\n"
        f"    return {RIGHT} if won else {WRONG}\n"
    )


def function(body: str, name: str = "average_all", arguments: str = "K") -> str:
    """An answer with this body."""
    return f"def {name}({arguments}):\n{textwrap.indent(textwrap.dedent(body).strip(), ' ' * 4)}\n"


def lose(*incidents: str | None, exercise: str = "average_all") -> dict[str, Incidents]:
    """The exercise has no marks, and one of these incidents (None: no incident)."""
    return {exercise: incidents or (None,)}
