"""Read the losses that a training function returns, one a batch, and compare them with the right ones."""

from __future__ import annotations

from torch import Tensor

from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers.read_values import kind_of, number, told


def read_losses(value: object, count: int, about: str = "") -> list[float]:
    """The losses of one call. Raises NotYet unless they are `count` floats; `about` says of which call."""
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"return a list of losses, one for each batch; yours is {kind_of(value)}")
    expect(
        len(value) == count,
        f"{about}{count} losses were expected, one for each step; you return {len(value)}",
    )
    for loss in value:
        if isinstance(loss, Tensor):
            raise NotYet("each loss should be a float; yours is a tensor. loss.item() is a float")
    return [number(loss, "each loss") for loss in value]


def expect_losses(wanted: list[float], losses: list[float], tolerance: float, when: str = "") -> None:
    """Raise NotYet at the first loss that is not within `tolerance` of `wanted`, of the same length.
    `when` says in which training.
    """
    for step, (mine, yours) in enumerate(zip(wanted, losses, strict=True)):
        right, returned = told(mine, yours)
        expect(
            abs(mine - yours) < tolerance,
            f"{when}the loss on batch {step + 1} of {len(wanted)} should be {right}; yours is {returned}",
        )
