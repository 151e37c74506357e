"""Answer key of masked_mean.

Tolerance: 1e-6 of the largest entry, in float64 and float32; right answers in float32 stay below a third
of it (`test_10_fine_tune_an_encoder.py` measures it).
"""

from __future__ import annotations

import random
from functools import partial

import torch
from course_exercises.masked_mean import agree, expected, states, vectors_of

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, device_kept, gradients_agree

SHAPES = ((4, 7, 3), (1, 1, 1), (2, 6, 6), (5, 2, 8), (1, 4, 3), (3, 4, 1))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, the same call many times, float32, small and large numbers, gradients, another device."""
    for B, T, d in SHAPES:
        vectors, mask = states(rng, B, T, d)
        found = vectors_of(partial(again, answer), vectors, mask)
        agree(
            found,
            expected(vectors, mask),
            f"for hidden of shape {(B, T, d)}, your vectors are not the means over the real tokens",
        )
    vectors, mask = states(rng, 3, 5, 4)
    steady(answer, vectors, mask)
    vectors = vectors.float()
    agree(
        vectors_of(answer, vectors, mask),
        expected(vectors, mask),
        "in float32, your vectors are not the means over the real tokens",
    )
    for size, T in ((1e4, 6), (1e-4, 6), (1.0, 600)):
        vectors, mask = states(rng, 3, T, 2)
        mask[0, :] = 1
        agree(
            vectors_of(answer, size * vectors, mask),
            expected(size * vectors, mask),
            f"for rows of {T} places and numbers of about {size:g}, your vectors are not the means over"
            " the real tokens",
        )
    vectors, mask = states(rng, 3, 4, 2)
    gradients_agree(answer, expected, {"hidden": vectors, "mask": mask})
    device_kept(answer, vectors, mask)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several sizes, with padding in each but the second."""
    calls: list[tuple[object, ...]] = []
    for B, T, d in (*SHAPES, (3, 5, 4)):
        vectors, mask = states(rng, B, T, d)
        mask[-1, 1:] = 0
        calls.append((vectors, mask))
    vectors, _ = states(rng, 2, 5, 4)
    calls.append((vectors, torch.tensor([[1, 1, 1, 0, 0], [0, 1, 0, 0, 0]])))  # no row is full
    return calls


def masked_mean(hidden, mask):
    """The reference."""
    real = mask[:, :, None].to(hidden.dtype)  # (B, T, 1)
    return (hidden * real).sum(dim=1) / real.sum(dim=1)


def as_a_product(hidden, mask):
    """The weights of each row, as an average that attention could make."""
    weights = mask.to(hidden.dtype)
    weights = weights / weights.sum(dim=-1, keepdim=True)  # (B, T)
    return torch.einsum("bt,btd->bd", weights, hidden)


def row_by_row(hidden, mask):
    """Picks the real tokens of each row."""
    return torch.stack([vectors[keep].mean(0) for vectors, keep in zip(hidden, mask.bool(), strict=True)])


def with_nan(hidden, mask):
    """Padding becomes nan, and the mean leaves nan out."""
    return hidden.masked_fill(mask.unsqueeze(-1) == 0, float("nan")).nanmean(dim=1)


def by_softmax(hidden, mask):
    """Equal logits, padding at minus infinity."""
    scores = torch.zeros_like(hidden[..., 0]).masked_fill(mask < 1, -float("inf"))
    return (scores.softmax(-1)[:, None, :] @ hidden).squeeze(1)


def over_all(hidden, mask):
    """The mean is over the padding, too, so a vector depends on the length of the
    other sentences in its batch.
    """
    return hidden.mean(dim=1)


def divided_by_the_width(hidden, mask):
    """The sum is divided by the width of the batch. Divide by the number of real tokens of each row."""
    return (hidden * mask[:, :, None]).mean(dim=1)


def divided_by_all(hidden, mask):
    """The sum is divided by the number of real tokens in the whole batch. Each row has its own number."""
    return (hidden * mask[:, :, None]).sum(dim=1) / mask.sum()


def added_up(hidden, mask):
    """You return the sum. Divide by the number of real tokens."""
    return (hidden * mask[:, :, None]).sum(dim=1)


def one_more(hidden, mask):
    """The sum is divided by one more than the number of real tokens.
    Every row has at least one, so nothing needs to be added.
    """
    real = mask[:, :, None].to(hidden.dtype)
    return (hidden * real).sum(dim=1) / (real.sum(dim=1) + 1)


def padding_alone(hidden, mask):
    """You average over the padding. The mask is 1 where a token is real."""
    real = 1 - mask[:, :, None].to(hidden.dtype)
    return (hidden * real).sum(dim=1) / real.sum(dim=1).clamp(min=1)


def first_token(hidden, mask):
    """You take the vector of the first token, which is another kind of pooling. Average all real tokens."""
    return hidden[:, 0]


def largest(hidden, mask):
    """You take the largest value of each component, which is another kind of pooling. Take the mean."""
    return hidden.masked_fill(mask[:, :, None] == 0, float("-inf")).amax(dim=1)


def all_rows_together(hidden, mask):
    """You average over the rows too. Each sentence has a vector of its own."""
    mean = hidden[mask.bool()].mean(dim=0)  # (d,)
    return mean.expand(hidden.shape[0], -1)


def one_for_each_token(hidden, mask):
    """You average over the components, axis 2. Average over the tokens, axis 1."""
    return (hidden * mask[:, :, None]).mean(dim=2)


def last_token(hidden, mask):
    """You take the vector of one token near the end. Average all real tokens."""
    return hidden[torch.arange(len(hidden)), mask.sum(dim=1) - 1]


def root(hidden, mask):
    """You divide by the root of the number of tokens. A mean divides by the number itself."""
    real = mask[:, :, None].to(hidden.dtype)
    return (hidden * real).sum(dim=1) / real.sum(dim=1).sqrt()


def first_columns(hidden, mask):
    """You take as many columns from the left as there are real tokens.
    Padding may be anywhere; use the mask itself.
    """
    count = mask.sum(dim=1, keepdim=True)  # (B, 1)
    real = (torch.arange(mask.shape[1], device=mask.device) < count)[:, :, None].to(hidden.dtype)
    return (hidden * real).sum(dim=1) / real.sum(dim=1)


KEY = AnswerKey(
    id="masked_mean",
    hidden=hidden,
    reference=masked_mean,
    accepted=(as_a_product, row_by_row, with_nan, by_softmax),
    rejected=(
        *(
            over_all,
            divided_by_the_width,
            divided_by_all,
            added_up,
            one_more,
            padding_alone,
            first_token,
            largest,
        ),
        *(all_rows_together, one_for_each_token, last_token, root, first_columns),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Multiplying by the mask makes the padded vectors zero, so the sum over T is a sum over real tokens."
        " The divisor is the number of real tokens of each row, shape (B, 1), so it broadcasts over d. The"
        " mask is converted to the dtype of `hidden`, so the result keeps this dtype and gradients flow. The"
        " most common mistake is `hidden.mean(dim=1)`: then a sentence gets another vector as soon as a"
        " longer sentence is in its batch."
    ),
)
