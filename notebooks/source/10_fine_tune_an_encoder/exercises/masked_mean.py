"""Exercise masked_mean: one vector for a sentence, from its real tokens alone."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import difference, draw, gradients_agree, tensor_of

SHAPES = (
    "your code stops: two shapes do not fit together. Possible cause: hidden is (B, T, d), mask (B, T), and"
    " mask.sum(dim=1) is (B,); a new axis, as in mask[:, :, None], or keepdim=True makes them fit"
)
TOLERANCE = 1e-6  # of the largest entry: weights of a mean may be computed in float32


def states(rng: random.Random, B: int, T: int, d: int) -> tuple[Tensor, Tensor]:
    """hidden (B, T, d), float64, and a mask (B, T):
    a full row, then 1 to T real tokens in each, first on the left, then anywhere.
    """
    lengths = torch.tensor([T, *(rng.randint(1, T) for _ in range(B - 1))])
    mask = (torch.arange(T) < lengths[:, None]).long()
    for row in range(2, B, 2):
        mask[row] = mask[row, torch.randperm(T, generator=torch.Generator().manual_seed(rng.getrandbits(30)))]
    return 1.0 + draw(rng, B, T, d), mask


def expected(hidden: Tensor, mask: Tensor) -> Tensor:
    """Attention of a query with equal scores for all real tokens."""
    query, key = torch.zeros_like(hidden[:, :1]), torch.zeros_like(hidden)  # (B, 1, d), (B, T, d)
    return F.scaled_dot_product_attention(query, key, hidden, attn_mask=mask[:, None, :] > 0)[:, 0]


def vectors_of(answer: Callable[..., object], hidden: Tensor, mask: Tensor) -> Tensor:
    """The answer's vectors (B, d). Raises NotYet unless they have the right shape and dtype."""
    try:
        result = answer(hidden, mask)
    except AnswerRaised as raised:
        if raised.kind == "RuntimeError" and "size of tensor a" in raised.message:
            raise NotYet(SHAPES) from raised
        raise
    return tensor_of(result, (hidden.shape[0], hidden.shape[2]), hidden.dtype, "what you return")


def agree(found: Tensor, wanted: Tensor, sentence: str) -> None:
    """Raise NotYet(sentence) unless the two are equal up to TOLERANCE."""
    if not close(found, wanted):
        raise NotYet(f"{sentence}: {difference(found, wanted)}")


def close(found: Tensor, wanted: Tensor) -> bool:
    """Whether the two are equal up to TOLERANCE."""
    return float((found - wanted).abs().max()) <= TOLERANCE * float(wanted.abs().max())


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three rows, one of a single token, one with padding between real tokens; half precision;
    long rows; a token of zeros; effects; gradients.
    """
    hidden, mask = states(rng, 3, 5, 4)
    mask[1:] = torch.tensor([[1, 0, 0, 0, 0], [0, 1, 0, 1, 1]])
    found = vectors_of(answer, hidden, mask)
    wanted = expected(hidden, mask)
    agree(
        found[:1],
        wanted[:1],
        "for hidden (3, 5, 4), row 0 has no padding, and your vector is not the mean over all its tokens",
    )
    said = "for hidden (3, 5, 4), row 1 has the mask 1, 0, 0, 0, 0, and your vector is not the first token's"
    agree(found[:2], wanted[:2], said)
    said = "for hidden (3, 5, 4), with the mask 0, 1, 0, 1, 1 the mean is over columns 1, 3 and 4"
    for others, name in ((hidden[2, :3], "0, 1 and 2"), (hidden[2, 1:], "1 to 4"), (hidden[2], "0 to 4")):
        expect(not close(found[2], others.mean(0)), f"{said}; yours is the mean over columns {name}")
    agree(found, wanted, f"{said}, and your vector is another one")
    leaves_alone(answer, ("hidden", "mask"), hidden, mask)
    gradients_agree(answer, expected, {"hidden": hidden, "mask": mask})
    for dtype in (torch.float16, torch.bfloat16):
        short = vectors_of(answer, hidden.to(dtype), mask).double()
        expect(
            float((short - wanted).abs().max()) < 0.05 * float(wanted.abs().max()),
            f"for hidden in {dtype} your vectors are not near the means over the real tokens:"
            f" {difference(short, wanted)}",
        )
    hidden, mask = states(rng, 3, 5, 4)
    mask[:] = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 1, 0, 0], [0, 1, 1, 0, 1]])
    found, wanted = vectors_of(answer, hidden, mask), expected(hidden, mask)
    said = "for hidden (3, 5, 4), where every row has three real tokens or four,"
    for others, name in ((hidden[0, 1:4], "first"), (hidden[0, :3], "last")):
        expect(
            not close(found[0], others.mean(0)),
            f"{said} yours is the mean without the {name} of them in row 0",
        )
    agree(found, wanted, f"{said} your vectors are not the means")
    hidden, mask = states(rng, 3, 300, 2)
    mask[1, :280] = 1
    for scale in (1, 1000):
        agree(
            vectors_of(answer, scale * hidden, mask),
            expected(scale * hidden, mask),
            f"for hidden (3, 300, 2), rows of up to 300 real tokens and numbers of about {scale}, your"
            " vectors are not their means",
        )
    hidden, mask = states(rng, 3, 5, 4)
    hidden[0, 1] = 0.0
    mask[:] = torch.tensor([[1, 1, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 0, 0, 1]])  # no row is full
    found, wanted = vectors_of(answer, hidden, mask), expected(hidden, mask)
    said = "for hidden (3, 5, 4), where row 0 has three real tokens, one of them a vector of zeros,"
    expect(
        not close(found[0], hidden[0, :3].sum(0) / 2),
        f"{said} your vector of row 0 is the mean of the two others; the zeros count, too",
    )
    agree(found, wanted, f"{said} and rows 1 and 2 have others, your vectors are not the means")
    hidden = torch.where(mask[..., None] == 1, hidden, 1e30 * hidden)
    agree(
        vectors_of(answer, hidden, mask),
        expected(hidden, mask),
        "for hidden (3, 5, 4), where the numbers at padding are around 1e30, your vectors are not the"
        " means over the real tokens",
    )
    return right("padding has no influence, wherever it is in a row")


EXERCISE = Exercise(
    id="masked_mean",
    title="Average the real tokens",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Reimers and Gurevych 2019 (Sentence-BERT), mean pooling",
    hints=(
        (
            "Take a sentence of 3 words in a batch of width 5. What should be added up, and what should the"
            " sum be divided by?"
        ),
        (
            "Multiply by the mask, so that padding adds zero; the mask needs one more axis for this. Then"
            " divide by the number of real tokens of each row."
        ),
        (
            "`mask[:, :, None]` has shape (B, T, 1) and multiplies (B, T, d). The sum over axis 1 has shape"
            " (B, d), and the count of real tokens, to divide by it, (B, 1)."
        ),
    ),
    check=check,
)
