"""Every variant once more, one number at a time:
lists and loops, as a reader of the paper would write it down.

Each `…_weights` says how much position t of head h reads each position s, and `mixed` adds the values up. The
linear maps are the module's own: what is tested is what happens between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from torch import Tensor, nn

Row = list[float]
# module, x, b, h, t, the head's channels → a weight per s
Weights = Callable[[nn.Module, Tensor, int, int, int, slice], Row]


def softmax(logits: Row) -> Row:
    largest = max(logits)
    exponentials = [math.exp(x - largest) for x in logits]
    return [x / sum(exponentials) for x in exponentials]


def dot(a: Row, b: Row) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def turned(row: Row, position: int) -> Row:
    """RoPE of one head's channels at one position."""
    out = list(row)
    for i in range(len(row) // 2):
        angle = position * 10_000.0 ** (-2 * i / len(row))
        a, b = row[2 * i], row[2 * i + 1]
        out[2 * i] = a * math.cos(angle) - b * math.sin(angle)
        out[2 * i + 1] = a * math.sin(angle) + b * math.cos(angle)
    return out


def vanilla_weights(
    module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice, rotary: bool = False
) -> Row:
    query = module.query(x)[b, t, channels].tolist()
    keys = [module.key(x)[b, s, channels].tolist() for s in range(t + 1)]
    if rotary:
        query, keys = turned(query, t), [turned(key, s) for s, key in enumerate(keys)]
    return softmax([dot(query, key) / math.sqrt(len(query)) for key in keys])


def rope_weights(module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice) -> Row:
    return vanilla_weights(module, x, b, h, t, channels, rotary=True)


def hidden_of(module: nn.Module, x: Tensor, b: int, t: int, channels: slice) -> Row:
    return [max(0.0, z) for z in module.hidden(x)[b, t, channels].tolist()]


def synthesizer_weights(module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice) -> Row:
    hidden, table, offset = (
        hidden_of(module, x, b, t, channels),
        module.table.tolist(),
        module.offset.tolist(),
    )
    return softmax([dot(hidden, [row[s] for row in table]) + offset[s] for s in range(t + 1)])


def random_synthesizer_weights(module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice) -> Row:
    return softmax(module.table[h, t].tolist()[: t + 1])


def factorised_random_synthesizer_weights(
    module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice
) -> Row:
    rows, columns = module.rows[h].tolist(), module.columns[h].tolist()
    return softmax([dot(rows[t], columns[s]) for s in range(t + 1)])


def factorised_synthesizer_weights(
    module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice
) -> Row:
    hidden = hidden_of(module, x, b, t, channels)

    def written(table: Tensor, offset: Tensor) -> Row:
        return [
            dot(hidden, column) + shift
            for column, shift in zip(table.T.tolist(), offset.tolist(), strict=True)
        ]

    coarse = written(module.coarse_table, module.coarse_offset)
    fine = written(module.fine_table, module.fine_offset)
    logits = [f * g for f in coarse for g in fine]  # a · b of them, the fine one running fastest
    return softmax(logits[: t + 1])


def bigbird_weights(module: nn.Module, x: Tensor, b: int, h: int, t: int, channels: slice) -> Row:
    query = module.query(x)[b, t, channels].tolist()
    links = module.links[t].tolist()
    logits = []
    for s in range(t + 1):
        if t - s < module.window or s < module.n_global or s in links:
            logits.append(dot(query, module.key(x)[b, s, channels].tolist()) / math.sqrt(len(query)))
        else:
            logits.append(-math.inf)
    return softmax(logits)


WEIGHTS: dict[str, Weights] = {
    "vanilla": vanilla_weights,
    "rope": rope_weights,
    "synthesizer": synthesizer_weights,
    "random_synthesizer": random_synthesizer_weights,
    "factorised_synthesizer": factorised_synthesizer_weights,
    "factorised_random_synthesizer": factorised_random_synthesizer_weights,
    "bigbird": bigbird_weights,
}


def mixed(weights: Row, values: list[Row]) -> Row:
    """Σ_s weight_s · value_s."""
    return [
        sum(w * value[c] for w, value in zip(weights, values, strict=True)) for c in range(len(values[0]))
    ]


def read_plainly(module: nn.Module, x: Tensor, variant: str, n_head: int) -> Tensor:
    """What every head reads at every position, side by side: (B, T, C), before the projection."""
    B, T, C = x.shape
    hs = C // n_head
    out = x.new_zeros(B, T, C)
    value = module.value(x)
    for b in range(B):
        for h in range(n_head):
            channels = slice(h * hs, (h + 1) * hs)
            for t in range(T):
                if variant == "linformer":
                    read = linformer_read(module, x, b, t, channels)
                else:
                    values = [value[b, s, channels].tolist() for s in range(t + 1)]
                    read = mixed(WEIGHTS[variant](module, x, b, h, t, channels), values)
                out[b, t, channels] = x.new_tensor(read)
    return out


def linformer_read(module: nn.Module, x: Tensor, b: int, t: int, channels: slice) -> Row:
    T = x.shape[1]
    keys = [module.key(x)[b, s, channels].tolist() for s in range(T)]  # of the whole row: there lies the leak
    values = [module.value(x)[b, s, channels].tolist() for s in range(T)]
    mixed_keys = [mixed(row[:T], keys) for row in module.mix_keys.tolist()]
    mixed_values = [mixed(row[:T], values) for row in module.mix_values.tolist()]
    query = module.query(x)[b, t, channels].tolist()
    return mixed(softmax([dot(query, key) / math.sqrt(len(query)) for key in mixed_keys]), mixed_values)


def crossed(module: nn.Module, reader: Tensor, told: Tensor, n_head: int) -> Tensor:
    """The Perceiver's cross-attention: position t of `reader`
    (B, T, C) reads positions ≤ t of `told` (B, S, C).
    """
    B, T, C = reader.shape
    hs = C // n_head
    read = reader.new_zeros(B, T, C)
    for b in range(B):
        for h in range(n_head):
            channels = slice(h * hs, (h + 1) * hs)
            for t in range(T):
                upto = range(min(t + 1, told.shape[1]))
                query = module.query(reader)[b, t, channels].tolist()
                keys = [module.key(told)[b, s, channels].tolist() for s in upto]
                values = [module.value(told)[b, s, channels].tolist() for s in upto]
                weights = softmax([dot(query, key) / math.sqrt(hs) for key in keys])
                read[b, t, channels] = reader.new_tensor(mixed(weights, values))
    return module.projection(read)
