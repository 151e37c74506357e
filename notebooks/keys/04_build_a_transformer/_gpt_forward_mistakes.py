"""Wrong answers to gpt_forward, first half: embeddings, blocks and the last LayerNorm.

Each is a right answer with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import torch.nn.functional as F


def no_positions(tokens, weights, n_head):
    """You leave out the position embeddings: the model then gets no vector that says where a token stands."""

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
    x = weights["token_embedding.weight"][tokens]
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def positions_in_every_block(tokens, weights, n_head):
    """You add the positions before each block. They should be added once, to the token embeddings."""

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
    x = weights["token_embedding.weight"][tokens]
    for i in range(count):
        x = block(x + weights["position_embedding"][: tokens.shape[1]], f"blocks.{i}.")
    return linear("head", norm("norm", x))


def no_last_norm(tokens, weights, n_head):
    """The last LayerNorm is missing: the weights norm.weight and norm.bias belong between the
    blocks and the output head.
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
        x = block(x, f"blocks.{i}.")
    return linear("head", x)


def norm_at_the_start(tokens, weights, n_head):
    """You apply the last LayerNorm before the blocks.
    It should stand between the last block and the output
    head.
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
    x = norm("norm", x)
    for i in range(count):
        x = block(x, f"blocks.{i}.")
    return linear("head", x)


def norm_after_each_block(tokens, weights, n_head):
    """You apply the last LayerNorm after every block. It should stand once, after the last block."""

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
        x = norm("norm", block(x, f"blocks.{i}."))
    return linear("head", x)


def first_block_only(tokens, weights, n_head):
    """You run the first block only. Run all blocks, one after the other."""

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

    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    x = block(x, "blocks.0.")
    return linear("head", norm("norm", x))


def same_block_again(tokens, weights, n_head):
    """You run the first block again and again. Each block has weights of its own."""

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
    for _ in range(count):
        x = block(x, "blocks.0.")
    return linear("head", norm("norm", x))


def blocks_side_by_side(tokens, weights, n_head):
    """Each of your blocks gets the embeddings. Each should get the output of the block before it."""

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
    x = x + sum(block(x, f"blocks.{i}.") - x for i in range(count))
    return linear("head", norm("norm", x))


def blocks_backwards(tokens, weights, n_head):
    """You run the blocks in reverse order. blocks.0 should come first."""

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
    for i in reversed(range(count)):
        x = block(x, f"blocks.{i}.")
    return linear("head", norm("norm", x))


def tied_head(tokens, weights, n_head):
    """You use the token embeddings as the output head.
    This model has one with weights of its own, head.weight.
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
        x = block(x, f"blocks.{i}.")
    return norm("norm", x) @ weights["token_embedding.weight"].T


REJECTED = (
    no_positions,
    positions_in_every_block,
    no_last_norm,
    norm_at_the_start,
    norm_after_each_block,
    first_block_only,
    same_block_again,
    blocks_side_by_side,
    blocks_backwards,
    tied_head,
)
