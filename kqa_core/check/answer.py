"""How a check calls a student's answer, whether it runs in this process or in the judge's runner.

A check receives an `Answer` and calls it like the function that the student wrote:

    q = answer(keys, j, beta)                    # one call
    cuts = answer.map([(text, 128, Seeded(s)) for s in seeds])   # many calls, one round trip

Arguments and results cross as *values* (`kqa_core.check.codec`): None, bool, int, float, complex, str, list,
tuple, dict, torch tensors, numpy arrays, sympy expressions and matrices. Anything else comes back as an
opaque `Handle`, which can be passed on as an argument, or read with `answer.attribute(handle, name)`.

Two markers represent arguments that are made in the process that runs the answer:
- `Seeded(seed)`: becomes `random.Random(seed)`
- `Build("kqa_core.model.gpt:GPT", args, kwargs)`: becomes the result of calling that public name of
  `kqa_core`, or of the course's exercises
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Seeded:
    """An argument that becomes `random.Random(seed)` in the answer's process."""

    seed: int


@dataclass(frozen=True)
class Build:
    """An argument built in the answer's process by calling `target`
    ("module:attribute" in kqa_core or course_exercises) with values.
    """

    target: str
    args: tuple[object, ...] = ()
    kwargs: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Handle:
    """A result that is not a value: its number,
    and the name of its type (for messages only; never trust the name).
    """

    number: int
    type_name: str


class AnswerFailed(Exception):
    """The answer gave no value. `incident` is None if the student's code raised,
    else it names what stopped the code.
    """

    incident: str | None = None


class AnswerRaised(AnswerFailed):
    """The student's code raised. `kind` is the builtin exception's name (or "Exception").

    `stub` names the exercise whose untouched solution cell raised, if one did: the one that is checked, or
    one that it calls. `line` says where in the student's cells, if the answer knows it, and `number` which
    one of several calls it was, from 0. `call` is that call in words, where a student may read it.
    """

    def __init__(
        self, kind: str, message: str = "", stub: str | None = None, line: str = "", number: int = 0
    ) -> None:
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind, self.message, self.stub, self.line, self.number = kind, message, stub, line, number
        self.call = ""


class ArgumentFailed(AnswerRaised):
    """An argument could not be built in the answer's process (`Build`):
    what raised is not the student's function.
    """


class AnswerMissing(AnswerFailed):
    """The notebook defines no such name."""


class AnswerTimeout(AnswerFailed):
    """No value within the call's time. `clock` says which one struck: that of the "processor", "waiting"
    where the code mostly slept, or "wall", on a machine that was too busy to run it.
    """

    incident = "time"

    def __init__(self, message: str = "", clock: str = "processor") -> None:
        super().__init__(message)
        self.clock = clock


class AnswerDied(AnswerFailed):
    """The process that ran the answer ended, or was stopped for passing a limit."""

    def __init__(self, message: str = "", incident: str = "died") -> None:
        super().__init__(message)
        self.incident = incident


class AnswerUnreadable(AnswerFailed):
    """The result is too large, too deep or not in the protocol."""

    incident = "output"


class Answer(Protocol):
    """A student's answer, as a check sees it. Every method may raise `AnswerFailed`."""

    def __call__(self, *args: object) -> object:
        """The value of one call."""

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """The values of many calls, in order; the first failure is raised."""

    def rewind(self, count: int) -> None:
        """Let the next `count` calls see the same global random numbers as the last `count`."""

    def attribute(self, handle: Handle, name: str) -> object:
        """`getattr` on a result that came back as a handle."""

    def method(self, handle: Handle | Build, name: str, *args: object) -> object:
        """Call a method of a result that came back as a handle. A `Build` may stand in place of the handle:
        its object is made in the answer's process, where a student's text may be run as code.
        """
