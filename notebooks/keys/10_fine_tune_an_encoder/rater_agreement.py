"""Answer key of rater_agreement."""

from __future__ import annotations

import random
import statistics

import numpy as np
import torch
from course_exercises.rater_agreement import (
    MANY,
    NEAR_ZERO,
    ONE_STRONG,
    SINGLE,
    UNEVEN,
    ZEROS,
    Ratings,
    agrees,
)

from autograder.answer_key import AnswerKey, mistakes
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def drawn(rng: random.Random, count: int) -> Ratings:
    """Ratings of `count` sentences by 2 to 20 people each; no mean is 0."""
    made: Ratings = []
    while len(made) < count:
        middle = rng.choice((-2, -1, 0, 1, 2))
        people = rng.choice((2, 3, 5, 9, 15, 20))
        row = [max(-4, min(4, round(rng.gauss(middle, 2)))) for _ in range(people)]
        if sum(row):
            made.append(row)
    return made


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other ratings of few and of many sentences."""
    fixed = [[1, 1], [-1, 0, 0]], [[-4, 3], [4, -3]], SINGLE, NEAR_ZERO, MANY
    for ratings in (drawn(rng, 2), drawn(rng, 12), drawn(rng, 60), drawn(rng, 150), *fixed):
        agrees(answer, ratings)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds."""
    return [(ratings,) for ratings in (ZEROS, ONE_STRONG, UNEVEN, drawn(rng, 20))]


def rater_agreement(ratings):
    """The reference."""
    shares = []
    for row in ratings:
        positive = sum(row) > 0
        same = [rating for rating in row if (rating > 0 if positive else rating < 0)]
        shares.append(len(same) / len(row))
    return sum(shares) / len(shares)


def by_products(ratings):
    """Two numbers have the same sign if their product is positive."""
    return statistics.fmean(
        statistics.fmean(float(rating * statistics.fmean(row) > 0) for rating in row) for row in ratings
    )


def in_numpy(ratings):
    """Compares signs of arrays; a numpy scalar is returned."""
    return np.mean([np.mean(np.sign(row) == np.sign(np.mean(row))) for row in ratings])


def in_torch(ratings):
    """A torch scalar is returned."""
    shares = []
    for row in ratings:
        values = torch.tensor(row, dtype=torch.float64)
        shares.append((values.sign() == values.mean().sign()).double().mean())
    return torch.stack(shares).mean()


def weighted(ratings):
    """One sum over all ratings, each with the probability that it is drawn."""
    n = len(ratings)
    return sum(
        1 / (n * len(row)) for row in ratings for rating in row if rating and (rating > 0) == (sum(row) > 0)
    )


def by_disagreement(ratings):
    """One minus the probability of no agreement."""
    missed = 0.0
    for row in ratings:
        sign = 1 if sum(row) > 0 else -1
        missed += sum(sign * rating <= 0 for rating in row) / len(row)
    return 1 - missed / len(ratings)


def counted_by_sign(ratings):
    """Counts positive and negative ratings of each sentence."""
    total = 0.0
    for row in ratings:
        up, down = sum(r > 0 for r in row), sum(r < 0 for r in row)
        total += (up if sum(row) > 0 else down) / (len(row) * len(ratings))
    return total


def pooled(ratings):
    """Your probability is the share of all ratings together. A sentence is drawn first, so each sentence has
    the same weight, whatever the number of its ratings.
    """
    hits = [rating * sum(row) > 0 for row in ratings for rating in row]
    return sum(hits) / len(hits)


def zero_agrees(ratings):
    """A rating of 0 counts as agreement. It has no sign."""
    shares = [sum(rating * sum(row) >= 0 for rating in row) / len(row) for row in ratings]
    return sum(shares) / len(shares)


def zero_is_half(ratings):
    """A rating of 0 counts as half an agreement. It does not have the sign of the mean."""
    shares = [
        sum(1 if rating * sum(row) > 0 else 0.5 if rating == 0 else 0 for rating in row) / len(row)
        for row in ratings
    ]
    return sum(shares) / len(shares)


