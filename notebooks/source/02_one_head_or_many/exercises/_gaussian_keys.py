"""Random keys with Gaussian distributions, and a test whether a sampler draws them: the check of sample_keys.

- Key i is N(mu_i, σ²I), key a is N(mu_a, σ²I + ½·mu_a·mu_aᵀ), all independent, the means orthonormal.
- Deviations are standardised first: in orthonormal coordinates whose first axis is mu_a, divided by the
  standard deviation that each should have. If the sampler is right, every number of the resulting table is an
  independent N(0, 1).

False alarms. All bounds hold for every N; no normal approximation is used. With x = 25 and L = 2√(Nx) + 2x:
- a mean: √N·mean is N(0, 1), beyond 7.1 with probability 1.3e-12;
- a sum of N squares minus N, a χ² deviation, is beyond ±L with probability at most 2·e⁻ˣ (Laurent and Massart
  2000, lemma 1);
- a sum of N products zz' of independent numbers is half the difference of two such deviations, since zz' =
  ¼((z + z')² − (z − z')²): beyond ±L with probability at most 4·e⁻ˣ = 5.6e-11;
- the empirical distribution is further than ε from Φ with probability at most 2·exp(−2Nε²) (Dvoretzky, Kiefer
  and Wolfowitz; Massart 1990): with N = 20,000 and ε = 0.03, 5e-16.
- the distribution of all n·d columns together, N·n·d numbers, is further than ε = √(x/(2·N·n·d)) from Φ with
  probability at most 2·e⁻ˣ (the same);
- p is the probability of a number beyond 2.5, or 3, and x is N times the relative entropy of k/N to p. Then
  the share of such numbers in a column is k/N, or further from p on that side, with probability at most e⁻ˣ
  (Chernoff). The same holds for the N·n·d numbers of all columns.
A table of 30 columns has 30 means, 30 squares, 435 products of columns, 60 products of draws with other
draws, 31 distributions, 120 shares of columns and 8 of all: below 3.4e-8 a table. A check tests two tables:
below 1e-7.
"""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kqa_core.check.answer import Answer, Handle
from kqa_core.check.exercise import POSSIBLE, expect
from kqa_core.check.helpers.read_values import kind_of

COUNT = 20_000
CALLS = 30  # with the same arguments; no two may give the same keys
X = 25.0
MEAN = 7.1
DISTANCE = 0.03
# of the numbers in a column: in float32 a few of 20,000 are alike, in float16 half of them
DISTINCT = 0.97
TAILS = (2.5, 3.0)  # of each column
TAILS_TOGETHER = (2.5, 3.0, 3.5, 4.02)  # of all columns: a number that is cut at 4 is not beyond the last
EXTRA = 0.5  # the variance that key a has along its mean, on top of sigma2
Array = NDArray[np.float64]


def draw_means(n: int, dimension: int, rng: random.Random) -> Tensor:
    """n ≤ dimension random orthonormal rows, (n, dimension) float64."""
    generator = np.random.default_rng(rng.getrandbits(64))
    columns, _ = np.linalg.qr(generator.normal(size=(dimension, n)))  # (dimension, n)
    return torch.from_numpy(np.ascontiguousarray(columns.T))


def drawn_anew(answer: Answer, means: Tensor) -> None:
    """Raise NotYet if one of CALLS calls repeats keys of another, that is, two of its 80 numbers.

    A right answer does so with a probability below 2e-8: two float32 numbers of this size agree with 8e-8 at
    most, and there are 3,160 pairs of numbers in each of 435 pairs of calls.
    """
    results = answer.map([(means, 0, 0.2, 5)] * CALLS)
    keys = np.stack([read_keys(result, means, 5).flatten() for result in results])  # (CALLS, 80)
    shared = (keys[:, None] == keys).sum(axis=2) * (1 - np.eye(CALLS))
    said = (
        f"of {CALLS} calls with the same arguments, one repeats keys of another: {shared.max():.0f} of"
        f" {keys.shape[1]} numbers are the same, where draws should be independent. {POSSIBLE}they"
        " come from the same seed again (each new torch.Generator() starts with the same one), or are kept"
    )
    expect(bool(shared.max() < 2), said)


def slack(count: int) -> float:
    """How far a mean of `count` squares may be from 1, and one of products from 0."""
    return (2 * math.sqrt(count * X) + 2 * X) / count


