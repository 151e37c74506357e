"""Exercise early_stopping: which epoch's weights are kept, and after which epoch training ends."""

from __future__ import annotations

import math
import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number

# validation losses from epoch 0 on, the patience, and the right pair
Case = tuple[list[float], int, tuple[int, int]]

PLAIN: Case = ([0.69, 0.50, 0.40, 0.45, 0.60, 0.80], 2, (2, 4))
RISES_ONCE: Case = ([0.69, 0.50, 0.55, 0.40, 0.42, 0.44, 0.46], 2, (3, 5))
BEYOND: Case = ([0.69, 0.40, 0.50, 0.45, 0.30], 2, (1, 3))  # the lowest loss comes after the end
EQUAL: Case = ([0.7, 0.5, 0.5, 0.5, 0.4], 2, (1, 3))  # an equal loss is no improvement
BARELY: Case = ([0.7, 0.5, 0.4999, 0.6, 0.49985, 0.7, 0.8], 2, (4, 6))  # any lower loss is one
FROM_THE_START: Case = ([0.5, 0.6, 0.7, 0.8, 0.3], 3, (0, 3))
# a loss that is not a number is no improvement
BROKEN: Case = ([0.7, 0.5, math.nan, math.nan, 0.2], 2, (1, 3))
MENDED: Case = ([0.7, math.nan, 0.5, math.nan, 0.4], 2, (4, 4))
WORSE: Case = ([0.5, math.nan, 0.6, 0.7, 0.8], 2, (0, 2))  # it is neither better than a number nor skipped
ONE: Case = ([0.6], 3, (0, 0))
ZERO: Case = ([0.5, 0.0, 0.3, 0.2, 0.1], 2, (1, 3))  # a loss like all others
LARGE: Case = ([1200.0, 900.0, 950.0, 940.0, 930.0], 2, (1, 3))
BELOW_ZERO: Case = ([-0.5, -0.7, -0.6, -0.9, -0.8, -0.85, -1.0], 2, (3, 5))  # log densities can be above 0
CLOSE: Case = ([0.7, 0.5, 0.4999998, 0.6, 0.49999965, 0.6, 0.7], 2, (4, 6))
NAN_TO_THE_END: Case = ([0.5, *[math.nan] * 6], 8, (0, 6))
NAN_FOR_LONG: Case = ([0.5, *[math.nan] * 4, 0.4, 0.6], 5, (5, 6))
AT_ONCE: Case = ([0.5, 0.6, 0.4], 1, (0, 1))
INFINITE: Case = ([0.7, math.inf, 0.5, math.inf, 0.6, 0.4], 2, (2, 4))
PATIENT: Case = ([1 - min(epoch, 125) // 25 / 100 for epoch in range(156)] + [0.5] * 9, 30, (125, 155))
NEVER: Case = ([0.69, 0.60, 0.50, 0.45], 2, (3, 3))
NOT_YET_OVER: Case = ([0.69, 0.50, 0.60], 2, (1, 2))
SMALL = (
    PLAIN,
    RISES_ONCE,
    BEYOND,
    NEVER,
    NOT_YET_OVER,
    EQUAL,
    BARELY,
    FROM_THE_START,
    BROKEN,
    MENDED,
    WORSE,
    ONE,
    ZERO,
    LARGE,
    BELOW_ZERO,
    CLOSE,
    NAN_TO_THE_END,
    NAN_FOR_LONG,
    AT_ONCE,
    INFINITE,
    PATIENT,
)


def drawn(rng: random.Random) -> Case:
    """Epochs that improve, at most `patience` apart;
    then some that do not, and sometimes lower losses after the end.
    """
    patience, improvements = rng.randint(1, 4), rng.randint(0, 4)
    kept, level, losses = 0, 90, [0.9]
    for _ in range(improvements):
        best, gap, level = level, rng.randint(1, patience), level - rng.randint(2, 9)
        losses += [rng.randint(best, 99) / 100 for _ in range(gap - 1)] + [level / 100]
        kept += gap
    worse = rng.choice((0, patience - 1, patience, patience))
    losses += [rng.randint(level, 99) / 100 for _ in range(worse)]
    if worse == patience:
        losses += [rng.randint(1, 99) / 100 for _ in range(rng.randint(0, 3))]
    return losses, patience, (kept, kept + worse)


def read_pair(value: object) -> tuple[float, float]:
    """(kept, last) of an answer. Raises NotYet unless it is a pair of numbers."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        count = f" with {len(value)} entries" if isinstance(value, (list, tuple)) else ""
        raise NotYet(f"return the pair (kept, last); yours is {kind_of(value)}{count}")
    return number(value[0], "kept"), number(value[1], "last")


def agrees(answer: Answer, losses: list[float], patience: int, wanted: tuple[int, int]) -> None:
    """Raise NotYet unless the pair is right for this case."""
    kept, last = read_pair(answer(list(losses), patience))
    shown = str(losses) if len(losses) < 50 else f"{str(losses[:9])[:-1]}, …] of {len(losses) - 1} epochs"
    about = f"with validation losses {shown} and patience {patience}"
    for name, value in (("kept", kept), ("last", last)):
        expect(value % 1 == 0, f"{about}, {name} is the number of an epoch; yours is {value:g}")
    expect(
        (kept, last) != wanted[::-1] or wanted[0] == wanted[1],
        f"{about}, the pair (kept, last) is {wanted}; yours is ({kept:g}, {last:g})",
    )
    expect(
        last == wanted[1],
        f"{about}, training ends after epoch {wanted[1]} (the list starts with epoch 0); you say {last:g}",
    )
    equal = kept in range(len(losses)) and losses[int(kept)] == losses[wanted[0]]
    expect(
        kept == wanted[0],
        f"{about}, epoch {wanted[0]} is the {'earliest' if equal else 'one'} with the lowest loss of"
        f" the epochs 0 to {wanted[1]}; you keep epoch {kept:g}",
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Small cases, and random ones."""
    for case in (*SMALL, *(drawn(rng) for _ in range(6))):
        agrees(answer, *case)
    leaves_alone(answer, ("validation_losses",), [0.7, 0.5, math.nan, math.nan, 0.9, 0.2], 2)
    return right("you keep the best epoch that training has seen, also with equal losses and nan")


EXERCISE = Exercise(
    id="early_stopping",
    title="Stop early, and keep the best epoch",
    order=12,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="Prechelt 1998, Early stopping - but when?; Washington §4.2",
    hints=(
        (
            "Walk through the epochs as training does: at epoch 3 you know the losses up to epoch 3, and"
            " nothing after it. Which two things must you remember from epoch to epoch?"
        ),
        (
            "Remember the epoch with the lowest loss so far, and how many epochs have passed since. A lower"
            " loss resets the count. When the count reaches patience, training ends."
        ),
        (
            "With losses [0.7, 0.5, 0.6, 0.4, 0.5, 0.5, 0.3] and patience 2: epoch 1 is best, epoch 2 waits"
            " (1), epoch 3 is best (count back to 0), epoch 4 waits (1), epoch 5 waits (2): the answer is (3,"
            " 5). Epoch 6 is never trained."
        ),
    ),
    check=check,
)
