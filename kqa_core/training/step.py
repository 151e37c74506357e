"""One step of training, wherever it runs: forward, backward, clip, update.

- `take_step` is the one function that every engine calls: the loop on a CPU (`kqa_core.training.loop`), and the engine of
  fixed shapes
  (`kqa_core.training.gpu_engine`), whose steps a CUDA graph can hold. They differ in what they pass in: the batch, the way to
  its gradient, the optimiser.
- On a CPU, that way trims rows and looks at numbers as it goes. `gradient_of_fixed_shape` does neither.
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

Gradient = Callable[[Batch], float | Tensor]  # gives the parameters a batch's gradient, returns its mean loss


def take_step(batch: Batch, gradient: Gradient, optimizer: Optimizer, factor: float | Tensor) -> tuple[float | Tensor, Tensor]:
    """One step. Returns the batch's mean loss, and the gradient's length.

    `factor` multiplies the optimiser's rates. Raises FloatingPointError where the optimiser looks at the gradient's length.
    """
    optimizer.set_factor(factor)
    loss = gradient(batch)
    norm = optimizer.clip()
    optimizer.check_norm(norm)
    optimizer.update()
    return loss, norm


def gradient_of_fixed_shape(model: GPT, batch: Batch, bfloat16: bool) -> Tensor:
    """The mean loss over a batch's targets, 0-dim, its gradient added to the parameters: all rows at once, padding and all."""
    x, y = batch
    with torch.autocast(x.device.type, torch.bfloat16, enabled=bfloat16):
        logits, _ = model(x)  # (B, T, vocab_size)
    summed = F.cross_entropy(logits.flatten(0, 1).float(), y.flatten(), ignore_index=PAD_INDEX, reduction="sum")
    loss = summed / (y != PAD_INDEX).sum().clamp(min=1)
    loss.backward()  # type: ignore[no-untyped-call]
    return loss.detach()


def diverged(step: int, why: object) -> UserError:
    """What is raised when a gradient is not finite."""
    return UserError(f"training broke down at step {step} ({why}): take another seed, or a recipe with a lower rate")
