"""Four keys in three dimensions: what the concrete look-up exercises of notebook 01 share.

- `KEYS` are the notebook's own keys; the checks draw others, since a query for one set of keys answers nothing.
- Four keys are affinely independent where no plane holds all four. The notebook's are, and so are those that the checks draw.
- "Nearly all" is a weight above 0.99, "the same" within 0.01: as in the notebook's text.
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from kqa_core.check.facts import NotYet, expect
from kqa_core.check.plain import kind_of

KEYS = torch.tensor([[0.5, 0.0, 0.3], [0.2, 0.7, 0.1], [-0.4, 0.3, 0.6], [0.6, -0.1, 0.5]], dtype=torch.float64)  # (4, 3)
"""The notebook's keys. The fourth lies near the first and is longer: a query along the first key alone finds the wrong one."""

REKEY_KEYS = torch.tensor([[0.5, 0.1, 0.0], [0.1, 0.5, 0.0], [0.0, -0.3, 0.4], [-0.2, -0.4, -0.5]], dtype=torch.float64)  # (4, 3)
REKEY_QUERY = torch.tensor([20.0, 20.0, 0.0], dtype=torch.float64)  # (3,); logits 12, 12, −6, −12: the first two share the weight
"""Keys that one query already averages, for the exercises in which a key changes instead of the query."""

NEARLY_ALL = 0.99
SLACK = 0.01


def tensor(value: object, shape: tuple[int, ...], what: str) -> Tensor:
    """`value` as a float64 tensor of `shape`. Raises NotYet, naming `what`, where it is none or holds nan or inf."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        value = torch.from_numpy(value.astype(np.float64))
    if isinstance(value, (list, tuple)) and all(type(number) in (int, float) for number in value):
        value = torch.tensor([float(number) if abs(number) < 1e300 else math.inf for number in value], dtype=torch.float64)
    if not isinstance(value, Tensor) or value.is_complex() or value.dtype is torch.bool:
        raise NotYet(f"{what} must be a tensor of shape {shape}; yours is {kind_of(value)}")
    found = value.detach().to(torch.float64)
    expect(tuple(found.shape) == shape, f"{what} must have shape {shape}; yours has shape {tuple(found.shape)}")
    expect(bool(torch.isfinite(found).all()), f"{what} holds nan or inf")
    return found


def weights_of(keys: Tensor, query: Tensor, what: str = "your query") -> Tensor:
    """softmax(K q): keys (4, 3), query (3,) → weights (4,); queries (n, 3) → (n, 4). Raises NotYet where the logits overflow."""
    logits = query @ keys.T  # (…, 4)
    expect(bool(torch.isfinite(logits).all()), f"{what} is so long that the logits overflow: a smaller one will do")
    return torch.softmax(logits, dim=-1)


def shown(weights: Tensor) -> str:
    """Weights as a reader wants them: [0.99, 0.01, 0.00, 0.00]."""
    return "[" + ", ".join(f"{weight:.2f}" for weight in weights.tolist()) + "]"
