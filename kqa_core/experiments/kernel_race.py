"""Times of our kernels and of the alternatives on this machine's GPU: `kqa bench kernels`, notebook 12.

- One tile of attention, forward and backward in bfloat16 at the assignment's shape (128 rows, 8 heads, 128
  positions, 32 channels). The alternatives are the backends of torch's scaled_dot_product_attention, and the
  equation compiled by torch.
- The Synthesizer at the same shape. The alternatives are its equation, and torch's kernel with constant keys.
- A batch of 128 corrupted rows in one launch. The alternative is the same arithmetic as small torch
  operations on the GPU.
- Each implementation is captured in a CUDA graph of several calls, so that the time of the CPU does not
  count. The graphs are replayed in turns; the best time counts. If an implementation fails (a backend that
  does not support these shapes), a line says so.
- Without a GPU, or without Triton, nothing is timed: every time is None, and the table is one sentence
  (`ABSENT`).
- `python -m kqa_core.experiments.kernel_race` prints the table; it writes nothing.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from kqa_core.errors import first_line
from kqa_core.experiments.results import recorded
from kqa_core.kernels import HAS_TRITON, one_tile, span_rows, with_constant_keys
from kqa_core.text.span_corruption import DocumentTable, corrupt_rows
from kqa_core.text.vocabulary import Vocabulary

B, NH, T, HS = 128, 8, 128, 32
CALLS, TURNS = 20, 10  # calls a graph, replays of it
NOT_MEASURED = "not measured"
ABSENT = (
    "No times: they take an NVIDIA GPU and Triton. There, `python -m kqa_core.experiments.kernel_race`"
    " measures them."
)
BACKENDS = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cudnn": SDPBackend.CUDNN_ATTENTION,
    "math": SDPBackend.MATH,
}

Call = Callable[[], object]
Times = dict[str, float | None]  # implementation → microseconds a call


def can_race() -> bool:
    """Whether this process can time our kernels: it needs a GPU and Triton."""
    return torch.cuda.is_available() and HAS_TRITON


def graph_of(call: Call) -> torch.cuda.CUDAGraph:
    """A CUDA graph of CALLS calls."""
    side = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch ships no types for it
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(CALLS):
            call()
    return graph


def microseconds(calls: dict[str, Call]) -> Times:
    """The best time of one call of each, timed in turns; None for one that is not supported here."""
    graphs: dict[str, torch.cuda.CUDAGraph] = {}
    for name, call in calls.items():
        try:
            graphs[name] = graph_of(call)
        except RuntimeError as error:  # a backend that does not support these shapes or this GPU
            print(f"  {name}: refused ({first_line(error)})", file=sys.stderr)
    best: Times = dict.fromkeys(calls)
    for _ in range(TURNS):
        for name, graph in graphs.items():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))  # type: ignore[no-untyped-call]  # as above
            start.record()
            graph.replay()
            end.record()
            torch.cuda.synchronize()
            taken = 1e3 * start.elapsed_time(end) / CALLS
            before = best[name]
            best[name] = taken if before is None else min(before, taken)
    return best


def both_ways(forward: Callable[[], Tensor], inputs: tuple[Tensor, ...], grad: Tensor) -> Call:
    """A call that runs forward and backward."""
    return lambda: torch.autograd.grad(forward(), inputs, grad)


def tensors() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Queries, keys, values, a gradient, (B, NH, T, HS) each, laid out as a projection's output."""
    drawn = [torch.randn(B, T, NH, HS, device="cuda", dtype=torch.bfloat16).transpose(1, 2) for _ in range(4)]
    return drawn[0].requires_grad_(), drawn[1].requires_grad_(), drawn[2].requires_grad_(), drawn[3]


def attention_ways() -> dict[str, Call]:
    """Implementations of softmax attention."""
    query, key, value, grad = tensors()
    inputs = (query, key, value)
    later = torch.ones(T, T, dtype=torch.bool, device="cuda").triu(1)

    def literal() -> Tensor:
        logits = (query @ key.transpose(-2, -1) / math.sqrt(HS)).masked_fill(later, -math.inf)
        return logits.softmax(dim=-1) @ value

    def by_torch(backend: SDPBackend) -> Callable[[], Tensor]:
        def forward() -> Tensor:
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(query, key, value, is_causal=True)

        return forward

    ways = {
        "ours": both_ways(lambda: one_tile.attention(query, key, value, None, HS**-0.5, True), inputs, grad)
    }
    ways |= {name: both_ways(by_torch(backend), inputs, grad) for name, backend in BACKENDS.items()}
    return ways | {"literal, compiled": both_ways(torch.compile(literal), inputs, grad)}


