"""Answer key of sample_keys.

False alarms: two tables of at most 30 columns, below 1e-7 in all; `course_exercises._gaussian_keys` derives
it. A variance is let through within 7.4 %, which is why sigma2 is large here: ½ in place of ½ + sigma2 is
then off by a quarter and more.
"""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises._gaussian_keys import COUNT, draw_means, judge_keys, read_keys

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Means that are no unit vectors, other keys in the part of a,
    a large and a small sigma2, few draws and many.
    """
    for n, dimension, a, sigma2 in ((5, 6, 4, round(rng.uniform(1.5, 3), 2)), (2, 3, 1, 0.0004)):
        means = draw_means(n, dimension, rng)
        case = f"for {n} orthonormal means in {dimension} dimensions, a = {a} and sigma2 = {sigma2}"
        judge_keys(answer(means, a, sigma2, COUNT), means, a, sigma2, case)
    means = draw_means(3, 7, rng)
    read_keys(answer(means, 2, 0.5, 1), means, 1)
    read_keys(answer(means, 1, 0.5, 7), means, 7)
    for n, dimension, sigma2 in ((1, 4, 0.5), (1, 1, 0.5), (9, 9, 2)):  # a single key, a single number, many
        means = draw_means(n, dimension, rng)
        read_keys(answer(means, n - 1, sigma2, 3), means, 3)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Draws from the same seeds: a known mistake shows if the random numbers are drawn in the same order."""
    calls: list[tuple[object, ...]] = []
    for n, dimension, a, sigma2 in ((4, 6, 2, 0.3), (3, 3, 0, 0.04)):
        calls.append((draw_means(n, dimension, rng), a, sigma2, 40))
    return calls


def sample_keys(means, a, sigma2, count):
    """The reference."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)  # (count, n, d)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def with_factors(means, a, sigma2, count):
    """A matrix square root for each key's covariance."""
    n, d = means.shape
    covariance = sigma2 * torch.eye(d, dtype=means.dtype).repeat(n, 1, 1)
    covariance[a] += torch.outer(means[a], means[a]) / 2
    factors = torch.linalg.cholesky(covariance)  # (n, d, d)
    return means + torch.einsum("nij,cnj->cni", factors, torch.randn(count, n, d, dtype=means.dtype))


def with_torch_distributions(means, a, sigma2, count):
    """The multivariate normal of the library."""
    chosen = (torch.arange(len(means)) == a).to(means)  # 1 for key a, (n,)
    along = 0.5 * chosen[:, None, None] * means.unsqueeze(2) * means.unsqueeze(1)  # (n, d, d)
    normal = torch.distributions.MultivariateNormal(
        means, torch.diag_embed(torch.full_like(means, sigma2)) + along
    )
    return normal.sample((count,))


def with_numpy(means, a, sigma2, count):
    """One key after the other, in numpy."""
    n, d = means.shape
    mu = means.numpy()
    keys = np.empty((count, n, d))
    for i in range(n):
        covariance = sigma2 * np.eye(d) + (0.5 * np.outer(mu[i], mu[i]) if i == a else 0)
        keys[:, i] = np.random.multivariate_normal(mu[i], covariance, size=count)
    return torch.from_numpy(keys)


def stretched_noise(means, a, sigma2, count):
    """The noise of key a is stretched along its mean, from variance sigma2 to sigma2 + ½."""
    noise = math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    along = noise[:, a] @ means[a]  # (count,)
    stretch = math.sqrt((sigma2 + 0.5) / sigma2) - 1
    noise[:, a] = noise[:, a] + stretch * along[:, None] * means[a]
    return noise + means[None]


def lengths_first(means, a, sigma2, count):
    """Key a is epsilon times its mean, epsilon ~ N(1, ½), and then all keys get noise."""
    lengths = torch.ones(count, means.shape[0], 1, dtype=means.dtype)
    lengths[:, a, 0] = torch.normal(1.0, 0.5**0.5, (count,), dtype=means.dtype)
    return torch.normal(lengths * means, sigma2**0.5)


def half_as_deviation(means, a, sigma2, count):
    """½ is used as the standard deviation along the mean; it is the variance, so the factor is √½."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += 0.5 * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def variance_as_deviation(means, a, sigma2, count):
    """The noise is multiplied by sigma2, which is its variance. The factor is the standard deviation,
    √sigma2.
    """
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + sigma2 * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def isotropic_half(means, a, sigma2, count):
    """Key a has the additional variance ½ in every direction; it should have it along its mean only."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, means.shape[1], dtype=means.dtype)
    return keys


