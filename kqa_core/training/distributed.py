"""Data-parallel training: several processes train one model, as in
`torchrun --nproc-per-node=2 -m kqa_core.cli pretrain …`.

- Batches are a function of (seed, step), so every process knows the global batch. Each trains on its part of
  it.
- On CPUs a batch is cut into the same parts for any number of processes. Each process sends the gradients of
  its parts, and all add them in the order of the parts: every process gets, bit for bit, the gradient that a
  single process would compute.
- On GPUs each process takes its part of the rows. Gradients are weighted by their numbers of targets and
  summed in one message a step, with the loss and the number of targets: the result is the gradient of the
  mean over all targets, up to rounding.
- The first process reads and writes checkpoints and shows progress; it sends the others what it read. So only
  the first needs the disk, and a run may be resumed with another number of processes.
- The backend is gloo on CPUs, NCCL on GPUs. If a process loses another one, it ends with one line.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.rendezvous import rendezvous

from kqa_core.errors import LostProcess, first_line

Anything = TypeVar("Anything")
_stores: list[tuple[Any, int, int]] = []  # at most one
_runs = itertools.count()
NEEDED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")  # environment variables that torchrun sets


@dataclass(frozen=True)
class World:
    """The processes that train together; by default only this one."""

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and shows progress."""
        return self.rank == 0

    def shard(self, rows: Tensor) -> Tensor:
        """The rows of a global batch (B, …) that this process trains on: every `size`-th."""
        return rows[self.rank :: self.size]

    def mean(self, parameters: Iterable[Tensor], loss: Tensor, targets: Tensor) -> Tensor:
        """Replace this process's gradients by those of the mean over the targets of all processes. Returns
        that mean loss, 0-dim.

        `loss` is the mean over this process's `targets` (a count), and the gradients are that mean's.
        """
        if self.size == 1:
            return loss
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        grads = [torch.zeros_like(p) if p.grad is None else p.grad for p in trained]
        flat = torch.cat([*(grad.flatten() for grad in grads), loss.view(1)]) * targets  # (parameters + 1,)
        flat = torch.cat((flat, targets.view(1).to(flat.dtype)))
        try:
            dist.all_reduce(flat)
        except RuntimeError as error:
            raise self._lost(error) from None
        flat = flat[:-1] / flat[-1].clamp(min=1)
        for parameter, part in zip(
            trained, torch.split(flat[:-1], [p.numel() for p in trained]), strict=True
        ):
            parameter.grad = part.view_as(parameter)
        return flat[-1]

    def sum_in_order(
        self, parameters: Iterable[Tensor], parts: int, gradient: Callable[[int], float]
    ) -> list[float]:
        """Give every process the sum of the gradients of all parts, added in their order.
        Returns the loss of each part.

        `gradient(n)` adds part n's gradient to the parameters and returns its loss. Each process takes every
        `size`-th part.
        """
        if self.size == 1:
            return [gradient(part) for part in range(parts)]
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        sizes = [parameter.numel() for parameter in trained]
        # a row for each of this process's parts
        own_gradients = torch.zeros(-(-parts // self.size), sum(sizes))
        losses = torch.zeros(len(own_gradients), dtype=torch.float64)
        for row, part in enumerate(range(self.rank, parts, self.size)):
            losses[row] = gradient(part)
            for held, parameter in zip(torch.split(own_gradients[row], sizes), trained, strict=True):
                if parameter.grad is not None:
                    held.copy_(parameter.grad.flatten())
                parameter.grad = None
        all_gradients = [torch.empty_like(own_gradients) for _ in range(self.size)]
        all_losses = [torch.empty_like(losses) for _ in range(self.size)]
        try:
            dist.all_gather(all_gradients, own_gradients)
            dist.all_gather(all_losses, losses)
        except RuntimeError as error:
            raise self._lost(error) from None
        for part in range(parts):
            of_part = torch.split(all_gradients[part % self.size][part // self.size], sizes)
            for parameter, added in zip(trained, of_part, strict=True):
                if parameter.grad is None:
                    parameter.grad = added.view_as(parameter).clone()
                else:
                    parameter.grad += added.view_as(parameter)
        return [float(all_losses[part % self.size][part // self.size]) for part in range(parts)]

    def broadcast(self, value: Anything) -> Anything:
        """The first process's `value`, on every process. It must be picklable."""
        if self.size == 1:
            return value
        box: list[Anything] = [value]
        try:
            dist.broadcast_object_list(box, src=0)
        except RuntimeError as error:
            raise self._lost(error) from None
        return box[0]

    def _lost(self, error: RuntimeError) -> LostProcess:
        reason = re.sub(r"^\[[^]]*\] ", "", first_line(error))  # no line of gloo's source
        return LostProcess(
            f"process {self.rank} of {self.size} lost another one ({reason}): "
            "start the same command again, and it goes on from the last state saved"
        )


@contextmanager
def joined(device: torch.device) -> Iterator[World]:
    """Join the processes that torchrun started with this one, if it did.
    Raises UserError if they cannot connect.
    """
    if dist.is_available() and dist.is_initialized():  # by the caller
        yield World(dist.get_rank(), dist.get_world_size())
        return
    if not all(name in os.environ for name in NEEDED) or os.environ["WORLD_SIZE"] == "1":
        yield World()
        return
    backend = "nccl" if device.type == "cuda" else "gloo"
    if device.type == "cuda":
        torch.cuda.set_device(device)
    try:
        store, rank, size = _store()
        dist.init_process_group(backend, store=store, rank=rank, world_size=size)
    except (RuntimeError, ValueError) as error:
        where = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
        taken = "the port is in use" if "EADDRINUSE" in str(error) else first_line(error)
        advice = "give torchrun another --master-port, or --standalone, which takes a free one"
        raise LostProcess(f"{where}: the processes could not connect there ({taken}): {advice}") from None
    try:
        yield World(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()


def _store() -> tuple[Any, int, int]:
    """The store of the process group, this process's rank, and the world size.
    Each run has its own prefix in the store.

    The store exists as long as the process. If it were opened again for each run, a process might join the
    store that another one is about to close.
    """
    if not _stores:
        _stores.append(next(rendezvous("env://")))
    store, rank, size = _stores[0]
    prefixed = dist.PrefixStore(f"run {next(_runs)}", store)  # type: ignore[attr-defined]  # torch documents it, and does not export it
    return prefixed, rank, size


def has_joined() -> bool:
    """Whether this process has trained with others."""
    return bool(_stores)


def is_first_process() -> bool:
    """Whether this is the first or the only process, which prints for all."""
    return not all(name in os.environ for name in NEEDED) or os.environ["RANK"] == "0"