def synthesizer_ways() -> dict[str, Call]:
    """Implementations of the dense Synthesizer, after its hidden layer."""
    query, _, value, grad = tensors()
    table = torch.randn(HS, T, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    offset = torch.randn(T, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    inputs = (query, table, offset, value)
    later = torch.ones(T, T, dtype=torch.bool, device="cuda").triu(1)

    def literal() -> Tensor:
        return (query @ table + offset).masked_fill(later, -math.inf).softmax(dim=-1) @ value

    def constant_keys() -> Tensor:
        read = F.scaled_dot_product_attention(*with_constant_keys(*inputs), is_causal=True, scale=1.0)
        return read[..., :-1]

    return {
        "ours": both_ways(
            lambda: one_tile.attention(query, table.t(), value, offset, 1.0, True), inputs, grad
        ),
        "literal": both_ways(literal, inputs, grad),
        "constant keys": both_ways(constant_keys, inputs, grad),
    }


def corruption_ways() -> dict[str, Call]:
    """Implementations of span corruption."""
    text = "Keys, queries and values. " * 6
    table = DocumentTable([text] * 1000, Vocabulary.from_text(text)).to("cuda")
    rows, step = torch.randperm(1000, device="cuda")[:B], torch.zeros(1, dtype=torch.int64, device="cuda")
    return {
        "ours": lambda: span_rows.corrupted(table, rows, T, 0, step),
        "torch": lambda: corrupt_rows(table, rows, T, 0, step),
    }


# part → its implementations, and their names
PARTS: dict[str, tuple[Callable[[], dict[str, Call]], tuple[str, ...]]] = {
    "one tile": (attention_ways, ("ours", *BACKENDS, "literal, compiled")),
    "synthesizer": (synthesizer_ways, ("ours", "literal", "constant keys")),
    "corruption": (corruption_ways, ("ours", "torch")),
}


def race() -> dict[str, Times]:
    """Part → implementation → microseconds, forward and backward; None if it was not measured."""
    measured = can_race()
    return {
        part: microseconds(ways()) if measured else dict.fromkeys(names)
        for part, (ways, names) in PARTS.items()
    }


def race_table(times: dict[str, Times]) -> str:
    """The measured times, a line each, and how many times as fast ours is; a sentence if there are none."""
    lines = []
    for part, taken in times.items():
        ours = taken.get("ours")
        for name, time in taken.items():
            ratio = (
                ""
                if time is None or ours is None or name == "ours"
                else f"   ours is {time / ours:5.2f} × as fast"
            )
            lines += [f"{part:<12} {name:<18} {time:9.1f} µs{ratio}"] if time is not None else []
    return "\n".join(lines) or ABSENT


@dataclass(frozen=True)
class RaceResults:
    """Times of the kernels on one machine."""

    times: dict[str, Times]  # part → implementation → microseconds, None where it was not measured
    machine: str  # "NVIDIA H200, torch 2.11.0"; "" where nothing was measured

    @property
    def measured(self) -> bool:
        """Whether there is any figure."""
        return any(time is not None for times in self.times.values() for time in times.values())


def recorded_race(path: Path | None = None) -> RaceResults:
    """The recorded times of the kernels, or all None. Raises UserError for a damaged file."""

    def view(file: dict[str, Any]) -> RaceResults:
        times: dict[str, Times] = {}
        for part, (_, names) in PARTS.items():
            figures = {name: file["figures"][f"{part}: {name}, µs"] for name in names}
            times[part] = {
                name: float(figure) if isinstance(figure, int | float) else None
                for name, figure in figures.items()
            }
        results = RaceResults(times, f"{file['machine']['device']}, torch {file['machine']['torch']}")
        return results if results.measured else RaceResults(times, "")

    absent = RaceResults({part: dict.fromkeys(names) for part, (_, names) in PARTS.items()}, "")
    return recorded("kernels", view, path, absent)


if __name__ == "__main__":
    print(race_table(race()))
