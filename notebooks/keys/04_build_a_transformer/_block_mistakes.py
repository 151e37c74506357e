"""Wrong answers to pre_ln_block, first half:
residual stream, LayerNorms, number of heads, and zeros for the mask.

Each is a right answer with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


def post_ln(x, weights, n_head):
    """You normalise after each addition. That is the post-LN block of 2017;
    here each branch begins with its LayerNorm.
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

    x = norm("norm_1", x + attention(x))
    return norm("norm_2", x + mlp(x))


def no_residual(x, weights, n_head):
    """You do not add the branches to the residual stream: each branch replaces x instead."""

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

    x = attention(norm("norm_1", x))
    return mlp(norm("norm_2", x))


def no_first_residual(x, weights, n_head):
    """The first addition is missing: the output of attention is added to x."""

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

    x = attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def no_second_residual(x, weights, n_head):
    """The second addition is missing: the output of the MLP is added to the residual stream."""

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

    x = x + attention(norm("norm_1", x))
    return mlp(norm("norm_2", x))


def stream_normalised(x, weights, n_head):
    """You normalise the residual stream itself. Normalise only the copy that enters the branch, and add the
    result to the unchanged stream.
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

    x = norm("norm_1", x)
    x = x + attention(x)
    x = norm("norm_2", x)
    return x + mlp(x)


def norm_behind_the_branch(x, weights, n_head):
    """You normalise what comes out of attention and MLP. Normalise what goes into them."""

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

    x = x + norm("norm_1", attention(x))
    return x + norm("norm_2", mlp(x))


def no_norms(x, weights, n_head):
    """Your block has no LayerNorm."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (n_head, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(x)
    return x + mlp(x)


def norms_exchanged(x, weights, n_head):
    """You exchange the LayerNorms: norm_1 belongs to attention and norm_2 to the MLP."""

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

    x = x + attention(norm("norm_2", x))
    return x + mlp(norm("norm_1", x))


def side_by_side(x, weights, n_head):
    """Your MLP gets the old x, from before attention. Some models do that; here the MLP gets the sum of x and
    the output of attention.
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

    return x + attention(norm("norm_1", x)) + mlp(norm("norm_2", x))


def mlp_first(x, weights, n_head):
    """Your MLP comes before attention. Attention comes first."""

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

    x = x + mlp(norm("norm_2", x))
    return x + attention(norm("norm_1", x))


def added_to_the_old_x(x, weights, n_head):
    """You add the output of the MLP to the x from before attention.
    Add it to the sum of x and the output of attention.
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

    return x + mlp(norm("norm_2", x + attention(norm("norm_1", x))))


def two_heads(x, weights, n_head):
    """You always use two heads. The argument n_head says how many there are."""

    def linear(name, y):
        return F.linear(y, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.unflatten(-1, (2, -1)).transpose(1, 2) for part in parts)
        return linear(
            "attention.projection",
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2),
        )

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def zeros_forbidden(x, weights, n_head):
    """You set forbidden scores to 0, and then every 0 to minus infinity. An allowed score may be exactly 0
    too, and its key is then left out: set forbidden scores to minus infinity with the mask.
    """

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).tril()
        heads = torch.softmax(scores.masked_fill(scores == 0, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    x = x + attention(norm("norm_1", x))
    return x + linear("mlp.2", F.gelu(linear("mlp.0", norm("norm_2", x))))


REJECTED = (
    post_ln,
    no_residual,
    no_first_residual,
    no_second_residual,
    stream_normalised,
    norm_behind_the_branch,
    no_norms,
    norms_exchanged,
    side_by_side,
    mlp_first,
    added_to_the_old_x,
    two_heads,
    zeros_forbidden,
)
