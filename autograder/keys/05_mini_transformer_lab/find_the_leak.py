"""Answer key of find_the_leak.

Every machine of `course_exercises._leaks` must be judged rightly, most of them in two shapes: guessing does that once in 2³⁹. A
right answer is never refused by bad luck: clean machines keep the past bit for bit, and every leak is a smooth function of normal
numbers, which differs from what it was with probability 1 (the faintest by about 1e-6, a thousand times what a tolerance of 1e-9
lets pass; `test_05_find_the_leak.py` measures it).
"""

from __future__ import annotations

import random

import torch
from course_exercises._leaks import CLEAN, LEAKY
from course_exercises.find_the_leak import Case, call, leaks

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import truth

SHORTEST = {"two ahead": 3, "last but one reads the last": 4, "first reads the second": 4}


def cases() -> list[Case]:
    """Every machine in a batch of three, once more alone where no other row is needed, and two that have no future."""
    found: list[Case] = [(how, (3, 7, 6)) for how in (*CLEAN, *LEAKY)]
    found += [(how, (1, SHORTEST.get(how, 2), 4)) for how in (*CLEAN, *LEAKY) if how != "next row's next"]
    return [*found, ("attention", (2, 1, 4)), ("row norm", (2, 1, 4))]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every machine, in random order."""
    drawn = cases()
    drawn = rng.sample(drawn, len(drawn))
    values = answer.map([call(case, rng) for case in drawn])
    said = [truth(value, "what the probe says") for value in values]
    missed = sum(leaks(case) and not each for case, each in zip(drawn, said, strict=True))
    accused = sum(each and not leaks(case) for case, each in zip(drawn, said, strict=True))
    expect(missed == 0, f"of {len(drawn)} functions, your probe misses {missed} that read a later position")
    expect(accused == 0, f"of {len(drawn)} functions, your probe accuses {accused} that read no later position")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Every machine, in order."""
    return [call(case, rng) for case in cases()]


def find_the_leak(forward, x):
    """The reference."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def by_gradients(forward, x):
    """The gradient of each position's output must be zero at every later input."""
    x = x.clone().requires_grad_()
    weights = torch.randn(x.shape[-1], dtype=x.dtype)
    for t in range(x.shape[1]):
        out = forward(x)[:, t] @ weights  # (B,)
        for row in out:
            (gradient,) = torch.autograd.grad(row, x, retain_graph=True)
            if gradient[:, t + 1 :].abs().sum() > 0:
                return True
    return False


def by_jacobian(forward, x):
    """All derivatives at once, and a triangle of them must be nothing."""
    jacobian = torch.autograd.functional.jacobian(forward, x)  # (B, T, D, B, T, C)
    reads = jacobian.abs().amax(dim=(0, 2, 3, 5))  # (T, T)
    return bool(reads.triu(1).max() > 1e-12)


def by_zeroes(forward, x):
    """Wipes the future out and compares to nine digits."""
    before = forward(x)
    leak = False
    for s in range(x.shape[1] - 1, 0, -1):
        other = torch.cat((x[:, :s], torch.zeros_like(x[:, s:])), dim=1)
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


def by_cutting(forward, x):
    """What a shorter row gives must be the beginning of what the longer one gives."""
    whole = forward(x)
    return any(not torch.allclose(forward(x[:, :s]), whole[:, :s], rtol=0, atol=1e-9) for s in range(1, x.shape[1]))


def last_only(forward, x):
    """You change the last position only; a function may read another later position and never the last. Try every s."""
    changed = x.clone()
    changed[:, -1] = torch.randn_like(changed[:, -1])
    return not torch.equal(forward(changed)[:, :-1], forward(x)[:, :-1])


def first_output_only(forward, x):
    """You look at the first output only; position 0 may be innocent where a later one reads ahead. Compare all that comes
    before the change.
    """
    changed = x.clone()
    changed[:, 1:] = torch.randn_like(changed[:, 1:])
    return not torch.equal(forward(changed)[:, 0], forward(x)[:, 0])


