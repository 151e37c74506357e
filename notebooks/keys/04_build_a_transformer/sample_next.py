"""Answer key of sample_next."""

from __future__ import annotations

import math
import random

import torch
from course_exercises.sample_next import cases, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right

# temperature, scale of the logits
LEVELS = ((1.0, 2.0), (0.25, 1.0), (3.0, 4.0), (0.0, 2.0), (0.002, 40.0), (1.0, 400.0))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Several temperatures and vocabularies, very small and very large ones; tiny shares; u near either end;
    equal logits.
    """
    for temperature, scale in LEVELS:
        for vocab_size in (2, 7, 30):
            for logits, at, u, token in cases(rng, vocab_size, temperature, scale):
                judge(answer(logits, at, u), logits, at, token, u)
    for temperature, scale in ((900.0, 700.0), (1e-4, 1e-4), (5, 3.0), (1, 1.0)):
        for logits, at, u, token in cases(rng, 4, temperature, scale):
            judge(answer(logits, at, u), logits, at, token, u)
    several = cases(rng, 300, 1.0, 0.5, least=0.0)
    for logits, at, u, token in (*several[::40], *cases(rng, 3, 1.0, 8.0, least=1e-5), *cases(rng, 1, 0.7)):
        judge(answer(logits, at, u), logits, at, token, u)
    even = torch.zeros(4, dtype=torch.float64)
    for u, token in ((0.0, 0), (0.2499, 0), (0.2501, 1), (0.9999999, 3)):
        judge(answer(even, 1.0, u), even, 1.0, token, u)
    for inside in ((1e-6, 1e-3), (1 - 1e-3, 1 - 1e-6)):
        for temperature, scale in ((1.0, 1.0), (0.05, 0.05), (7.0, 5.0)):
            for logits, at, u, token in cases(rng, 6, temperature, scale, inside):
                judge(answer(logits, at, u), logits, at, token, u)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Some tokens at several temperatures, and several u at temperature 0,
    where the last token is the most probable.
    """
    found = [case for temperature in (1.0, 2.0, 0.5) for case in cases(rng, 6, temperature)]
    best_last = torch.tensor([0.5, 1.0, -0.3, 0.8, 1.2], dtype=torch.float64)
    cold = [(best_last, 0.0, u) for u in (0.05, 0.4, 0.7, 0.95)]
    return [*((logits, temperature, u) for logits, temperature, u, _ in found), *cold]


def sample_next(logits, temperature, u):
    """The reference."""
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)  # (n_vocab,)
    return min(int((sums <= u).sum()), len(logits) - 1)


def searched(logits, temperature, u):
    """Finds the place of u among the running sums."""
    if not temperature:
        return torch.argmax(logits)
    sums = torch.cumsum((logits / temperature).softmax(0), 0)
    return torch.searchsorted(sums[:-1].contiguous(), torch.tensor(u, dtype=sums.dtype), right=True)


def in_a_loop(logits, temperature, u):
    """Takes shares off u until it is used up."""
    values = logits.tolist()
    top = max(values)
    if temperature == 0:
        return values.index(top)
    powers = [math.exp((value - top) / temperature) for value in values]
    left = u * sum(powers)
    for token, power in enumerate(powers):
        if left < power:
            return token
        left -= power
    return len(values) - 1


def first_beyond(logits, temperature, u):
    """The first running sum beyond u, with the last one set to 1."""
    if temperature < 1e-9:
        return logits.max(dim=-1).indices.item()
    shifted = (logits - logits.max()) / temperature
    powers = torch.exp(shifted)
    sums = torch.cumsum(powers, -1) / powers.sum()
    sums[-1] = 1.0
    return int(torch.nonzero(sums > u)[0])


def from_the_top(logits, temperature, u):
    """Counts from the other end."""
    if temperature == 0:
        return int(torch.sort(logits, descending=True, stable=True).indices[0])
    shares = torch.log_softmax(logits.double() / temperature, -1).exp()
    for token in range(len(shares) - 1, 0, -1):
        if float(shares[:token].sum()) <= u:
            return token
    return 0


