"""Several processes that train one model: what `torchrun --nproc-per-node=2 -m kqa_core.cli pretrain …` needs.

- Every process knows the same global batch, since batches are a function of (seed, step), and trains on its share of it.
- On CPUs a batch is cut into the same parts however many processes there are. Each sends all the gradients of its parts, and
  all add them in the order of the parts: every process then holds, bit for bit, the gradient that one alone would hold.
- On GPUs each takes its share of the rows. Gradients are weighted by the targets they come from and added up in one message a
  step, the loss and the count of targets with them: the gradient of the mean over all targets, but for rounding.
- The first process reads and writes checkpoints and shows progress; the others are sent what it read. So only the first needs
  the disk, and any number of processes may take up a run.
- gloo joins processes on CPUs, NCCL those on GPUs. A process that another one fails ends with one line.
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

from kqa_core.errors import LostProcess

Anything = TypeVar("Anything")
_stores: list[tuple[Any, int, int]] = []  # at most one
_runs = itertools.count()
NEEDED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")  # what torchrun tells each process


@dataclass(frozen=True)
class World:
    """The processes that train together; by default this one alone."""

    rank: int = 0
    size: int = 1

    @property
    def first(self) -> bool:
        """Whether this process writes and shows."""
        return self.rank == 0

    def shard(self, rows: Tensor) -> Tensor:
        """This process's rows of a global batch: every `size`-th."""
        return rows[self.rank :: self.size]

    def mean(self, parameters: Iterable[Tensor], loss: Tensor, targets: Tensor) -> Tensor:
        """Turn this process's gradients into those of the mean over every process's targets; returns that mean loss, 0-dim.

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
        for parameter, part in zip(trained, torch.split(flat[:-1], [p.numel() for p in trained]), strict=True):
            parameter.grad = part.view_as(parameter)
        return flat[-1]

    def sum_in_order(self, parameters: Iterable[Tensor], parts: int, gradient: Callable[[int], float]) -> list[float]:
        """Leave with every process the gradients of all parts, added in their order; returns each part's loss.

        `gradient(n)` adds part n's gradient to the parameters and returns its loss. Each process takes every `size`-th part.
        """
        if self.size == 1:
            return [gradient(part) for part in range(parts)]
        trained = [parameter for parameter in parameters if parameter.requires_grad]
        sizes = [parameter.numel() for parameter in trained]
        own_gradients = torch.zeros(-(-parts // self.size), sum(sizes))  # a row for each of this process's parts
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
        """What the first process says, on every process."""
        if self.size == 1:
            return value
        box: list[Anything] = [value]
        try:
            dist.broadcast_object_list(box, src=0)
        except RuntimeError as error:
            raise self._lost(error) from None
        return box[0]

    def _lost(self, error: RuntimeError) -> LostProcess:
        reason = re.sub(
            r"^\[[^]]*\] ", "", (str(error).strip() or type(error).__name__).splitlines()[0]
        )  # no line of gloo's source
        return LostProcess(
            f"process {self.rank} of {self.size} lost another one ({reason}): "
            f"start the same command again, and it goes on from the last state saved"
        )


@contextmanager
def joined(device: torch.device) -> Iterator[World]:
    """Join the processes that torchrun started with this one; alone where it did not. Raises UserError where they cannot meet."""
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
        taken = "the port is taken" if "EADDRINUSE" in str(error) else (str(error) or type(error).__name__).splitlines()[0]
        advice = "give torchrun another --master-port, or --standalone, which takes a free one"
        raise LostProcess(f"{where}: the processes could not meet there ({taken}): {advice}") from None
    try:
        yield World(dist.get_rank(), dist.get_world_size())
    finally:
        dist.destroy_process_group()


def _store() -> tuple[Any, int, int]:
    """Where the processes meet, this one's number, and how many there are. Each run of a process has a corner of its own there.

    The store stays for as long as the process: one that left and came back might find the store that the other is about to close.
    """
    if not _stores:
        _stores.append(next(rendezvous("env://")))
    store, rank, size = _stores[0]
    corner = dist.PrefixStore(f"run {next(_runs)}", store)  # type: ignore[attr-defined]  # torch documents it, and does not export it
    return corner, rank, size


def has_joined() -> bool:
    """Whether this process has trained with others."""
    return bool(_stores)


def is_first_process() -> bool:
    """Whether this process prints what all of them would: the first, or the only one."""
    return not all(name in os.environ for name in NEEDED) or os.environ["RANK"] == "0"