def every_key_varies(means, a, sigma2, count):
    """Every key varies along its mean; only key a should."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    return keys + math.sqrt(0.5) * torch.randn(count, means.shape[0], 1, dtype=means.dtype) * means


def b_varies_too(means, a, sigma2, count):
    """The key after a varies along its mean as well; only key a should."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    b = (a + 1) % means.shape[0]
    for i in (a, b):
        keys[:, i] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[i]
    return keys


def each_coordinate_on_its_own(means, a, sigma2, count):
    """Each coordinate of mu_a has a random number of its own. One number for the whole vector moves key a
    along its mean only.
    """
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, means.shape[1], dtype=means.dtype) * means[a]
    return keys


def noise_forgotten_on_a(means, a, sigma2, count):
    """Key a varies along its mean only. It should also have the noise σ²I in every direction."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] = means[a] + math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def no_extra_variance(means, a, sigma2, count):
    """All keys have covariance σ²I. Key a should have the additional part ½·mu_a·mu_aᵀ."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    return means + math.sqrt(sigma2) * noise


def one_draw_for_all(means, a, sigma2, count):
    """One random number for key a is used in all draws. Each draw needs a number of its own."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(1, dtype=means.dtype) * means[a]
    return keys


def shared_noise(means, a, sigma2, count):
    """All keys of a draw have the same noise vector. Every key should have noise of its own."""
    noise = torch.randn(count, 1, means.shape[1], dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def without_the_means(means, a, sigma2, count):
    """The result is the noise alone, without the means."""
    keys = math.sqrt(sigma2) * torch.randn(count, *means.shape, dtype=means.dtype)
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys


def uniform_noise(means, a, sigma2, count):
    """The noise is uniform. It should be normal."""
    noise = torch.rand(count, *means.shape, dtype=means.dtype) * 2 - 1
    keys = means + math.sqrt(3 * sigma2) * noise
    keys[:, a] += math.sqrt(1.5) * (torch.rand(count, 1, dtype=means.dtype) * 2 - 1) * means[a]
    return keys


def draws_last(means, a, sigma2, count):
    """Your draws are the last axis. They should be the first one: the shape is (count, n, d)."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[a]
    return keys.permute(1, 2, 0)


def along_an_axis(means, a, sigma2, count):
    """The random number is added to coordinate a of key a. This is right only if its mean points along that
    axis: the number multiplies the vector means[a].
    """
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, a, a] += math.sqrt(0.5) * torch.randn(count, dtype=means.dtype)
    return keys


def always_key_zero(means, a, sigma2, count):
    """Row 0 varies along its mean. It should be row a."""
    noise = torch.randn(count, *means.shape, dtype=means.dtype)
    keys = means + math.sqrt(sigma2) * noise
    keys[:, 0] += math.sqrt(0.5) * torch.randn(count, 1, dtype=means.dtype) * means[0]
    return keys


KEY = AnswerKey(
    id="sample_keys",
    hidden=hidden,
    reference=sample_keys,
    accepted=(with_factors, with_torch_distributions, with_numpy, stretched_noise, lengths_first),
    rejected=(
        *(
            half_as_deviation,
            variance_as_deviation,
            isotropic_half,
            every_key_varies,
            b_varies_too,
            each_coordinate_on_its_own,
        ),
        *(
            noise_forgotten_on_a,
            no_extra_variance,
            one_draw_for_all,
            shared_noise,
            without_the_means,
            uniform_noise,
        ),
        *(draws_last, along_an_axis, always_key_zero),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    Independent parts add up, and so do their covariances. $\sigma$ times standard normal noise has the
    covariance $\sigma^2 I$, for all keys at once. One number $z \sim \mathcal N(0, 1)$ per draw, times the
    vector $\sqrt{1/2}\,\mu_a$, has the covariance $\tfrac12\mu_a\mu_a^\top$; this part is added to row a
    only. The most common mistake is to use a variance as a standard deviation. Another one is to draw a
    number for each coordinate of $\mu_a$. If $\mu_a$ points along an axis, nobody notices; otherwise the key
    leaves its direction.
    """,
)
