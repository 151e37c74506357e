"""Wrong answers to causal_self_attention, first half: scale, softmax, mask, and who asks whom.

Each is the reference with one mistake, written out as a student would hand it in.
"""

from __future__ import annotations

import math

import torch


def no_root(x, w_q, w_k, w_v, w_o, n_head):
    """You do not divide the scores by √d_head: they spread too far, and the softmax puts nearly all weight on one key."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def root_of_d_model(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of d_model; each head multiplies and sums d_head components, so it is √d_head."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def divided_by_d_head(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by d_head; its root is what takes the variance of the scores to 1."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / (C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def root_of_n_head(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the number of heads; it is the root of their width, d_head."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def over_the_queries(x, w_q, w_k, w_v, w_o, n_head):
    """Your softmax runs over the queries: each key's column adds up to 1. Each query's row should, dim=-1."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-2)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def over_the_heads(x, w_q, w_k, w_v, w_o, n_head):
    """Your softmax runs over the heads, dim=1: they do not compete with each other. It runs over the keys, dim=-1."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores, dim=1)
    weights = weights.masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def no_softmax(x, w_q, w_k, w_v, w_o, n_head):
    """There is no softmax: scores are not weights, they may be negative and do not add up to 1."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = scores.masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def mask_after_softmax(x, w_q, w_k, w_v, w_o, n_head):
    """You mask after the softmax: what is later has no weight left, but it is still in the sum that the weights were divided
    by.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0.0)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def masked_with_zero(x, w_q, w_k, w_v, w_o, n_head):
    """You set forbidden scores to 0; e⁰ is 1, which is a share like any other. Set them to minus infinity."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, 0.0), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def minus_ten(x, w_q, w_k, w_v, w_o, n_head):
    """−10 in place of minus infinity leaves a small weight on the future, and where the scores of the past are low a large
    one.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -10.0), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def inverted_mask(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is inverted: each position reads what it must not see, and the last has nothing to read."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def only_the_future_and_itself(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is transposed: each position reads itself and what is later."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).triu()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def one_too_far(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is shifted by one: each position reads the next one, which is the very thing it should predict."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(1)
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def without_itself(x, w_q, w_k, w_v, w_o, n_head):
    """Your mask is shifted by one: a position may read itself, and without that the first has nothing to read."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(-1)
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def no_mask(x, w_q, w_k, w_v, w_o, n_head):
    """There is no mask: every position reads the whole row, the future included."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def keys_ask_queries(x, w_q, w_k, w_v, w_o, n_head):
    """Queries and keys are exchanged: row t of your scores holds key t against every query."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = k @ q.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


REJECTED = (
    *(no_root, root_of_d_model, divided_by_d_head, root_of_n_head, over_the_queries, over_the_heads, no_softmax),
    *(mask_after_softmax, masked_with_zero, minus_ten, inverted_mask, only_the_future_and_itself, one_too_far),
    *(without_itself, no_mask, keys_ask_queries),
)