def always_the_best(logits, temperature, u):
    """You always take the most probable token.
    Above temperature 0, every token should appear with its probability.
    """
    return int(logits.argmax())


def temperature_ignored(logits, temperature, u):
    """Your temperature has no effect: divide the logits by it, before the softmax."""
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits, dim=-1).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def multiplied(logits, temperature, u):
    """You multiply the logits by the temperature.
    Divide by it: a low temperature makes the distribution sharper.
    """
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits * temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def after_the_softmax(logits, temperature, u):
    """You divide the probabilities by the temperature, so they no longer add up to 1.
    Divide the logits, before the softmax.
    """
    if temperature == 0:
        return int(logits.argmax())
    sums = (torch.softmax(logits, dim=-1) / temperature).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def divided_by_zero(logits, temperature, u):
    """At temperature 0 token 0 is always returned, as when logits divided by 0 are infinite or nan.
    Temperature 0 means the most probable token.
    """
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def uniform_at_zero(logits, temperature, u):
    """At temperature 0 you use temperature 1. Temperature 0 means the most probable token."""
    sums = torch.softmax(logits / (temperature or 1.0), dim=-1).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def no_softmax(logits, temperature, u):
    """You add up logits. Take the softmax first, which makes them probabilities."""
    if temperature == 0:
        return int(logits.argmax())
    sums = (logits / temperature).cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def sorted_first(logits, temperature, u):
    """You sort the probabilities and return the place in the sorted list.
    Return the number of the token itself.
    """
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).sort(descending=True).values.cumsum(dim=-1)
    return min(int((sums <= u).sum()), len(logits) - 1)


def one_too_far(logits, temperature, u):
    """You return the token after the right one. Tokens should be counted from 0."""
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums <= u).sum()) + 1, len(logits) - 1)


def share_above_u(logits, temperature, u):
    """You look for a probability greater than u. Compare u with the running sums of the probabilities."""
    if temperature == 0:
        return int(logits.argmax())
    shares = torch.softmax(logits / temperature, dim=-1)
    return int((shares > u).int().argmax())


def uniform(logits, temperature, u):
    """All tokens have the same chance in your function. Use the probabilities of the softmax."""
    return min(int(u * len(logits)), len(logits) - 1)


def own_random_number(logits, temperature, u):
    """A random number that is not u decides the token. Use u, so that the same u gives the same token."""
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).cumsum(dim=-1)
    return min(int((sums <= float(torch.rand(()))).sum()), len(logits) - 1)


def backwards(logits, temperature, u):
    """You lay the probabilities down in reverse order. The stretch of token 0 should begin at 0."""
    if temperature == 0:
        return int(logits.argmax())
    sums = torch.softmax(logits / temperature, dim=-1).flip(0).cumsum(dim=-1)
    return max(len(logits) - 1 - int((sums <= u).sum()), 0)


KEY = AnswerKey(
    id="sample_next",
    hidden=hidden,
    reference=sample_next,
    accepted=(searched, in_a_loop, first_beyond, from_the_top),
    rejected=(
        *(
            always_the_best,
            temperature_ignored,
            multiplied,
            after_the_softmax,
            divided_by_zero,
            uniform_at_zero,
            no_softmax,
        ),
        *(sorted_first, one_too_far, share_above_u, uniform, own_random_number, backwards),
    ),
    fingerprint=fingerprint,
    commentary="""
    The running sums cut the line from 0 to 1 into one stretch for each token, as long as its probability, and
    u falls into one of them. The number of sums that are at most u is the token. `min` guards against
    rounding: in float32 the last sum can be slightly below 1. Temperature 0 is the limit of low temperatures,
    where the most probable token has all the weight. `torch.multinomial` does the same with a random number
    of its own.
    """,
)