def read_keys(result: object, means: Tensor, count: int) -> Array:
    """`result` as keys (count, n, d); NotYet says what is wrong."""
    shape = (count, *means.shape)
    if isinstance(result, Handle) or not isinstance(result, Tensor):
        expect(False, f"return a torch tensor of shape {shape}; yours is {kind_of(result)}")
    assert isinstance(result, Tensor)
    given = tuple(result.shape)
    sizes = f"for count = {count} and {means.shape[0]} keys in {means.shape[1]} dimensions"
    expect(given == shape, f"{sizes} the shape is {shape}; yours is {given}")
    expect(
        result.is_floating_point(), f"keys are real numbers, of a floating dtype; yours are {result.dtype}"
    )
    expect(bool(torch.isfinite(result).all()), f"{sizes} your keys hold nan or an infinite number")
    expect(
        bool(result.abs().max() < 1e6),
        f"{sizes} your keys hold numbers beyond a million; their means have length 1",
    )
    return np.asarray(result.to(torch.float64).numpy())


def standardised(keys: Array, means: Tensor, a: int, sigma2: float) -> Array:
    """The deviations of keys (N, n, d) divided by their expected scale, (N, n, d):
    entry 0 of the last axis is along mu_a.
    """
    first = means[a].numpy()
    basis, _ = np.linalg.qr(np.column_stack([first, np.eye(len(first))]))  # (d, d)
    basis[:, 0] = first
    deviations = (keys - means.numpy()) @ basis
    scale = np.full(deviations.shape[1:], math.sqrt(sigma2))  # (n, d)
    scale[a, 0] = math.sqrt(sigma2 + EXTRA)
    return np.asarray(deviations / scale)


def judge_keys(result: object, means: Tensor, a: int, sigma2: float, case: str) -> None:
    """Raise NotYet unless these COUNT draws of keys have the right distribution;
    see the module's docstring for false alarms.
    """
    keys = read_keys(result, means, COUNT)
    distinct = _distinct(keys)
    _no_pool(*distinct, case, 1 / 3)  # so few numbers move the means, too
    scores = standardised(keys, means, a, sigma2)  # (N, n, d)
    off = np.abs(scores.mean(axis=0)) * math.sqrt(COUNT)
    i = int(off.max(axis=1).argmax())
    distance = _distance(keys, means, i)
    said = f"{case}: the mean of {COUNT:,} draws of your key {i} is {distance:.3f} away from row {i} of means"
    # a variance that is too large moves the mean of the draws, too: then that is the mistake
    expect(bool((off / np.maximum(scores.std(axis=0), 1.0)).max() <= MEAN), said)
    _variances(keys, scores, means, a, sigma2, case)
    expect(bool(off.max() <= MEAN), said)
    _independence(scores, case)
    _no_pool(*distinct, case, DISTINCT)
    _shape(scores, case)


def _distance(keys: Array, means: Tensor, i: int) -> float:
    return float(np.linalg.norm(keys[:, i].mean(axis=0) - means[i].numpy()))


def _variances(keys: Array, scores: Array, means: Tensor, a: int, sigma2: float, case: str) -> None:
    squares = (scores**2).mean(axis=0)  # (n, d)
    allowed = slack(COUNT)
    along = float(squares[a, 0])
    wanted = sigma2 + EXTRA
    said = (
        f"{case}: along its mean, your key {a} has variance {along * wanted:.3f}; σ²I + ½·mu·muᵀ gives"
        f" {wanted:.3f} there"
    )
    # with a random number for each entry of the mean
    split = sigma2 + EXTRA * float((means[a] ** 4).sum())
    entries = keys[:, a].var(axis=0) / (sigma2 + EXTRA * means[a].numpy() ** 2)
    if abs(along * wanted / split - 1) <= allowed and bool(np.abs(entries - 1).max() <= allowed):
        said += f". {POSSIBLE}a random number for each entry of its mean, and not one for the whole vector"
    expect(abs(along - 1) <= allowed, said)
    for i, row in enumerate(squares):
        across = row[1:] if i == a else row
        worst = float(across[np.abs(across - 1).argmax()])
        where = "at right angles to its mean, " if i == a else ""
        found = f"{case}: {where}your key {i} has a variance of {_short(worst * sigma2)} in some direction"
        said = f"{found}; it should be {_short(sigma2)} in each"
        expect(abs(worst - 1) <= allowed, said)


