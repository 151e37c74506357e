"""The dense Synthesizer put together from interchangeable steps:
hundreds of right answers, and hundreds with one wrong step.

Tensors between the steps: hidden (N, T, d_h), logits (N, T, T), weights (N, T, T), value (N, T, d_h).
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

# ---- x, A, b1 → hidden
HIDE = {
    "relu": lambda x, A, b1: torch.relu(x @ A + b1),
    "linear": lambda x, A, b1: F.relu(F.linear(x, A.T, b1)),
    "clamp": lambda x, A, b1: (torch.einsum("ntd,dh->nth", x, A) + b1).clamp(min=0),
    "maximum": lambda x, A, b1: torch.maximum(x.matmul(A) + b1, torch.zeros_like(b1)),
    "mean with |·|": lambda x, A, b1: ((x @ A + b1) + (x @ A + b1).abs()) / 2,
    "flat": lambda x, A, b1: torch.addmm(b1, x.flatten(0, 1), A).relu().unflatten(0, x.shape[:2]),
}
WRONG_HIDE = {
    "no relu": lambda x, A, b1: x @ A + b1,
    "no b1": lambda x, A, b1: torch.relu(x @ A) + 0 * b1,
    "b1 outside": lambda x, A, b1: torch.relu(x @ A) + b1,
    "gelu": lambda x, A, b1: F.gelu(x @ A + b1),
    "leaky": lambda x, A, b1: F.leaky_relu(x @ A + b1),
    "sigmoid": lambda x, A, b1: torch.sigmoid(x @ A + b1),
    "tanh": lambda x, A, b1: torch.tanh(x @ A + b1),
    "abs": lambda x, A, b1: (x @ A + b1).abs(),
    "normalised": lambda x, A, b1: F.normalize(torch.relu(x @ A + b1), dim=-1),
    "first row": lambda x, A, b1: torch.relu(x[:1] @ A + b1).expand(len(x), -1, -1),
    "detached": lambda x, A, b1: torch.relu(x.detach() @ A + b1),
}

# ---- hidden, B, b2 → logits (N, T, T)
TABLE = {
    "cut after": lambda h, B, b2: (h @ B + b2)[..., : h.shape[1]],
    "cut before": lambda h, B, b2: h @ B[:, : h.shape[1]] + b2[: h.shape[1]],
    "one channel more": lambda h, B, b2: (F.pad(h, (0, 1), value=1.0) @ torch.cat((B, b2[None])))[
        :, :, : h.shape[1]
    ],
    "linear": lambda h, B, b2: F.linear(h, B.T, b2).narrow(-1, 0, h.shape[1]),
    "broadcast": lambda h, B, b2: (h[..., None] * B[:, : h.shape[1]]).sum(-2).add(b2[: h.shape[1]]),
    "columns": lambda h, B, b2: torch.stack([h @ B[:, s] + b2[s] for s in range(h.shape[1])], dim=-1),
}
WRONG_TABLE = {
    "no b2": lambda h, B, b2: (h @ B + 0 * b2)[..., : h.shape[1]],
    "last columns": lambda h, B, b2: (h @ B + b2)[..., -h.shape[1] :],
    "b2 by reader": lambda h, B, b2: (h @ B)[..., : h.shape[1]] + b2[: h.shape[1], None],
    "b2 subtracted": lambda h, B, b2: (h @ B - b2)[..., : h.shape[1]],
    "scaled": lambda h, B, b2: (h @ B + b2)[..., : h.shape[1]] / (1 + h.shape[-1]) ** 0.5,
    "scaled before b2": lambda h, B, b2: (h @ B / (1 + h.shape[-1]) ** 0.5 + b2)[..., : h.shape[1]],
    "columns backwards": lambda h, B, b2: (h @ B + b2).flip(-1)[..., : h.shape[1]],
    "rolled": lambda h, B, b2: (h @ B + b2).roll(1, -1)[..., : h.shape[1]],
    "relu on logits": lambda h, B, b2: torch.relu(h @ B + b2)[..., : h.shape[1]],
    "one column short": lambda h, B, b2: (h @ B[:, :-1] + b2[:-1])[..., : h.shape[1]],
    "transposed": lambda h, B, b2: (h @ B + b2)[..., : h.shape[1]].transpose(-2, -1),
    "detached": lambda h, B, b2: (h @ B.detach() + b2)[..., : h.shape[1]],
}


def _past(logits):
    return torch.ones(logits.shape[-2:], dtype=torch.bool, device=logits.device).tril()


def _renormalised(logits):
    top = logits.masked_fill(~_past(logits), -math.inf).amax(-1, keepdim=True)
    powers = (logits - top).clamp(max=0).exp() * _past(logits)
    return powers / powers.sum(-1, keepdim=True)


def _row_by_row(logits):
    T = logits.shape[-1]
    return torch.stack([F.pad(logits[:, t, : t + 1].softmax(-1), (0, T - t - 1)) for t in range(T)], dim=1)


def _added(value):
    return lambda z: (z + torch.full(z.shape[-2:], value, dtype=z.dtype, device=z.device).triu(1)).softmax(-1)


# ---- logits → weights
WEIGH = {
    "masked_fill": lambda z: z.masked_fill(~_past(z), -math.inf).softmax(-1),
    "where": lambda z: torch.where(_past(z), z, float("-inf")).softmax(dim=2),
    "added": _added(float("-inf")),
    "minus 1e9": _added(-1e9),
    "smallest": lambda z: z.masked_fill(~_past(z), torch.finfo(z.dtype).min).softmax(-1),
    "log": lambda z: z.masked_fill(~_past(z), -math.inf).log_softmax(-1).exp(),
    "rows": _row_by_row,
    "renormalised": _renormalised,
}
WRONG_WEIGH = {
    "no mask": lambda z: z.softmax(-1),
    "afterwards": lambda z: z.softmax(-1).tril(),
    "with zero": lambda z: z.tril().softmax(-1),
    "minus ten": _added(-10.0),
    "minus three": lambda z: z.masked_fill(~_past(z), -3.0).softmax(-1),
    "transposed": lambda z: z.masked_fill(~_past(z).T, -math.inf).softmax(-1),
    "one too far": lambda z: z.masked_fill(torch.ones_like(z[0]).triu(2) > 0, -math.inf).softmax(-1),
    "not itself": lambda z: z.masked_fill(torch.ones_like(z[0]).triu(0) > 0, -math.inf).softmax(-1),
    "over readers": lambda z: z.masked_fill(~_past(z), -math.inf).softmax(1),
    "no softmax": lambda z: z.tril(),
    "rounded": lambda z: z.masked_fill(~_past(z), -math.inf).softmax(-1).bfloat16().to(z.dtype),
    "dropout": lambda z: F.dropout(z.masked_fill(~_past(z), -math.inf).softmax(-1), 0.2),
    "detached": lambda z: z.masked_fill(~_past(z), -math.inf).softmax(-1).detach(),
}

# ---- weights, x, V → output
READ = {
    "matmul": lambda w, x, V: w @ (x @ V),
    "projected last": lambda w, x, V: (w @ x) @ V,
    "einsum": lambda w, x, V: torch.einsum("nts,nsd,de->nte", w, x, V),
    "bmm": lambda w, x, V: torch.bmm(w, F.linear(x, V.T)),
    "broadcast": lambda w, x, V: (w[..., None] * (x @ V)[:, None]).sum(2),
}
WRONG_READ = {
    "transposed weights": lambda w, x, V: w.mT @ (x @ V),
    "plus itself": lambda w, x, V: w @ (x @ V) + x @ V,
    "float32": lambda w, x, V: (w @ (x @ V)).float(),
    "detached": lambda w, x, V: w @ (x @ V).detach(),
    "relu": lambda w, x, V: w @ torch.relu(x @ V),
    "values rolled": lambda w, x, V: w @ (x @ V).roll(1, 1),
}

STEPS = (HIDE, TABLE, WEIGH, READ)
WRONG_STEPS = (WRONG_HIDE, WRONG_TABLE, WRONG_WEIGH, WRONG_READ)


def assembled(hide, table, weigh, read):
    """An answer made of these four steps."""

    def synthesizer_attention(x, A, b1, B, b2, V):
        return read(weigh(table(hide(x, A, b1), B, b2)), x, V)

    return synthesizer_attention
