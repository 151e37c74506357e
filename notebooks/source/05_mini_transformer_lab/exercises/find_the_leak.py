"""Exercise find_the_leak: a test that shows whether a function depends on the future."""

from __future__ import annotations

import random

import torch
from course_exercises._leaks import CLEAN
from torch import Tensor

from kqa_core.check.answer import Answer, ArgumentFailed, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers import effects
from kqa_core.check.helpers.read_values import truth

# what a probe that accuses this witness of `_leaks` may do wrong; the first that is accused is named
ALARMS = (
    (
        "constant",
        (
            "it compares something else than two outputs at the same positions, or returns True if they are"
            " equal (it accuses a function that always returns ones, too)"
        ),
    ),
    (
        "not a number",
        "it writes nan or inf into the input, and even a weight of 0 gives 0 · nan = nan",
    ),
    (
        "changed",
        (
            "it changes a tensor in place that forward has already had, perhaps x itself. One change adds to"
            " the next, and one that is taken back leaves other last bits. Make a new copy for every s:"
            " x.clone()"
        ),
    ),
    (
        "cut",
        (
            "it calls forward with an input of another length, and what is computed may depend on it. Keep"
            " the shape of x"
        ),
    ),
    (
        "drift",
        (
            "numbers of its first input come again with other last bits, as after a change that is taken back"
            " by computing, or after another type. Make a new copy for every s: x.clone()"
        ),
    ),
    (
        "delayed",
        (
            "it compares outputs after the first change of the input, and these may change: where the input"
            " changes from s on, only the outputs before s must stay"
        ),
    ),
    (
        "twice",
        (
            "it compares the output at a position whose input it changes: where the input changes from s on,"
            " compare [:, :s]"
        ),
    ),
)
Case = tuple[str, tuple[int, int, int]]  # the function's name in `_leaks`, and the shape of x


def call(case: Case, rng: random.Random) -> tuple[Build, Tensor]:
    """The arguments for one case: the function, and an input for it, of negative numbers if it asks whether
    they are positive.
    """
    how, shape = case
    generator = torch.Generator().manual_seed(rng.getrandbits(48))
    x: Tensor = torch.randn(*shape, generator=generator, dtype=torch.float64)
    x = -x.abs() if how == "whether positive" else x
    return Build("course_exercises._leaks:machine", (how, shape[2], rng.getrandbits(30))), x


def leaks(case: Case) -> bool:
    """Whether an output depends on an input at a later position."""
    how, (_, length, _) = case
    return how not in CLEAN and length > 1


def cause(answer: Answer, rng: random.Random) -> str:
    """A possible cause for a false alarm, as the end of a sentence; empty if no witness shows it."""
    _, x = call(("itself", (2, 6, 4)), rng)
    if not truth(answer(*call(("no mask", (2, 6, 4)), rng)), "the answer"):
        return f"; it does not accuse attention without a mask. {POSSIBLE}its answer is inverted"
    accused = (
        said
        for what, said in ALARMS
        if truth(answer(Build("course_exercises._leaks:witness", (what,)), x), "the answer")
    )
    return "".join(f". {POSSIBLE}{said}" for said in [next(accused, "")] if said)


