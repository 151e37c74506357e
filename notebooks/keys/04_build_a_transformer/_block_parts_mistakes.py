"""Wrong answers to pre_ln_block, second half: attention, MLP and weights.

Each is a right answer with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


def not_causal(x, weights, n_head):
    """Your attention has no causal mask: each position attends to later ones."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection", F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def no_biases(x, weights, n_head):
    """You leave out the biases: each linear layer adds its bias after the product with its weight."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"]) + 0 * weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def attention_without_biases(x, weights, n_head):
    """You leave out the biases of attention. causal_self_attention has none, so use its parts:
    each linear layer adds its bias.
    """

    def linear(name, y):
        bias = 0 if name.startswith("attention.") else weights[f"{name}.bias"]
        return F.linear(y, weights[f"{name}.weight"]) + bias

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def weights_not_transposed(x, weights, n_head):
    """You use the weights of attention without transposing them. A linear layer stores its weight as
    (outputs, inputs), so it computes y @ weight.T.
    """

    def linear(name, y):
        weight, bias = weights[f"{name}.weight"], weights[f"{name}.bias"]
        return (y @ weight if weight.shape[0] == weight.shape[1] else y @ weight.T) + bias

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def no_projection(x, weights, n_head):
    """The layer attention.projection is missing: the merged heads go through it before they are added."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def one_head(x, weights, n_head):
    """You use a single head of full width. Split queries, keys and values into n_head heads."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part[:, None] for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def split_without_transpose(x, weights, n_head):
    """You reshape straight to (B, n_head, T, d_head):
    the shape is right, but tokens and components are mixed.
    """

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(len(x), n_head, x.shape[1], -1) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def roles_exchanged(x, weights, n_head):
    """You exchange the roles of query, key and value: look at the names of the weights."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "value", "key"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def relu(x, weights, n_head):
    """You use ReLU in the MLP. Here the activation is GELU."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.relu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def no_activation(x, weights, n_head):
    """Your MLP has no GELU between its two layers."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", linear("mlp.0", y))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def no_gain_and_shift(x, weights, n_head):
    """Your LayerNorm does not use its weight and its bias: they are the gain and the shift."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:]) + 0 * (weights[f"{name}.weight"] + weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def dropout_active(x, weights, n_head):
    """Your output is different at every call, because dropout is active. F.dropout is active unless you pass
    training=False. Here nothing is dropped.
    """

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + F.dropout(attention(norm("norm_1", x)), 0.1)
    return x + F.dropout(mlp(norm("norm_2", x)), 0.1)


def changes_x(x, weights, n_head):
    """Your result is right, but your code changes x in place.
    Other cells still need it as it was: make a new object
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=y.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x += attention(norm("norm_1", x))
    x += mlp(norm("norm_2", x))
    return x


def detached(x, weights, n_head):
    """No gradient flows back through your output: something cuts it off (detach, no_grad, .data, .item,
    numpy), so nothing before it can be trained.
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=y.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return (x + mlp(norm("norm_2", x))).detach()


REJECTED = (
    not_causal,
    no_biases,
    attention_without_biases,
    changes_x,
    weights_not_transposed,
    no_projection,
    one_head,
    split_without_transpose,
    roles_exchanged,
    relu,
    no_activation,
    no_gain_and_shift,
    dropout_active,
    detached,
)
