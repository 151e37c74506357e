"""Wrong answers to causal_self_attention, first half:
scale, softmax, mask, and the roles of queries and keys.

Each is the reference with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import math

import torch


def no_root(x, w_q, w_k, w_v, w_o, n_head):
    """You do not divide the scores by √d_k."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def root_of_d_model(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the model's width. Each head sums d_k products, so divide by √d_k."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def divided_by_d_head(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by d_k, or twice by its root (torch's attention divides, too). Divide once."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / (C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def root_of_n_head(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the number of heads. Divide by the root of their width, d_k."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def over_the_queries(x, w_q, w_k, w_v, w_o, n_head):
    """The softmax runs over the queries, so each column adds up to 1. It should run over the keys, dim=-1,
    so that each row does.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-2)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def over_the_heads(x, w_q, w_k, w_v, w_o, n_head):
    """Your softmax runs over the heads, dim=1.
    Heads do not compete with each other: it should run over the keys, dim=-1.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores, dim=1)
    weights = weights.masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def no_softmax(x, w_q, w_k, w_v, w_o, n_head):
    """There is no softmax. Scores are not weights: they may be negative, and they do not add up to 1."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = scores.masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def mask_after_softmax(x, w_q, w_k, w_v, w_o, n_head):
    """The mask comes after the softmax. Later keys then have weight 0, but they are still in the sum by
    which the weights were divided.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def masked_with_zero(x, w_q, w_k, w_v, w_o, n_head):
    """You set forbidden scores to 0, and e⁰ = 1 is a share like any other. Set them to minus infinity."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, 0.0), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def zeros_forbidden(x, w_q, w_k, w_v, w_o, n_head):
    """A score that is exactly 0 counts as forbidden, though the mask allows it: for example, forbidden
    scores are set to 0, and then every 0 to minus infinity.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = (q @ k.transpose(-2, -1) / math.sqrt(C // n_head)).tril()
    weights = torch.softmax(scores.masked_fill(scores == 0, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def minus_ten(x, w_q, w_k, w_v, w_o, n_head):
    """You use −10 instead of minus infinity. That leaves a small weight on the future, and a large one where
    the other scores are low.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -10.0), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def inverted_mask(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is inverted: each position attends to later positions only, and the last one has no key."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def only_the_future_and_itself(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is transposed: each position attends to itself and to later positions."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).triu()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def one_too_far(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is shifted by one: each position attends to the next one,
    which is the token it should predict.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(1)
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def without_itself(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is shifted by one: it does not let a position attend to itself. Each may, and without that
    the first one has no key.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(-1)
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def no_mask(x, w_q, w_k, w_v, w_o, n_head):
    """There is no mask: every position attends to the whole row, including the future."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def keys_ask_queries(x, w_q, w_k, w_v, w_o, n_head):
    """You exchange queries and keys: row t of your scores compares key t with every query."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = k @ q.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


REJECTED = (
    *(
        no_root,
        root_of_d_model,
        divided_by_d_head,
        root_of_n_head,
        over_the_queries,
        over_the_heads,
        no_softmax,
    ),
    *(
        mask_after_softmax,
        masked_with_zero,
        zeros_forbidden,
        minus_ten,
        inverted_mask,
        only_the_future_and_itself,
        one_too_far,
    ),
    *(without_itself, no_mask, keys_ask_queries),
)