def zero_is_negative(ratings):
    """A rating of 0 counts as negative. It has no sign, so it agrees with neither."""
    shares = [sum((rating > 0) == (sum(row) > 0) for rating in row) / len(row) for row in ratings]
    return sum(shares) / len(shares)


def zeros_left_out(ratings):
    """Ratings of 0 are left out. They may be drawn, too, and then there is no agreement."""
    shares = []
    for row in ratings:
        signed = [rating for rating in row if rating]
        shares.append(sum(rating * sum(row) > 0 for rating in signed) / len(signed))
    return sum(shares) / len(shares)


def majority(ratings):
    """Ratings are compared with the sign of most ratings. The label is the sign of the mean: one strong
    rating can outweigh several weak ones.
    """
    shares = []
    for row in ratings:
        up, down = sum(r > 0 for r in row), sum(r < 0 for r in row)
        shares.append(max(up, down) / len(row))
    return sum(shares) / len(shares)


def median(ratings):
    """Ratings are compared with the sign of the median. The label is the sign of the mean."""
    shares = [sum(rating * statistics.median(row) > 0 for rating in row) / len(row) for row in ratings]
    return sum(shares) / len(shares)


def positive_share(ratings):
    """You return the share of positive ratings. Where the mean is negative, negative ratings agree."""
    return sum(sum(rating > 0 for rating in row) / len(row) for row in ratings) / len(ratings)


def pairs(ratings):
    """Ratings are compared with each other. Compare each rating with the mean."""
    shares = []
    for row in ratings:
        same = [a * b > 0 for a in row for b in row]
        shares.append(sum(same) / len(same))
    return sum(shares) / len(shares)


def without_self(ratings):
    """Each rating is compared with the mean of the others. The label is the sign of the mean of all."""
    shares = []
    for row in ratings:
        hits = [rating * (sum(row) - rating) > 0 for rating in row]
        shares.append(sum(hits) / len(row))
    return sum(shares) / len(shares)


def how_many(ratings):
    """You return a sum over the sentences. Divide it by their number."""
    return sum(sum(rating * sum(row) > 0 for rating in row) / len(row) for row in ratings)


def all_agree(ratings):
    """Your probability is the share of sentences on which all people agree. Asked is the probability for one
    rating.
    """
    return sum(all(rating * sum(row) > 0 for rating in row) for row in ratings) / len(ratings)


CHANGED = mistakes(
    rater_agreement,
    {
        "in_percent": (
            "You return a percentage. A probability lies between 0 and 1.",
            {"return sum": "return 100 * sum"},
        ),
        "disagreement": (
            "You return the probability that the signs differ. Asked is the probability that they agree.",
            {"return sum": "return 1 - sum"},
        ),
        "rounded": (
            "Your probability is rounded. Return it as it is.",
            {"sum(shares) / len(shares)": "round(sum(shares) / len(shares), 2)"},
        ),
    },
)

KEY = AnswerKey(
    id="rater_agreement",
    hidden=hidden,
    reference=rater_agreement,
    accepted=(by_products, in_numpy, in_torch, weighted, by_disagreement, counted_by_sign),
    rejected=(
        *(pooled, zero_agrees, zero_is_half, zero_is_negative, zeros_left_out, majority, median),
        *(positive_share, pairs, without_self, how_many, all_agree),
        *CHANGED,
    ),
    fingerprint=fingerprint,
    commentary=(
        "For one sentence, the probability is the share of its ratings that have the sign of its mean. A"
        " sentence is drawn first, so the shares of all sentences are averaged with equal weights. On real"
        " ratings this is a ceiling: a label that people themselves miss in one of twelve ratings cannot be"
        " predicted much better than that by anybody. The most common mistake is to pool all ratings, which"
        " gives sentences with many raters more weight."
    ),
)
