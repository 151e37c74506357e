"""Training on a GPU with CUDA graphs: steps of fixed shape, several in flight, without waiting for results.

- A step (draw, forward, backward, clip, update, schedule) is part of a CUDA graph. If the source draws
  batches on the device, one replay runs several steps. Other batches are drawn on the host, a few steps
  ahead, and copied without waiting; a graph then has one step, and rows are padded to one of a few widths,
  each with a graph of its own.
- Parameters, gradients and the optimiser's state are float32. Products are in bfloat16 if the GPU has it.
- The first steps run one by one: they are part of the run, and they do the initialisation that must not
  happen in a graph. Then one round runs with synchronisation forbidden. If a model cannot be captured (for
  example, heads shuffled on the host), its steps go on one by one, and a line on stderr says so.
- Losses and gradient norms stay on the device and arrive some rounds later. So a gradient that is not finite
  is detected late, but before a state is saved: weights that it spoiled are not written.
- Dropout depends on (seed, first step of a round). A killed run is resumed at the start of a round, on a GPU
  up to rounding.
- All this also runs on a CPU, step by step, for tests on machines without a GPU.
- cuDNN's attention is excluded: with a mask, its backward gives nan at 64 positions (torch ≥ 2.11 on Hopper).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from kqa_core.errors import first_line
from kqa_core.model.gpt import GPT
from kqa_core.training.batches import Batch, Batches, Draw
from kqa_core.training.gpu_optimizer import GpuOptimizer
from kqa_core.training.optimizer import Optimizer, OptimizerConfig
from kqa_core.training.step import diverged, gradient_of_fixed_shape, take_step

STRIDE = 8  # steps a replay, if the source draws on the device
AHEAD = 4  # rounds in flight before the host waits
WARM_UP = 2  # rounds before the one with synchronisation forbidden
# widths of rows from the host are multiples of this: at most four graphs for the assignment's block
WIDTHS = 32
BACKENDS = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]


class DeviceBatches:
    """Batches that the source draws on the device, inside the graph."""

    stride = STRIDE

    def __init__(self, draw: Draw, block_size: int) -> None:
        self.draw, self.block_size = draw, block_size

    def stage(self, step: int) -> int:
        """Prepare the round that begins at `step`. Returns the width of its rows."""
        return self.block_size

    def __call__(self, step: Tensor) -> Batch:
        """The batch of `step` (1,), with a column of padding: kernels are faster for even widths."""
        x, y = self.draw(step)
        more = (0, self.block_size - x.shape[1])
        return F.pad(x, more), F.pad(y, more)


class HostBatches:
    """Batches that the source draws on the host, copied to a buffer that the graph reads."""

    stride = 1

    def __init__(self, source: Batches, rows: int, block_size: int, device: torch.device) -> None:
        self.source, self.rows, self.block_size, self.device = source, rows, block_size, device
        self._buffers: dict[int, Tensor] = {}  # width → int64 (2, rows, width) on the device
        # (slot, width) → the same shape on the host, in pinned memory
        self._sending: dict[tuple[int, int], Tensor] = {}
        self._slot, self.width = 0, block_size

    def stage(self, step: int) -> int:
        """Draw the batch of `step` and copy it to the device. Returns its width."""
        x, y = self.source.batch(step)
        self.width = width = min(self.block_size, -(-x.shape[1] // WIDTHS) * WIDTHS)
        self._slot = (self._slot + 1) % (AHEAD + 2)  # a slot that no round in flight is copied from
        shape = (2, self.rows, width)
        if width not in self._buffers:
            self._buffers[width] = torch.zeros(shape, dtype=torch.int64, device=self.device)
        if (self._slot, width) not in self._sending:
            pinned = self.device.type == "cuda"
            self._sending[self._slot, width] = torch.zeros(shape, dtype=torch.int64, pin_memory=pinned)
        sending = self._sending[self._slot, width].zero_()
        sending[0, : len(x), : x.shape[1]], sending[1, : len(y), : y.shape[1]] = x, y
        self._buffers[width].copy_(sending, non_blocking=True)
        return width

    def __call__(self, step: Tensor) -> Batch:
        """The batch of the last `stage`."""
        x, y = self._buffers[self.width]
        return x, y


@dataclass
class Round:
    """Steps in flight, with their losses and gradient norms."""

    first: int
    count: int
    metrics: Tensor  # (2, stride) on the host: losses, and gradient norms before clipping
    arrived: torch.cuda.Event | None  # None: they are there already


class GpuEngine:
    """Takes training steps on one device. Use it in `with engine.context():`."""

    def __init__(
        self,
        model: GPT,
        source: Batches,
        optimizer: OptimizerConfig,
        rates: Sequence[float],
        batch_size: int,
        seed: int,
        device: torch.device,
        bfloat16: bool,
    ) -> None:
        """`model` is on `device`; `rates` are the schedule's factors for all steps."""
        self.model, self.seed, self.device, self.bfloat16 = model, seed, device, bfloat16
        self.optimizer: Optimizer = GpuOptimizer(model, optimizer, device)
        self.steps, block_size = len(rates), model.config.block_size
        draw_on = getattr(source, "draw_on", None)
        self.batch: DeviceBatches | HostBatches
        if draw_on is None:
            self.batch = HostBatches(source, batch_size, block_size, device)
        else:
            self.batch = DeviceBatches(draw_on(device, self.steps), block_size)
        self.rates = torch.tensor(rates, device=device)  # (steps,) float32
        self.step = torch.zeros(1, dtype=torch.int64, device=device)  # the next step, counted on the device
        self.metrics = torch.zeros(2, self.batch.stride, device=device)
        self.captures = device.type == "cuda"
        self._rounds: deque[Round] = deque()
        self._graphs: dict[int, torch.cuda.CUDAGraph] = {}  # by width
        self._seen: dict[int, int] = {}  # rounds of this width so far
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None  # type: ignore[no-untyped-call]

    @contextmanager
    def context(self) -> Iterator[None]:
        """The context of all steps: their own stream, and attention kernels that are correct."""
        if self._stream is None:
            yield
            return
        self._stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.device(self.device), torch.cuda.stream(self._stream), sdpa_kernel(BACKENDS):
            yield
        torch.cuda.current_stream(self.device).wait_stream(self._stream)

    def submit(self, first: int) -> int:
        """Start a round of steps at step `first`. Returns the number of steps."""
        if not self._rounds:  # also after a run was resumed
            self.step.fill_(first)
        count = min(self.batch.stride, self.steps - first)
        width = self.batch.stage(first)
        torch.manual_seed((self.seed * 1_000_003 + first) % 2**63)
        if count < self.batch.stride or not self._replay(width):
            for slot in range(count):
                self.take_one(slot)
        self._rounds.append(self._copy_metrics(first, count))
        return count

    def take_one(self, slot: int) -> None:
        """One step; loss and gradient norm go to column `slot`. No shape or branch depends on a value."""
        factor = self.rates.index_select(0, self.step)[0]  # 0-dim
        batch = self.batch(self.step)
        loss, norm = take_step(batch, self._gradient, self.optimizer, factor)
        self.metrics[0, slot], self.metrics[1, slot] = loss, norm
        self.step += 1

    def collect(self, wait: bool = False) -> list[float]:
        """The losses that have arrived; with `wait`, those of all steps in flight. Waits if too many are.

        Raises UserError if a gradient was not finite.
        """
        losses: list[float] = []
        while self._rounds and (wait or len(self._rounds) > AHEAD):
            arrived = self._rounds.popleft()
            if arrived.arrived is not None:
                arrived.arrived.synchronize()
            losses_of_round, norms = arrived.metrics[:, : arrived.count].tolist()
            for i, norm in enumerate(norms):
                if not norm < float("inf"):
                    raise diverged(arrived.first + i, f"the gradient norm is {norm}")
            losses.extend(losses_of_round)
        return losses

    def _gradient(self, batch: Batch) -> Tensor:
        return gradient_of_fixed_shape(self.model, batch, self.bfloat16)

    def _copy_metrics(self, first: int, count: int) -> Round:
        if self._stream is None:
            return Round(first, count, self.metrics.clone(), None)
        metrics = torch.empty(self.metrics.shape, pin_memory=True).copy_(self.metrics, non_blocking=True)
        arrived = torch.cuda.Event()  # type: ignore[no-untyped-call]
        arrived.record()
        return Round(first, count, metrics, arrived)

    def _replay(self, width: int) -> bool:
        """Replay a round's graph; capture it first, after the warm-up. False: take steps one by one."""
        if not self.captures:
            return False
        self._seen[width] = seen = self._seen.get(width, 0) + 1
        if seen <= WARM_UP:
            return False
        if seen == WARM_UP + 1:
            return self._rehearse()
        if width not in self._graphs and not self._capture(width):
            return False
        self._graphs[width].replay()
        return True

    def _rehearse(self) -> bool:
        """Take a round without synchronisation. False if the first step failed: none was taken."""
        slot = 0
        torch.cuda.set_sync_debug_mode("error")
        try:
            for slot in range(self.batch.stride):
                self.take_one(slot)
        except RuntimeError as error:
            if slot:
                raise
            self._disable_graphs(error)  # it failed before the update, and the counter changes last
            return False
        finally:
            torch.cuda.set_sync_debug_mode("default")
        return True

    def _capture(self, width: int) -> bool:
        """Capture the graph of a whole round, which takes no step. False if that failed."""
        graph = torch.cuda.CUDAGraph()
        pool = next(iter(self._graphs.values())).pool() if self._graphs else None
        try:
            with torch.cuda.graph(graph, pool=pool, stream=self._stream):
                for slot in range(self.batch.stride):
                    self.take_one(slot)
        except RuntimeError as error:
            self._disable_graphs(error)
            return False
        self._graphs[width] = graph
        return True

    def _disable_graphs(self, error: RuntimeError) -> None:
        """Go on without graphs, and print a line that says so."""
        self.captures = False
        for part in self.optimizer.parts:
            part.zero_grad(set_to_none=True)
        config = self.model.config
        what = f"{config.variant} with fusion {config.fusion}"
        print(
            f"kqa: {what} takes its steps one by one, without a CUDA graph ({first_line(error)})",
            file=sys.stderr,
        )
