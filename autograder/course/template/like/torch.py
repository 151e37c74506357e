# %% [markdown]
# # Tensors
#
# In this notebook you compute with tensors of torch.

# %% role="setup"
import torch

from kqa_core.check import check, hint, progress, solution

# %% [markdown] exercise="distances" role="statement" points=2 title="All distances" minutes=10 difficulty=3
# `points` has the shape (n, d): n points in d dimensions. Return a tensor of shape (n, n) with the distance
# of each point from each.
#
# Hint: The distance is the root of the sum of the squared differences.
#
# Hint: `points[:, None] - points[None]` has the shape (n, n, d).
#
# Hint: Square, sum over the last dimension, and take the root.


# %% exercise="distances" role="solution"
def distances(points):
    """points (n, d) -> distances (n, n)."""
    difference = points[:, None] - points[None]  # (n, n, d)
    return difference.square().sum(-1).sqrt()


# %% exercise="distances" role="visible"
# Tensors and arrays are values: a check receives them as they are.
def check(answer, rng):
    """Three points of a triangle with sides 3, 4 and 5."""
    found = answer(torch.tensor([[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]))
    expect(isinstance(found, torch.Tensor), "return a tensor")
    expect(tuple(found.shape) == (3, 3), f"the shape must be (3, 3); yours is {tuple(found.shape)}")
    wanted = torch.tensor([[0.0, 3.0, 5.0], [3.0, 0.0, 4.0], [5.0, 4.0, 0.0]])
    expect(
        torch.allclose(found.float(), wanted, atol=1e-3),
        f"the sides are 3, 4 and 5; yours are {found.tolist()}",
    )
    return right("all distances are right")


# %% exercise="distances" role="key"
def inputs(rng):
    """Points from which the hidden check and the comparison with wrong answers draw."""
    return [(torch.tensor([[rng.gauss(0, 1) for _ in range(4)] for _ in range(6)]),) for _ in range(2)]


def right_with_cdist(points):
    return torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")


def wrong_the_squares(points):
    """These are the squared distances: take the root."""
    return (points[:, None] - points[None]).square().sum(-1)


def wrong_the_differences_added(points):
    """You add the differences of the coordinates. A distance is the root of the sum of their squares."""
    return (points[:, None] - points[None]).abs().sum(-1)
