"""What a `Llama` writes after many prompts: the most likely token each time, with its probability.

Prompts of the same length are one batch, so no padding is needed; keys and values are cached.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.model.kv_cache import KVCache
from kqa_core.pretrained.llama import Llama

BATCH = 32  # prompts at once: logits of more would take much memory


@dataclass(frozen=True)
class Continuation:
    """The tokens after a prompt, and the probability that the model gave to each."""

    tokens: list[int]
    probabilities: list[float]


@torch.no_grad()
def continuations(model: Llama, prompts: Sequence[Sequence[int]], length: int) -> list[Continuation]:
    """The `length` most likely tokens after each prompt (a list of tokens), one after the other."""
    of_length: dict[int, list[int]] = defaultdict(list)
    for place, prompt in enumerate(prompts):
        of_length[len(prompt)].append(place)
    written: dict[int, Continuation] = {}
    for places in of_length.values():
        for start in range(0, len(places), BATCH):
            batch = places[start : start + BATCH]
            tokens = torch.tensor([list(prompts[place]) for place in batch])  # (B, T)
            written |= zip(batch, _continue(model, tokens, length), strict=True)
    return [written[place] for place in range(len(prompts))]


def _continue(model: Llama, tokens: Tensor, length: int) -> list[Continuation]:
    """tokens (B, T): prompts of one length."""
    (B, T), config = tokens.shape, model.config
    cache = KVCache(config.n_layer, T + length)
    positions, rows, chances = torch.arange(T).expand(B, T), [], []
    for step in range(length):
        cache.set_positions(positions)
        last = model.norm(model.hidden_states(tokens, cache)[-1][:, -1])  # (B, C)
        probabilities = (last @ model.token_embedding.weight.T).softmax(-1)  # (B, vocab_size)
        chance, token = probabilities.max(-1)  # (B,)
        rows.append(token)
        chances.append(chance)
        tokens, positions = token[:, None], torch.full((B, 1), T + step)
    return [
        Continuation(row, chance)
        for row, chance in zip(torch.stack(rows, 1).tolist(), torch.stack(chances, 1).tolist(), strict=True)
    ]
