"""Wrong answers to gpt_forward, second half: the output, and the number and order of the blocks.

Each is a right answer with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


def last_position_only(tokens, weights, n_head):
    """You return the logits of the last position only. Training needs them for every position."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))[:, -1]


def probabilities(tokens, weights, n_head):
    """You return probabilities. Return the logits: the loss applies the softmax itself."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x)).softmax(dim=-1)


def at_most_four_blocks(tokens, weights, n_head):
    """Only the first four blocks are used, however many there are. The names of the weights say how many."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = min(4, len({name.split(".")[1] for name in weights if name.startswith("blocks.")}))
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def two_blocks(tokens, weights, n_head):
    """Only the first two blocks are used. The names of the weights say how many there are."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = 2
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def two_heads(tokens, weights, n_head):
    """You always use two heads. The argument n_head says how many there are: models differ in it."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (2, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def prefix_without_its_dot(tokens, weights, n_head):
    """Block 1 gets the weights of block 10, because the prefix 'blocks.1' also begins
    'blocks.10'. End it with a dot.
    """

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    count = len({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in range(count):
        chosen = [name for name in weights if name.startswith(f"blocks.{i}")]
        x = block(x, f"blocks.{chosen[-1].split('.')[1]}.")
    return linear("head", norm("norm", x))


def names_as_text(tokens, weights, n_head):
    """You take the blocks in the alphabetical order of their names, where blocks.10 comes before blocks.2.
    Order them by number.
    """

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights.get(f"{name}.bias"))

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(x, at):
        y = norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + linear(f"{at}attention.projection", y)
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    numbers = sorted({name.split(".")[1] for name in weights if name.startswith("blocks.")})
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    for i in numbers:
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def detached(tokens, weights, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(at, x):
        (B, T, C), y = x.shape, norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        x = x + linear(f"{at}attention.projection", heads.transpose(1, 2).reshape(B, T, C))
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    i = 0
    while f"blocks.{i}.norm_1.weight" in weights:
        x = block(f"blocks.{i}.", x)
        i += 1
    return (norm("norm", x) @ weights["head.weight"].T).detach()


def zeros_forbidden(tokens, weights, n_head):
    """A score that is exactly 0 counts as forbidden, though the mask allows it: for example, forbidden
    scores are set to 0, and then every 0 to minus infinity.
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(at, x):
        (B, T, C), y = x.shape, norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).tril()
        heads = torch.softmax(scores.masked_fill(scores == 0, -math.inf), dim=-1) @ v
        x = x + linear(f"{at}attention.projection", heads.transpose(1, 2).reshape(B, T, C))
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    i = 0
    while f"blocks.{i}.norm_1.weight" in weights:
        x = block(f"blocks.{i}.", x)
        i += 1
    return norm("norm", x) @ weights["head.weight"].T


REJECTED = (
    last_position_only,
    probabilities,
    at_most_four_blocks,
    two_blocks,
    two_heads,
    prefix_without_its_dot,
    names_as_text,
    detached,
    zeros_forbidden,
)