def in_the_middle(forward, x):
    """You cut the row at its middle only; a leak between two neighbours in one half stays unseen. Try every s."""
    s = (x.shape[1] + 1) // 2
    changed = x.clone()
    changed[:, s:] = torch.randn_like(changed[:, s:])
    return not torch.equal(forward(changed)[:, :s], forward(x)[:, :s])


def coarse(forward, x):
    """You compare with the tolerance that allclose has of itself, 1e-5; a faint leak is a leak, and a model can be trained to
    use it. In float64 1e-9 is wide enough.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.allclose(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def signs_turned(forward, x):
    """You turn the signs of the future; a norm does not see signs, so who divides by the row's size passes for clean. Put other
    numbers there.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = torch.cat((x[:, :s], -x[:, s:]), dim=1)
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def turned_round(forward, x):
    """You only put the future into another order; a mean or a norm over the row (nearly) keeps its value then. Put other
    numbers there.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = torch.cat((x[:, :s], x[:, s:].flip(1)), dim=1)
        if not torch.allclose(forward(changed)[:, :s], before[:, :s], rtol=0, atol=1e-9):
            return True
    return False


def next_only(forward, x):
    """You change position t + 1 alone and look at t; whoever reads t + 2 is not found. Change everything from s on."""
    before = forward(x)
    for t in range(x.shape[1] - 1):
        changed = x.clone()
        changed[:, t + 1] = torch.randn_like(changed[:, t + 1])
        if not torch.equal(forward(changed)[:, t], before[:, t]):
            return True
    return False


def own_row_only(forward, x):
    """You change one row of the batch and look at that row; the future can also come from another row's later positions.
    Change all rows, and compare all.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[0, s:] = torch.randn_like(changed[0, s:])
        if not torch.equal(forward(changed)[0, :s], before[0, :s]):
            return True
    return False


def rows_must_not_mix(forward, x):
    """You accuse whoever reads another row of the batch; at the same position or an earlier one that is not the future."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    changed = x.clone()
    changed[0] = torch.randn_like(changed[0])
    return not torch.equal(forward(changed)[1:], before[1:])


def poison(forward, x):
    """You write nan into the future; a masked weight is 0, but 0 · nan is nan, and so innocent attention looks guilty. Write
    numbers.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = float("nan")
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return True
    return False


def with_the_changed_one(forward, x):
    """You compare position s too, which you changed yourself: of course its output moves. Compare what lies before it."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, : s + 1], before[:, : s + 1]):
            return True
    return False


def copy_unused(forward, x):
    """You change x itself after a copy that is no copy, or run the function on the unchanged x: both outputs are of the same
    input, and nothing is ever found. Take x.clone(), and give the function the changed one.
    """
    for s in range(1, x.shape[1]):
        changed = x
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], forward(x)[:, :s]):
            return True
    return False


def innocent(forward, x):
    """Your probe answers the opposite question: return True where the function does read the future."""
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, s:] = torch.randn_like(changed[:, s:])
        if not torch.equal(forward(changed)[:, :s], before[:, :s]):
            return False
    return True


def the_past(forward, x):
    """You change the past and look at what comes after it: that is what attention is for. Change what lies behind s, compare
    what lies before it.
    """
    before = forward(x)
    for s in range(1, x.shape[1]):
        changed = x.clone()
        changed[:, :s] = torch.randn_like(changed[:, :s])
        if not torch.equal(forward(changed)[:, s:], before[:, s:]):
            return True
    return False


KEY = AnswerKey(
    id="find_the_leak",
    hidden=hidden,
    reference=find_the_leak,
    accepted=(by_gradients, by_jacobian, by_zeroes, one_position_at_a_time, by_cutting),
    rejected=(
        *(last_only, first_output_only, in_the_middle, coarse, signs_turned, turned_round, next_only, own_row_only),
        *(rows_must_not_mix, poison, with_the_changed_one, copy_unused, innocent, the_past),
    ),
    fingerprint=fingerprint,
)
