"""Answer key of cost. Counts are whole numbers and compared exactly;
`test_09_relatives.py` counts them in plain loops.
"""

from __future__ import annotations

import random

from course_exercises.cost import PARTS, counts_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect
from kqa_core.check.partial_credit import by_parts


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Seven sets of sizes, all different primes, so that no factor hides another."""
    primes = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31)
    sizes = [rng.sample(primes, 4) for _ in range(5)]
    sizes.append([4_099, 131, 257, 67])  # counts beyond 2³¹
    sizes.append([3, 5, 31, 2])  # far more mixed rows than positions
    return by_parts(PARTS, lambda part: _counted(answer, part, sizes))


def _counted(answer: Answer, part: str, every: list[list[int]]) -> None:
    for sizes in every:
        wanted = cost(*sizes)
        for name, found in counts_of(answer(*sizes), part).items():
            for which, mine, theirs in zip(("multiplications", "weights"), wanted[name], found, strict=True):
                expect(
                    theirs == mine,
                    f"for T, d_k, r, k = {', '.join(map(str, sizes))} you count {theirs:,.0f} {which} of"
                    f" {name}, which is {'too many' if theirs > mine else 'too few'}",
                )


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two sets of sizes."""
    return [(7, 3, 2, 5), (64, 16, 8, 12)]


def cost(T, d_k, r, k):
    """The reference."""
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * r * T * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def product_by_product(T, d_k, r, k):
    """Every matrix product by its three sizes."""
    products = {
        "attention": [(T, d_k, T), (T, T, d_k)],
        "synthesizer": [(T, d_k, T), (T, T, d_k)],
        "linformer": [(r, T, d_k), (r, T, d_k), (T, d_k, r), (T, r, d_k)],
        "bigbird": [(1, d_k, k), (1, k, d_k)] * T,
    }
    weights = {"attention": T**2, "synthesizer": T**2, "linformer": T * r, "bigbird": T * k}
    return {name: (sum(a * b * c for a, b, c in each), weights[name]) for name, each in products.items()}


def from_the_weights(T, d_k, r, k):
    """Each weight costs d_k to make and d_k to use."""
    weights = {"attention": T * T, "synthesizer": T * T, "linformer": r * T, "bigbird": k * T}
    mixed = {"linformer": 2 * r * T * d_k}
    return {name: (2 * d_k * count + mixed.get(name, 0), count) for name, count in weights.items()}


def as_lists(T, d_k, r, k):
    """Lists of floats, and one entry more than was asked for."""
    square, narrow = float(T * T), float(T)
    return {
        "bigbird": [narrow * k * (d_k + d_k), narrow * k],
        "linformer": [2.0 * r * d_k * (narrow + narrow), narrow * r],
        "synthesizer": [square * (d_k + d_k), square],
        "attention": [square * (d_k + d_k), square],
        "random_synthesizer": [square * d_k, square],
    }


def a_position_at_a_time(T, d_k, r, k):
    """Added up over the positions."""
    full, few = [0, 0], [0, 0]
    for _ in range(T):
        full = [full[0] + 2 * T * d_k, full[1] + T]
        few = [few[0] + 4 * r * d_k, few[1] + 2 * k * d_k]
    return {"attention": full, "synthesizer": full, "linformer": (few[0], T * r), "bigbird": (few[1], T * k)}


def only_the_logits(T, d_k, r, k):
    """You count one product for logits and output together. They are two products, which cost the same."""
    return {
        "attention": (T * T * d_k, T * T),
        "synthesizer": (T * T * d_k, T * T),
        "linformer": (3 * r * T * d_k, T * r),
        "bigbird": (T * k * d_k, T * k),
    }


def mixing_is_free(T, d_k, r, k):
    """You count two products for the Linformer. There are four, of r·T·d_k multiplications each:
    E k, F v, the logits and the output.
    """
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (2 * r * T * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def synthesizer_is_cheaper(T, d_k, r, k):
    """You count one product for the Synthesizer. It has two, as attention: its logits are a product of
    (T, d_k) and (d_k, T), its output one of (T, T) and (T, d_k).
    """
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (T * T * d_k, T * T),
        "linformer": (4 * r * T * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def hidden_vectors_counted(T, d_k, r, k):
    """You count how the hidden vectors are made.
    They are given here, as the queries and keys of attention are.
    """
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k + T * d_k * d_k, T * T),
        "linformer": (4 * r * T * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def causal_half(T, d_k, r, k):
    """You count half the square, T·(T+1)/2. The statement asks for the whole square,
    which is computed before the mask.
    """
    half = T * (T + 1) // 2
    return {
        "attention": (2 * half * d_k, half),
        "synthesizer": (2 * half * d_k, half),
        "linformer": (4 * r * T * d_k, T * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def bigbird_by_a_mask(T, d_k, r, k):
    """You count BigBird with a mask over T² logits.
    In the statement only the k keys of each query are multiplied.
    """
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * r * T * d_k, T * r),
        "bigbird": (2 * T * T * d_k, T * T),
    }


def without_the_width(T, d_k, r, k):
    """The width is missing: each logit is a dot product of d_k multiplications,
    and each weight multiplies d_k numbers.
    """
    return {
        "attention": (2 * T * T, T * T),
        "synthesizer": (2 * T * T, T * T),
        "linformer": (4 * r * T, T * r),
        "bigbird": (2 * T * k, T * k),
    }


def weights_with_width(T, d_k, r, k):
    """You count d_k numbers for each weight. A weight is one number."""
    return {
        "attention": (2 * T * T * d_k, T * T * d_k),
        "synthesizer": (2 * T * T * d_k, T * T * d_k),
        "linformer": (4 * r * T * d_k, T * r * d_k),
        "bigbird": (2 * T * k * d_k, T * k * d_k),
    }


def linformer_weights_squared(T, d_k, r, k):
    """You count r by r weights for the Linformer. Its weights are a table of T queries and r mixed rows, (T,
    r).
    """
    return {
        "attention": (2 * T * T * d_k, T * T),
        "synthesizer": (2 * T * T * d_k, T * T),
        "linformer": (4 * r * T * d_k, r * r),
        "bigbird": (2 * T * k * d_k, T * k),
    }


def exchanged(T, d_k, r, k):
    """Your pairs are in the other order: multiplications first, then weights."""
    return {
        "attention": (T * T, 2 * T * T * d_k),
        "synthesizer": (T * T, 2 * T * T * d_k),
        "linformer": (T * r, 4 * r * T * d_k),
        "bigbird": (T * k, 2 * T * k * d_k),
    }


KEY = AnswerKey(
    id="cost",
    hidden=hidden,
    reference=cost,
    accepted=(product_by_product, from_the_weights, as_lists, a_position_at_a_time),
    rejected=(
        *(
            only_the_logits,
            mixing_is_free,
            synthesizer_is_cheaper,
            hidden_vectors_counted,
            causal_half,
            bigbird_by_a_mask,
        ),
        *(without_the_width, weights_with_width, linformer_weights_squared, exchanged),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Attention has two products: logits, (T, $d_k$) times ($d_k$, T), and output, (T, T) times (T,"
        " $d_k$). Each takes $T^2 d_k$ multiplications. The Synthesizer has the same two: its logits are (T,"
        " $d_k$) times ($d_k$, T) as well, only that the second matrix is `B` and does not come from the"
        " text. So it does *not* remove the quadratic cost. The Linformer has four products with a factor r"
        " in place of one T, so its cost is linear in T. BigBird has k keys for each query. The usual"
        " mistakes are to forget the second product, or the two products that mix keys and values."
    ),
)
