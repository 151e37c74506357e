"""Answer key of reweight_heads.

Tolerance: 0.4·√eps of the dtype, relative to the largest entry (6e-9 in float64, 1.4e-4 in float32). Heads,
rows and positions have random sizes e^N(0, 1), so that every norm over the wrong axes differs in the first
digits.
"""

from __future__ import annotations

import random

import torch
from course_exercises.reweight_heads import expected, lively, of_every_size, worst

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import again, agree, gradients_agree, tensor_of

SHAPES = ((1, 2, 1, 3), (2, 4, 3, 1), (5, 3, 6, 4), (1, 1, 1, 1), (2, 17, 5, 3))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, one of each axis among them; heads of all sizes, float32, strides, gradients, and one call
    many times.
    """
    for shape in SHAPES:
        heads = lively(rng, *shape)
        found = tensor_of(again(answer, heads), shape, heads.dtype, "what you return")
        wanted = expected(heads)
        agree(found, wanted, f"for heads of shape {shape}, {worst(heads, found, wanted)}")
    of_every_size(answer, rng, expected)
    heads = lively(rng, 2, 3, 4, 2).float()
    found = tensor_of(not_contiguous(answer, heads), (2, 3, 4, 2), torch.float32, "what you return")
    wanted = expected(heads)
    agree(
        found,
        wanted,
        f"for heads (2, 3, 4, 2) in float32, not contiguous in memory, {worst(heads, found, wanted)}",
    )
    gradients_agree(answer, reweight_heads, {"heads": lively(rng, 2, 3, 4, 2)})
    steady(answer, heads)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several sizes."""
    return [(lively(rng, *shape),) for shape in (*SHAPES, (2, 3, 4, 5))]


def reweight_heads(heads):
    """The reference."""
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()  # (B, nh, 1, 1)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def matrix_norm(heads):
    """torch's own Frobenius norm."""
    norms = torch.linalg.matrix_norm(heads)  # (B, nh)
    return heads * (norms / norms.mean(1, keepdim=True))[:, :, None, None]


def flattened(heads):
    """Each head as one long vector."""
    B, n, T, d = heads.shape
    long = heads.reshape(B, n, T * d)
    size = long.norm(dim=-1)
    return (torch.einsum("bnk,bn->bnk", long, size) * n / size.sum(-1)[:, None, None]).reshape(B, n, T, d)


def row_by_row(heads):
    """A loop over rows and heads."""
    rows = []
    for row in heads:
        sizes = torch.stack([torch.trace(head @ head.T) ** 0.5 for head in row])
        rows.append(torch.stack([head * size / sizes.mean() for head, size in zip(row, sizes, strict=True)]))
    return torch.stack(rows)


def by_shares(heads):
    """The share of each head in all norms, times the number of heads, from singular values."""
    size = torch.linalg.svdvals(heads).square().sum(-1).sqrt()
    return heads * (size / size.sum(dim=1, keepdim=True) * heads.shape[1])[..., None, None]


def per_position(heads):
    """You take the norm of each position separately. The matrix norm is over all positions of the row."""
    norms = heads.norm(dim=3, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def per_component(heads):
    """You take the norm of each component over time.
    The matrix norm is over all components of the head as well.
    """
    norms = heads.norm(dim=2, keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def whole_batch(heads):
    """Your norm is over the batch too, so the output of a row depends on the other rows.
    Each row has its own norms.
    """
    norms = heads.square().sum(dim=(0, 2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean(dim=1, keepdim=True)


def mean_over_all(heads):
    """You divide by the mean norm of the whole batch. It is the mean over the heads of the same row."""
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads * norms / norms.mean()


def not_divided(heads):
    """You multiply by the norm and divide by nothing: the outputs grow with the length of the row.
    Divide by the mean norm.
    """
    return heads * heads.square().sum(dim=(2, 3), keepdim=True).sqrt()


def normalised(heads):
    """You divide by the norm instead of multiplying: then weak heads grow and all become equal."""
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads / norms * norms.mean(dim=1, keepdim=True)


def squared(heads):
    """The square root is missing: the squared norm over the mean squared norm
    exaggerates every difference.
    """
    norms = heads.square().sum(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def shares(heads):
    """You divide by the sum of the norms. Divide by their mean,
    or all heads shrink if there are more of them.
    """
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads * norms / norms.sum(dim=1, keepdim=True)


def by_the_largest(heads):
    """You divide by the largest norm. The formula has the mean."""
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads * norms / norms.amax(dim=1, keepdim=True)


def spectral(heads):
    """You use the spectral norm, the largest singular value.
    The Frobenius norm uses the squares of all entries.
    """
    norms = torch.linalg.matrix_norm(heads, ord=2)[..., None, None]
    return heads * norms / norms.mean(dim=1, keepdim=True)


def absolute(heads):
    """You add absolute values. The Frobenius norm is the square root of the sum of squares."""
    norms = heads.abs().sum(dim=(2, 3), keepdim=True)
    return heads * norms / norms.mean(dim=1, keepdim=True)


def softened(heads):
    """You apply a softmax to the norms. The formula divides by their mean and does nothing else."""
    norms = heads.square().sum(dim=(2, 3), keepdim=True).sqrt()
    return heads * norms.softmax(dim=1) * heads.shape[1]


def in_numpy(heads):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    array = heads.detach().numpy()
    norms = (array**2).sum(axis=(2, 3), keepdims=True) ** 0.5
    return torch.from_numpy(array * norms / norms.mean(axis=1, keepdims=True))


KEY = AnswerKey(
    id="reweight_heads",
    hidden=hidden,
    reference=reweight_heads,
    accepted=(matrix_norm, flattened, row_by_row, by_shares),
    rejected=(
        *(
            per_position,
            per_component,
            whole_batch,
            mean_over_all,
            not_divided,
            normalised,
            squared,
            shares,
            by_the_largest,
        ),
        *(spectral, absolute, softened, in_numpy),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The norms have shape (B, n_head, 1, 1): one number for each head of each row. `keepdim=True` keeps"
        " the axes, so that they broadcast. The mean over axis 1 is the mean over the heads of the same row."
        " A norm over the whole tensor, as `heads.norm()` computes it, would mix the rows of the batch; Part"
        " 4 of the notebook shows what follows from that."
    ),
)
