"""Answer key of cost. Counts are whole numbers and compared exactly; `test_09_relatives.py` counts them in plain loops."""

from __future__ import annotations

import random

from course_exercises.cost import NAMES, counts_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Five sets of sizes, all different primes, so that no factor hides another."""
    for _ in range(5):
        sizes = rng.sample((3, 5, 7, 11, 13, 17, 19, 23, 29, 31), 5)
        found, wanted = counts_of(answer(*sizes)), cost(*sizes)
        for name in NAMES:
            for which, mine, theirs in zip(("multiplications", "weights"), wanted[name], found[name], strict=True):
                expect(
                    theirs == mine,
                    f"for T, d, r, k, m = {', '.join(map(str, sizes))} the {which} of {name} are {theirs:g}; they should be "
                    f"another number",
                )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two sets of sizes."""
    return [(7, 3, 2, 5, 11), (64, 16, 8, 12, 4)]


def cost(T, d, r, k, m):
    """The reference."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def product_by_product(T, d, r, k, m):
    """Every matrix product by its three sizes."""
    products = {
        "attention": [(T, d, T), (T, T, d)],
        "synthesizer": [(T, d, T), (T, T, d)],
        "random_synthesizer": [(T, T, d)],
        "linformer": [(r, T, d), (r, T, d), (T, d, r), (T, r, d)],
        "bigbird": [(1, d, k), (1, k, d)] * T,
        "perceiver": [(m, d, T), (m, T, d), (T, d, m), (T, m, d)],
    }
    weights = {"attention": T**2, "synthesizer": T**2, "random_synthesizer": T**2}
    weights |= {"linformer": T * r, "bigbird": T * k, "perceiver": 2 * T * m}
    return {name: (sum(a * b * c for a, b, c in each), weights[name]) for name, each in products.items()}


def from_the_weights(T, d, r, k, m):
    """Each weight costs d to make and d to use."""
    weights = dict.fromkeys(("attention", "synthesizer", "random_synthesizer"), T * T)
    weights.update(linformer=r * T, bigbird=k * T, perceiver=2 * m * T)
    made = {name: d * count for name, count in weights.items()} | {"random_synthesizer": 0}
    mixed = {"linformer": 2 * r * T * d}
    return {name: (made[name] + d * count + mixed.get(name, 0), count) for name, count in weights.items()}


def as_lists(T, d, r, k, m):
    """Lists of floats."""
    square, narrow = float(T * T), float(T)
    return {
        "perceiver": [narrow * m * d * 4, narrow * m + m * narrow],
        "bigbird": [narrow * k * (d + d), narrow * k],
        "linformer": [2.0 * r * d * (narrow + narrow), narrow * r],
        "random_synthesizer": [square * d, square],
        "synthesizer": [square * (d + d), square],
        "attention": [square * (d + d), square],
    }


def a_position_at_a_time(T, d, r, k, m):
    """Added up over the positions."""
    full, few = [0, 0, 0], [0, 0, 0]
    for _ in range(T):
        full = [full[0] + 2 * T * d, full[1] + T * d, full[2] + T]
        few = [few[0] + 4 * r * d, few[1] + 2 * k * d, few[2] + 4 * m * d]
    dense, fixed, weights = full
    return {
        **{"attention": (dense, weights), "synthesizer": (dense, weights), "random_synthesizer": (fixed, weights)},
        **{"linformer": (few[0], T * r), "bigbird": (few[1], T * k), "perceiver": (few[2], 2 * T * m)},
    }


def only_the_scores(T, d, r, k, m):
    """You count the scores and forget the reading: weights times values costs as much again."""
    return {
        "attention": (T * T * d, T * T),
        "synthesizer": (T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (3 * r * T * d, T * r),
        "bigbird": (T * k * d, T * k),
        "perceiver": (2 * m * T * d, 2 * m * T),
    }


def mixing_is_free(T, d, r, k, m):
    """The Linformer's mixing is not free: E k and F v are two more products, of r·T·d multiplications each."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (2 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def synthesizer_is_cheaper(T, d, r, k, m):
    """The dense Synthesizer compares nothing, but its logits are a product of (T, d) and (d, T) all the same: it saves keys, not
    multiplications.
    """
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def random_makes_logits(T, d, r, k, m):
    """The random Synthesizer computes no logits: they are numbers that are there. Only the reading is a product."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (2 * T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def one_way_only(T, d, r, k, m):
    """You count one way of the Perceiver; it goes down and up, with two products and m·T weights each."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (2 * m * T * d, m * T),
    }


def weights_not_added(T, d, r, k, m):
    """The Perceiver has m·T weights on the way down and as many on the way up: 2·m·T together."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, m * T),
    }


def causal_half(T, d, r, k, m):
    """You count half the square, T·(T+1)/2; asked is the whole, which is what is computed when the mask comes afterwards."""
    half = T * (T + 1) // 2
    return {
        "attention": (2 * half * d, half),
        "synthesizer": (2 * half * d, half),
        "random_synthesizer": (half * d, half),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * k * d, T * k),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def bigbird_by_a_mask(T, d, r, k, m):
    """You count BigBird with a mask over T² scores; what is asked is the gathered form, k positions for each query."""
    return {
        "attention": (2 * T * T * d, T * T),
        "synthesizer": (2 * T * T * d, T * T),
        "random_synthesizer": (T * T * d, T * T),
        "linformer": (4 * r * T * d, T * r),
        "bigbird": (2 * T * T * d, T * T),
        "perceiver": (4 * m * T * d, 2 * m * T),
    }


def without_the_width(T, d, r, k, m):
    """The width is missing: each score is a dot product of d multiplications, and each weight multiplies d numbers."""
    return {
        "attention": (2 * T * T, T * T),
        "synthesizer": (2 * T * T, T * T),
        "random_synthesizer": (T * T, T * T),
        "linformer": (4 * r * T, T * r),
        "bigbird": (2 * T * k, T * k),
        "perceiver": (4 * m * T, 2 * m * T),
    }


def weights_with_width(T, d, r, k, m):
    """A weight is one number, not d of them."""
    return {
        "attention": (2 * T * T * d, T * T * d),
        "synthesizer": (2 * T * T * d, T * T * d),
        "random_synthesizer": (T * T * d, T * T * d),
        "linformer": (4 * r * T * d, T * r * d),
        "bigbird": (2 * T * k * d, T * k * d),
        "perceiver": (4 * m * T * d, 2 * m * T * d),
    }


def exchanged(T, d, r, k, m):
    """Your pairs are exchanged: multiplications first, then weights."""
    return {
        "attention": (T * T, 2 * T * T * d),
        "synthesizer": (T * T, 2 * T * T * d),
        "random_synthesizer": (T * T, T * T * d),
        "linformer": (T * r, 4 * r * T * d),
        "bigbird": (T * k, 2 * T * k * d),
        "perceiver": (2 * m * T, 4 * m * T * d),
    }


KEY = AnswerKey(
    id="cost",
    hidden=hidden,
    reference=cost,
    accepted=(product_by_product, from_the_weights, as_lists, a_position_at_a_time),
    rejected=(
        *(only_the_scores, mixing_is_free, synthesizer_is_cheaper, random_makes_logits, one_way_only, weights_not_added),
        *(causal_half, bigbird_by_a_mask, without_the_width, weights_with_width, exchanged),
    ),
    fingerprint=fingerprint,
)