def x_is_kept(answer: Answer, rng: random.Random) -> None:
    """NotYet if the probe leaves other numbers in x, after it has found a leak or none.
    Its verdicts must have been right.
    """
    for how, verdict in (("attention", "without"), ("no mask", "with")):
        forward, x = call((how, (2, 6, 4)), rng)
        answer(forward, Build(f"{effects.__name__}:given", (0, x)))
        try:
            answer(forward, Build(f"{effects.__name__}:same", (0, x)))
        except ArgumentFailed:
            raise NotYet(
                f"your verdicts are right, but x has other numbers after a call for a function {verdict} a"
                " leak. Change a copy: x.clone()"
            ) from None


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Functions without a leak and with one,
    among them the re-weighting of this notebook; x is not changed.

    Rounding may let a millionth pass or not: five times. Where only one of four components is read or
    written, another one may be it each time: six times, one probe in 4,000 has been lucky with its component.
    The one that is written goes down half of the time.
    """
    cases: list[tuple[Case, str]] = [
        (("attention", (2, 6, 4)), "causal attention"),
        (("no mask", (2, 6, 4)), "attention without a mask"),
        (("running norm", (2, 6, 4)), "heads re-weighted by a norm over the past"),
        (("row norm", (2, 6, 4)), "heads re-weighted by a norm over the whole row"),
        (("mask off by one", (1, 5, 6)), "attention whose mask lets t read t + 1"),
        (
            ("first reads the second", (2, 6, 4)),
            "a function in which only position 0 reads ahead, position 1,",
        ),
        (
            ("last but one reads the last", (2, 6, 4)),
            "a function in which only the last position but one reads ahead, the last,",
        ),
        (("next row's next", (3, 6, 4)), "a function in which a row reads later positions of another row"),
        (("one part in a million", (2, 6, 4)), "a function that adds a millionth of the next position"),
        *[
            (
                ("one part in a million", (1, 2, 4)),
                "a function of two positions that adds a millionth of the next one",
            )
        ]
        * 4,
        (("two ahead", (2, 6, 4)), "a function in which t reads t + 2"),
        (
            ("row size", (2, 6, 4)),
            "a function that divides by the size of all numbers of a row, whatever their signs,",
        ),
        (("batch mean here", (3, 6, 4)), "a function that reads the other rows at the same position"),
        (
            ("last row only", (3, 6, 4)),
            "a function in which only the last row of the batch reads its own next position",
        ),
        (
            ("directions", (2, 6, 4)),
            "a function that uses the mean direction of all vectors of a row, whatever their lengths,",
        ),
        (
            ("middle row only", (3, 6, 4)),
            "a function in which only the middle row of the batch reads its own next position",
        ),
        (
            ("other rows' next", (3, 6, 4)),
            "a function in which each row reads the next position of all other rows, and not its own,",
        ),
        (
            ("last but one reads the last", (1, 7, 2)),
            "a function of seven positions in which only the last but one reads ahead, the last,",
        ),
        *[(("one position only", (1, 9, 4)), "a function of which only one of nine positions reads the next")]
        * 6,
        (
            ("last but one reads the last", (1, 40, 2)),
            "a function of forty positions of which one leaks",
        ),
        (("per length", (2, 6, 4)), "causal attention, divided by the number of positions,"),
        (("row number", (3, 6, 4)), "causal attention, times the number of the row in its batch,"),
        *[
            (
                ("one component read", (2, 6, 4)),
                "a function that reads one component of the next position only",
            )
        ]
        * 6,
        *[
            (
                ("one component written", (2, 6, 4)),
                "a function in which one component of the output only reads the next position",
            )
        ]
        * 6,
        *[
            (
                ("one component written", (1, 2, 4)),
                "a function of two positions in which one component of the output reads the next position",
            )
        ]
        * 8,
        (("signs", (2, 8, 6)), "a function that uses only the signs of the next position"),
        (
            ("whether positive", (2, 8, 6)),
            "a function that uses only whether the numbers of the next position are positive (in x none is)",
        ),
        (
            ("opposite signs", (2, 6, 4)),
            "a function whose components are a sum of signs of the next position and its opposite, in turn,",
        ),
        (
            ("signs after LayerNorm", (2, 8, 6)),
            "a function that uses only whether a number of the next position is above the mean of its vector",
        ),
    ]
    values = answer.map([call(case, rng) for case, _ in cases])
    for (case, name), value in zip(cases, values, strict=True):
        said = truth(value, "what the probe says")
        given = f"for x {case[1]}: {name}"
        expect(said or not leaks(case), f"{given} reads the future, and your probe says it does not")
        if said and not leaks(case):
            raise NotYet(f"{given} reads no later position, and your probe says it does{cause(answer, rng)}")
    x_is_kept(answer, rng)
    return right(
        "your probe finds all leaks of this check and raises no false alarm; when it is graded, it meets more"
        " kinds of functions"
    )


EXERCISE = Exercise(
    id="find_the_leak",
    title="Find out whether a function reads the future",
    order=11,
    points=5,
    difficulty=4,
    importance=5,
    minutes=35,
    source="after the Washington mini-Transformer lab, §2.2",
    reserved=("kqa_core.evaluation.probes:reads_the_future",),
    hints=(
        (
            "You cannot look into the function, but you can call it. If you change later inputs, what must"
            " not change?"
        ),
        (
            "For each position s, change the input from s on in a copy of x, to new random numbers, and"
            " compare the outputs before s with the original ones. Think of leaks that a single s, a single"
            " row or a coarse comparison would miss."
        ),
        (
            "before = forward(x); for s in range(1, T): other = x.clone(); other[:, s:] ="
            " torch.randn_like(other[:, s:]); the past is before[:, :s] and forward(other)[:, :s]. A single"
            " differing bit is enough, so torch.equal may compare them."
        ),
    ),
    check=check,
)
