"""Wrong answers to llama_states. The docstring of each is the feedback for the
students who made that mistake.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from kqa_core.model.variants.rope import angles, rotate


def halves(tokens, weights, n_head, n_key_head, theta):
    """You rotate channels m and m + d_k/2. These weights expect neighbouring channels, 2m and 2m + 1, as
    in notebook 05.
    """
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = (
            rotate(torch.stack(each.chunk(2, -1), -1).flatten(-2), angle)
            .unflatten(-1, (-1, 2))
            .mT.flatten(-2)
            for each in (q, k)
        )
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_rotation(tokens, weights, n_head, n_key_head, theta):
    """You do not rotate queries and keys, so the model does not know the order of the tokens."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def values_rotated(tokens, weights, n_head, n_key_head, theta):
    """You rotate the values, too. Only queries and keys are rotated."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k, v = rotate(q, angle), rotate(k, angle), rotate(v, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def keys_not_rotated(tokens, weights, n_head, n_key_head, theta):
    """You rotate the queries only. The keys are rotated by their own positions, too."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q = rotate(q, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def default_theta(tokens, weights, n_head, n_key_head, theta):
    """You do not pass theta on, so the angles are those of theta = 10,000."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def taking_turns(tokens, weights, n_head, n_key_head, theta):
    """Your query heads take turns among the key heads. Neighbours share one: repeat_interleave, and not
    repeat.
    """
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat(1, n_head // n_key_head, 1, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_mask(tokens, weights, n_head, n_key_head, theta):
    """Your positions attend to later ones. The causal mask is missing."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = q @ k.mT / math.sqrt(d_k)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_scale(tokens, weights, n_head, n_key_head, theta):
    """You do not divide the logits by the root of d_k."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_first_norm(tokens, weights, n_head, n_key_head, theta):
    """Attention gets x without a norm: rms_norm with norm_1 comes first."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = x
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_second_norm(tokens, weights, n_head, n_key_head, theta):
    """The MLP gets x without a norm: rms_norm with norm_2 comes first."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = x
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def norms_exchanged(tokens, weights, n_head, n_key_head, theta):
    """You exchange norm_1 and norm_2. norm_1 belongs to attention."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def layer_norms(tokens, weights, n_head, n_key_head, theta):
    """Your norms subtract the mean. This model has RMSNorm."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.layer_norm(x, x.shape[2:], w["norm_1.weight"], None, 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.layer_norm(x, x.shape[2:], w["norm_2.weight"], None, 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def gate_and_up(tokens, weights, n_head, n_key_head, theta):
    """You exchange gate and up. silu goes on the gate."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.up.weight"])) * F.linear(y, w["mlp.gate.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_second_addition(tokens, weights, n_head, n_key_head, theta):
    """You do not add the result of the MLP to the stream."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_first_addition(tokens, weights, n_head, n_key_head, theta):
    """You do not add the result of attention to the stream."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_projection(tokens, weights, n_head, n_key_head, theta):
    """The projection after attention is missing."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + heads
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def no_last_norm(tokens, weights, n_head, n_key_head, theta):
    """The last norm is missing: norm.weight belongs between the last block and the logits."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(x, table)]


def no_logits(tokens, weights, n_head, n_key_head, theta):
    """Your list ends with the last block. The logits are missing."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return states


def logits_alone(tokens, weights, n_head, n_key_head, theta):
    """You return the logits alone. Return the list of all states, with the logits at its end."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)


def probabilities(tokens, weights, n_head, n_key_head, theta):
    """Your last tensor holds probabilities. Return the logits."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table).softmax(-1)]


def scaled_embeddings(tokens, weights, n_head, n_key_head, theta):
    """You multiply the embeddings by the root of d, as the first Transformer does. This model does not."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens] * math.sqrt(table.shape[1])
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def block_1_or_10(tokens, weights, n_head, n_key_head, theta):
    """Your prefix 'blocks.1' also begins 'blocks.10'. End it with a dot."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {key.split(".", 2)[-1]: each for key, each in weights.items() if key.startswith(f"blocks.{i}")}
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(x)
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


def normed_states(tokens, weights, n_head, n_key_head, theta):
    """Your list holds the states after the next norm. Keep the stream itself."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T), d_k, theta)
    later = torch.ones(T, T).triu(1).bool()
    x = table[tokens]
    states = [x]
    for i in range(sum(key.endswith("norm_1.weight") for key in weights)):
        w = {
            key.removeprefix(f"blocks.{i}."): each
            for key, each in weights.items()
            if key.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, d_k)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        q, k = rotate(q, angle), rotate(k, angle)
        k, v = (each.repeat_interleave(n_head // n_key_head, 1) for each in (k, v))
        logits = (q @ k.mT / math.sqrt(d_k)).masked_fill(later, -math.inf)
        heads = (logits.softmax(-1) @ v).transpose(1, 2).flatten(2)
        x = x + F.linear(heads, w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        gated = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(gated, w["mlp.down.weight"])
        states.append(F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5))
    return [*states, F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), table)]


REJECTED = (
    halves,
    no_rotation,
    values_rotated,
    keys_not_rotated,
    default_theta,
    taking_turns,
    no_mask,
    no_scale,
    no_first_norm,
    no_second_norm,
    norms_exchanged,
    layer_norms,
    gate_and_up,
    no_second_addition,
    no_first_addition,
    no_projection,
    no_last_norm,
    no_logits,
    logits_alone,
    probabilities,
    scaled_embeddings,
    block_1_or_10,
    normed_states,
)