def _short(variance: float) -> str:
    return f"{variance:.3f}" if variance >= 0.005 else f"{variance:.2g}"


def _independence(scores: Array, case: str) -> None:
    count, n, d = scores.shape
    table = scores.reshape(count, n * d)
    products = table.T @ table / count
    np.fill_diagonal(products, 0.0)
    first, second = np.unravel_index(np.abs(products).argmax(), products.shape)
    one, other = int(first) // d, int(second) // d
    related = float(np.corrcoef(table[:, first], table[:, second])[0, 1])
    which = (
        f"a coordinate of key {one} and one of key {other}"
        if one != other
        else f"two coordinates of key {one}"
    )
    expect(
        bool(np.abs(products).max() <= slack(count)),
        f"{case}: in your draws {which} have a correlation of {related:.2f}; it should be 0",
    )
    half = count // 2
    pairs = (
        (table[0::2], table[1::2], "each draw with an even number and the next one"),
        (table[:half], table[half:], f"each of the first {half:,} draws and the one {half:,} later"),
    )
    for left, right, which in pairs:
        repeats = (left * right).mean(axis=0)
        i = int(np.abs(repeats).argmax())
        related = float(np.corrcoef(left[:, i], right[:, i])[0, 1])
        expect(
            abs(float(repeats[i])) <= slack(half),
            f"{case}: {which} have a correlation of {related:.2f}; it should be 0",
        )


def _distinct(keys: Array) -> tuple[int, str]:
    """How many different numbers the draws of an entry have, at least, and which entry that is."""
    table = np.sort(keys.reshape(len(keys), -1).T)  # (n·d, N)
    counts = 1 + (np.diff(table) != 0).sum(axis=1)
    key, entry = divmod(int(counts.argmin()), keys.shape[2])
    return int(counts.min()), f"entry {entry} of key {key}"


def _no_pool(fewest: int, which: str, case: str, share: float) -> None:
    """Raise NotYet if many draws of an entry are the same number. A normal variable gives none twice."""
    expect(
        fewest >= share * COUNT,
        f"{case}: {which} has only {fewest:,} different value{'s' * (fewest > 1)} in {COUNT:,} draws;"
        " nearly all should differ",
    )


def _shape(scores: Array, case: str) -> None:
    count, n, d = scores.shape
    ordered = np.sort(scores.reshape(count, n * d).T)  # (n·d, N)
    expected = torch.special.ndtr(torch.from_numpy(ordered)).numpy()
    distance, together = _from_uniform(expected), _from_uniform(np.sort(expected, axis=None, kind="stable"))
    said = f"{case}: mean and covariance are right, but your keys are not normal"
    off = "the distribution function of {} is up to {:.3f} away from the normal one"
    expect(distance <= DISTANCE, f"{said}: {off.format('one entry', distance)}")
    expect(together <= math.sqrt(X / (2 * scores.size)), f"{said}: {off.format('all entries', together)}")
    table = np.abs(scores).reshape(count, n * d)
    for bound in TAILS:
        for share in (table > bound).mean(axis=0):
            _tail(float(share), bound, count, "the draws of one entry", said)
    for bound in TAILS_TOGETHER:
        _tail(float((table > bound).mean()), bound, table.size, "all numbers", said)


def _from_uniform(ordered: Array) -> float:
    """How far the distribution of each row of these ascending numbers is from the uniform one, at most."""
    count = ordered.shape[-1]
    steps = np.arange(1, count + 1) / count
    return float(max(np.abs(ordered - steps).max(), np.abs(ordered - (steps - 1 / count)).max()))


def _tail(share: float, bound: float, count: int, of: str, said: str) -> None:
    p = math.erfc(bound / math.sqrt(2))
    off = f"{share:.2%} of {of} lie beyond {bound:g} standard deviations; about {p:.2%} should"
    if p < 1e-3:
        off = f"{share:.2g} of {of} lie beyond {bound:g} standard deviations; about {p:.2g} should"
    expect(count * _relative_entropy(share, p) <= X, f"{said}: {off}")


def _relative_entropy(share: float, p: float) -> float:
    """That of a coin with probability `share` to one with p."""
    parts = ((share, p), (1 - share, 1 - p))
    return sum(a * math.log(a / b) for a, b in parts if a > 0)
