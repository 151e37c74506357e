"""Functions for find_the_leak, made in the answer's process (`Build("course_exercises._leaks:machine")`):
some depend on the future, some do not.

- Each is a function x (B, T, d) → (B, T, d) in float64: causal attention with two heads, and one more
  feature, named `how`.
- `CLEAN` and `LEAKY` list the two kinds. In a clean one the future changes no bit of the past: a masked
  weight is exactly 0, and 0 · v adds nothing, as long as v is a number.
- A leak is a dependence on a *later* position, of any row of the batch. A dependence on other rows at the
  same position or before is unusual, but it is not a leak.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

Machine = Callable[[Tensor], Tensor]

CLEAN = (
    *("attention", "itself", "running mean", "running norm", "the one before", "batch mean here"),
    *("per length", "row number"),
)
LEAKY = (
    *(
        "row norm",
        "mixed keys",
        "mask off by one",
        "mask of minus ten",
        "no mask",
        "two ahead",
        "last but one reads the last",
    ),
    *(
        "first reads the second",
        "batch statistics",
        "row mean",
        "row size",
        "next row's next",
        "one part in a million",
    ),
    *(
        "last row only",
        "directions",
        "signs",
        "signs after LayerNorm",
        "one component read",
        "one component written",
    ),
    "middle row only",
    "other rows' next",
    "opposite signs",
    "one position only",
    "whether positive",
)
JUMPS = (
    "signs",
    "whether positive",
    "signs after LayerNorm",
    "opposite signs",
)  # their leak has no derivative: outputs change in jumps
SMALL = 1e-6  # size of the smallest leak, against outputs between 1 and 3: allclose lets 1e-5 of them pass


def machine(how: str, d: int, seed: int) -> Machine:
    """The function `how` for d components (an even number), with weights drawn from `seed`;
    for rows of at most 64 positions.
    """
    generator = torch.Generator().manual_seed(seed)
    w_q, w_k, w_v, w_o, extra = torch.randn(5, d, d, generator=generator, dtype=torch.float64) / math.sqrt(d)
    mix = torch.randn(3, 64, generator=generator, dtype=torch.float64) / 8
    first = int(torch.randint(d, (), generator=generator))
    component = slice(first, first + 1)  # the only one that is read, or written
    place = int(torch.randint(1_000, (), generator=generator))  # modulo T − 1, the only position that leaks

    def heads(x: Tensor, masked: Callable[[Tensor], Tensor]) -> Tensor:
        """Attention with two heads, before they are concatenated: (B, T, d) → (B, 2, T, d/2)."""
        query, key, value = ((x @ w).unflatten(-1, (2, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
        logits = query @ key.transpose(-2, -1) / math.sqrt(d / 2)
        read: Tensor = masked(logits).softmax(dim=-1) @ value
        return read

    def merged(read: Tensor) -> Tensor:
        out: Tensor = read.transpose(1, 2).flatten(2) @ w_o
        return out

    def attend(x: Tensor, ahead: int = 0, fill: float = -math.inf) -> Tensor:
        """Positions after t + ahead are masked: their scores become `fill`."""
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(ahead + 1)
        return merged(heads(x, lambda logits: logits.masked_fill(hidden, fill)))

    def causal_heads(x: Tensor) -> Tensor:
        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        return heads(x, lambda logits: logits.masked_fill(hidden, -math.inf))

    def reweighed(x: Tensor, over: Callable[[Tensor], Tensor]) -> Tensor:
        """Heads times their norm, divided by the mean norm;
        `over` sums the squares (B, 2, T, 1) over time.
        """
        read = causal_heads(x)
        norms = over(read.square().sum(dim=-1, keepdim=True)).sqrt()
        return merged(read * norms / norms.mean(dim=1, keepdim=True))

    def mixed_keys(x: Tensor) -> Tensor:
        """As in Linformer: the keys and values of the row are projected to three."""
        rows = mix[:, : x.shape[1]] @ x  # (B, 3, d)
        out: Tensor = ((x @ w_q) @ (rows @ w_k).transpose(-2, -1)).softmax(dim=-1) @ rows @ w_v @ w_o
        return out

    def later(x: Tensor, steps: int) -> Tensor:
        """x[t + steps] at position t, zeros if there is none."""
        return F.pad(x[:, steps:], (0, 0, 0, min(steps, x.shape[1])))

    def one_place(x: Tensor, reader: int, read: int) -> Tensor:
        """Causal attention, and position `reader` attends to position `read` too."""
        out = attend(x)
        if x.shape[1] > 1:
            out[:, reader] = out[:, reader] + x[:, read] @ extra
        return out

    def one_row(x: Tensor, row: int) -> Tensor:
        """Causal attention, and only this row of the batch reads its own next position."""
        out = attend(x)
        out[row] = out[row] + later(x, 1)[row] @ extra
        return out

    def one_component(x: Tensor, read: slice, written: slice) -> Tensor:
        """Causal attention, and some components read some components of the next position."""
        out = attend(x)
        out[..., written] = out[..., written] + later(x, 1)[..., read] @ extra[read, written]
        return out

    def standardised(x: Tensor) -> Tensor:
        """Each component minus its mean over batch and positions, divided by its standard deviation."""
        out = attend(x)
        spread = out.std(dim=(0, 1), correction=0, keepdim=True) + 1e-3
        return (out - out.mean(dim=(0, 1), keepdim=True)) / spread

    def running_mean(x: Tensor) -> Tensor:
        out: Tensor = (x.cumsum(dim=1) / torch.arange(1, x.shape[1] + 1, dtype=x.dtype)[:, None]) @ extra
        return out

    machines: dict[str, Machine] = {
        "attention": attend,
        "itself": lambda x: (x @ extra).tanh(),
        "running mean": running_mean,
        "running norm": lambda x: reweighed(x, lambda squares: squares.cumsum(dim=2)),
        "the one before": lambda x: attend(x) + F.pad(x[:, :-1], (0, 0, 1, 0)) @ extra,
        "batch mean here": lambda x: attend(x) + x.mean(dim=0, keepdim=True) @ extra,
        "per length": lambda x: attend(x) / x.shape[1],
        "row number": lambda x: attend(x) * torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None, None],
        "row norm": lambda x: reweighed(x, lambda squares: squares.sum(dim=2, keepdim=True)),
        "mixed keys": mixed_keys,
        "mask off by one": lambda x: attend(x, ahead=1),
        "mask of minus ten": lambda x: attend(x, fill=-10.0),
        "no mask": lambda x: attend(x, ahead=x.shape[1]),
        "two ahead": lambda x: attend(x) + later(x, 2) @ extra,
        "last but one reads the last": lambda x: one_place(x, -2, -1),
        "first reads the second": lambda x: one_place(x, 0, 1),
        "one position only": lambda x: one_place(x, at := place % max(1, x.shape[1] - 1), at + 1),
        "batch statistics": standardised,
        "row mean": lambda x: attend(x) - x.mean(dim=1, keepdim=True) @ extra,
        "row size": lambda x: attend(x) / x.square().mean(dim=(1, 2), keepdim=True).sqrt(),
        "next row's next": lambda x: attend(x) + later(x.roll(-1, dims=0), 1) @ extra,
        "other rows' next": lambda x: attend(x) + later(x.sum(dim=0, keepdim=True) - x, 1) @ extra,
        "one part in a million": lambda x: 2 + attend(x).tanh() + SMALL * (later(x, 1) @ extra).tanh(),
        "last row only": lambda x: one_row(x, -1),
        "middle row only": lambda x: one_row(x, len(x) // 2),
        "one component read": lambda x: one_component(x, component, slice(None)),
        "one component written": lambda x: one_component(x, slice(None), component),
        "directions": lambda x: attend(x) + F.normalize(x, dim=2).mean(dim=1, keepdim=True) @ extra,
        "signs": lambda x: attend(x) + later(x.sign(), 1) @ extra,
        "whether positive": lambda x: attend(x) + later((x > 0).to(x.dtype), 1) @ extra,
        # of all signs: adding noise to a number often leaves its sign
        "opposite signs": lambda x: (
            (later(x, 1).sign() @ 2.0 ** torch.arange(d, dtype=x.dtype))[..., None]
            * (1 - 2 * (torch.arange(d) % 2))
        ),
        "signs after LayerNorm": lambda x: attend(x) + later(F.layer_norm(x, (d,)).sign(), 1) @ extra,
    }
    return machines[how]


def witness(what: str) -> Machine:
    """A function that reads no later position, for an input of one length;
    a probe that accuses it shows one mistake.

    They serve only to name the mistake of a probe that is already known to be wrong.
    """
    given: list[tuple[Tensor, Tensor]] = []  # the tensor of the first call, and a copy of it as it was then
    lengths: list[int] = []

    def changed(x: Tensor) -> Tensor:
        if not given:
            given.append((x, x.clone()))
        return torch.full_like(x, float(not torch.equal(*given[0])))

    def cut(x: Tensor) -> Tensor:
        lengths.append(x.shape[1])
        return torch.full_like(x, float(max(lengths) - x.shape[1]))

    def drift(x: Tensor) -> Tensor:
        if not given:
            given.append((x, x.clone()))
        if x.shape != given[0][1].shape:
            return torch.zeros_like(x)
        apart = (x - given[0][1]).abs()
        return ((apart > 0) & (apart < 1e-9)).to(x.dtype)

    witnesses: dict[str, Machine] = {
        "constant": torch.ones_like,
        "not a number": lambda x: torch.full_like(x, float(not bool(x.isfinite().all()))),
        "changed": changed,  # 0, and 1 as soon as the tensor of its first call has other numbers
        "cut": cut,  # other numbers for a shorter input
        "drift": drift,  # 1 where a number differs from that of its first call by its last bits only
        "delayed": lambda x: F.pad(x[:, :-1], (0, 0, 1, 0)),
        "twice": lambda x: 2 * x,
    }
    return witnesses[what]
