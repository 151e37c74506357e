"""Answer key of find_the_leak.

Every machine of `course_exercises._leaks` must be judged correctly, most of them in two shapes: guessing
succeeds once in 2⁵². A right answer is never refused by chance. Clean machines keep the past bit for bit.
Most leaks are smooth functions of normal numbers, so they change their output with probability 1. The
smallest changes it by about 1e-6, a thousand times the tolerance of 1e-9; `test_05_find_the_leak.py` measures
it. The leaks of `JUMPS` read at least 110 signs; new random numbers change half of them.
"""

from __future__ import annotations

import random

import torch
from course_exercises._leaks import CLEAN, JUMPS, LEAKY, machine
from course_exercises.find_the_leak import Case, call, leaks
from course_keys import _leak_mistakes
from torch import Tensor

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.check.helpers.read_values import truth

ALONE = (1, 2, 4)  # the smallest shape with a future
LARGER = {
    **{"two ahead": (1, 3, 4), "last but one reads the last": (1, 4, 4), "first reads the second": (1, 4, 4)},
    **dict.fromkeys(JUMPS, (1, 12, 10)),
}
# One of four components is read or written. The one that is written moves downwards in half of the draws.
ONE_COMPONENT: list[Case] = [("one component written", ALONE), ("one component read", ALONE)] * 24


def cases() -> list[Case]:
    """Every machine in a batch of three, and alone where no other row is needed;
    no future; more positions than components.
    """
    found: list[Case] = [(how, (3, 7, 6)) for how in (*CLEAN, *LEAKY)]
    found += [
        (how, LARGER.get(how, ALONE))
        for how in (*CLEAN, *LEAKY)
        if how not in ("next row's next", "other rows' next", "middle row only")
    ]
    return [
        *found,
        ("attention", (2, 1, 4)),
        ("row norm", (2, 1, 4)),
        ("last but one reads the last", (1, 7, 2)),
        ("last but one reads the last", (2, 50, 4)),
        *[("one position only", (1, 9, 4)), ("one position only", (2, 24, 2))] * 5,
    ]


def change(forward: Build, x: Tensor) -> float:
    """How much outputs before s change where the input changes from s on, for the s of the largest change."""
    function, generator = machine(*forward.args), torch.Generator().manual_seed(0)  # type: ignore[arg-type]  # call's
    before, most = function(x), 0.0
    for s in range(1, x.shape[1]):
        other = x.clone()
        other[:, s:] = torch.randn(other[:, s:].shape, generator=generator, dtype=x.dtype)
        most = max(most, float((function(other) - before)[:, :s].abs().max()))
    return most


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every machine, in random order."""
    drawn = [*cases(), *ONE_COMPONENT]
    drawn = rng.sample(drawn, len(drawn))
    calls = [call(case, rng) for case in drawn]
    said = [truth(value, "what the probe says") for value in answer.map(calls)]
    missed, accused = (
        [
            args
            for case, args, each in zip(drawn, calls, said, strict=True)
            if each is wrong and leaks(case) is not wrong
        ]
        for wrong in (False, True)
    )
    of = f"of {len(drawn)} functions, your probe"
    for forward, x in missed[:1]:
        raise NotYet(
            f"{of} misses {len(missed)} of those that read a later position, such as one for x"
            f" {tuple(x.shape)}. With new normal numbers from one position on, earlier outputs of this one"
            f" change by up to {change(forward, x):.1g}"
        )
    for _, x in accused[:1]:
        raise NotYet(
            f"{of} accuses {len(accused)} of those that read no later position, such as one for x"
            f" {tuple(x.shape)}"
        )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every machine, in order, and two witnesses, which tell apart probes that always accuse."""
    # the only leak shows where the input is changed from position 4 on, or from 1 on
    one_place: list[Case] = [
        ("last but one reads the last", (1, 5, 6)),
        ("first reads the second", (1, 5, 6)),
    ]
    short = [case for case in cases() if case[1][1] < 20]  # two mistakes do not differ in long rows only
    machines = [call(case, rng) for case in (*short, *ONE_COMPONENT[:16], *one_place * 4)]
    return [
        *machines,
        *(
            (Build("course_exercises._leaks:witness", (what,)), machines[0][1])
            for what in ("delayed", "changed")
        ),
    ]


def find_the_leak(forward, x):
    """The reference."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def another_future(forward, x):
    """One other input; each prefix of x is continued with it, several times with other numbers."""
    T = x.shape[1]
    before = forward(x)
    for _ in range(3):
        other = torch.randn_like(x)
        for s in range(1, T):
            past = (torch.arange(T) < s)[:, None]  # (T, 1)
            if (forward(torch.where(past, x, other)) - before)[:, :s].abs().max() > 1e-12:
                return True
    return False


def noise_added(forward, x):
    """Adds noise to the future, from the last position to the first, and counts the outputs that differ."""
    past, differing = forward(x), 0
    for s in reversed(range(1, x.shape[1])):
        noise = torch.randn(x.shape, dtype=x.dtype)
        noise[:, :s] = 0
        differing += int((forward(x + noise)[:, :s] != past[:, :s]).sum())
    return differing > 0


def to_nine_digits(forward, x):
    """From the last position to the first, compared to nine digits."""
    before = forward(x)
    leak = False
    for s in range(x.shape[1] - 1, 0, -1):
        other = torch.cat((x[:, :s], torch.randn_like(x[:, s:])), dim=1)
        leak |= (forward(other)[:, :s] - before[:, :s]).abs().max().item() > 1e-9
    return leak


def one_position_at_a_time(forward, x):
    """An influence map, one changed position a column."""
    T = x.shape[1]
    before, moved = forward(x), torch.zeros(T, T, dtype=torch.bool)
    for s in range(T):
        changed = x.clone()
        changed[:, s] += 3.0 * torch.randn_like(x[:, s])
        moved[:, s] = (forward(changed) != before).any(dim=2).any(dim=0)
    return bool(moved.triu(diagonal=1).any())


def by_zeroes(forward, x):
    """Your new future holds no positive number; perhaps it is zero. A function that asks only whether later
    numbers are positive does not notice this if none was. Use new random numbers.
    """
    before = forward(x)
    zeroes = [torch.cat((x[:, :s], torch.zeros_like(x[:, s:])), dim=1) for s in range(1, x.shape[1])]
    return any(not torch.equal(forward(each)[:, :s], before[:, :s]) for s, each in enumerate(zeroes, 1))


KEY = AnswerKey(
    id="find_the_leak",
    hidden=hidden,
    reference=find_the_leak,
    accepted=(another_future, noise_added, to_nine_digits, one_position_at_a_time),
    rejected=(*_leak_mistakes.REJECTED, by_zeroes),
    fingerprint=fingerprint,
    commentary=(
        "The function is a black box, so the only way is to call it. For every $s$, everything from position"
        " $s$ on is replaced by new random numbers in all rows at once, and the outputs before $s$ must be"
        " the same to the last bit. Random numbers matter: reversed signs or another order leave a norm"
        " unchanged, an added number disappears in a LayerNorm, and a positive factor changes no sign. A"
        " derivative is not enough either, because it is 0 where an output changes in jumps. The loop over"
        " all $s$ matters because a leak may reach only one position. Exact comparison works because a masked"
        " weight is exactly 0. No probe finds every leak: one that needs a rare input stays hidden."
    ),
)
