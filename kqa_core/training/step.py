"""One training step on any device: forward, backward, clip, update.

- Both engines call `take_step`: the one for CPUs (`kqa_core.training.loop`) and the one for GPUs
  (`kqa_core.training.gpu_engine`), whose steps have fixed shapes and fit into a CUDA graph. They pass
  different batches, gradient functions and optimisers.
- The gradient function for CPUs trims rows and reads numbers. `gradient_of_fixed_shape` does neither.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.config import PAD_INDEX
from kqa_core.model.gpt import GPT
from kqa_core.training.batches import Batch
from kqa_core.training.optimizer import Optimizer

# adds a batch's gradient to the parameters and returns its mean loss
Gradient = Callable[[Batch], float | Tensor]


def take_step(
    batch: Batch, gradient: Gradient, optimizer: Optimizer, factor: float | Tensor
) -> tuple[float | Tensor, Tensor]:
    """One step. Returns the batch's mean loss, and the gradient norm before clipping.

    `factor` multiplies the optimiser's rates. Raises FloatingPointError if the optimiser checks the norm and
    it is not finite.
    """
    optimizer.set_factor(factor)
    loss = gradient(batch)
    return loss, optimizer.step()


def gradient_of_fixed_shape(model: GPT, batch: Batch, bfloat16: bool) -> Tensor:
    """A batch's mean loss over its targets, 0-dim, rows padded; adds its gradient to the parameters."""
    x, y = batch
    with torch.autocast(x.device.type, torch.bfloat16, enabled=bfloat16):
        logits, _ = model(x)  # (B, T, vocab_size)
    summed = F.cross_entropy(
        logits.flatten(0, 1).float(), y.flatten(), ignore_index=PAD_INDEX, reduction="sum"
    )
    loss = summed / (y != PAD_INDEX).sum().clamp(min=1)
    loss.backward()  # type: ignore[no-untyped-call]
    return loss.detach()


def diverged(step: int, why: object) -> UserError:
    """The error for a gradient that is not finite."""
    return UserError(
        f"training diverged at step {step} ({why}): use another seed, or a recipe with a lower learning rate"
    )
