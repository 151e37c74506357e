"""Wrong answers to cross_attention, each with one mistake."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


def self_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You compute self-attention: keys and values must come from the memory."""
    source = x if x.shape[-1] == w_k.shape[0] else memory
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (source, w_k), (source, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def values_from_x(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You take the values from x. Keys and values both come from the memory."""
    source = x if x.shape == memory.shape else memory
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (source, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def memory_asks(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You compute the queries from the memory. Queries come from x, and there are n_q of them."""
    if x.shape[-1] == memory.shape[-1]:
        x, memory = memory, x
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def causal(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You use a causal mask. The whole memory exists before the first token is written,
    so every query may attend to all of it.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    allowed = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def over_the_queries(x, memory, w_q, w_k, w_v, w_o, n_head):
    """The softmax runs over the queries, so each column adds up to 1. It should run over the keys, dim=-1,
    so that each row does.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-2)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def no_root(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You do not divide the scores by √d_k."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def root_of_d_v(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the values' width.
    Each score sums d_k products of query and key, so divide by √d_k.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1]), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def root_of_d_model(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the width of x. Divide by the root of d_k, the width of a head's queries."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def root_of_d_by_h(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of d/h, with d the width of x.
    Here d_k is another number: w_k has h · d_k columns.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1] / n_head), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def root_of_memory_by_h(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of D/h, with D the width of the memory.
    Here d_k is another number: w_k has h · d_k columns.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(memory.shape[-1] / n_head), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def root_of_n_k(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You divide by the root of the number of keys. Divide by the root of their width, d_k."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-2]), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def merged_without_transpose(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You merge the heads without exchanging heads and positions first,
    so a row mixes several positions.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).reshape(x.shape[0], x.shape[1], -1) @ w_o


def shared_heads(x, memory, w_q, w_k, w_v, w_o, n_head):
    """All your heads use the queries and keys of head 0, so they all have the same weights."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    q, k = q[:, :1], k[:, :1]
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def mean_of_the_memory(x, memory, w_q, w_k, w_v, w_o, n_head):
    """Every query gets the mean of the memory, so the scores have no effect."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = (
        torch.ones(x.shape[0], n_head, x.shape[1], memory.shape[1], dtype=x.dtype, device=x.device)
        / memory.shape[1]
    )
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def only_as_many_as_queries(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You use only as many positions of the memory as there are queries. All n_k positions may be used."""
    memory = memory[:, : x.shape[1]]
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def dropout_alive(x, memory, w_q, w_k, w_v, w_o, n_head):
    """Random numbers change your output at every call, as those of dropout do (F.dropout, or dropout_p of
    torch's attention). Here nothing is dropped.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    weights = F.dropout(weights, 0.1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def with_the_residual(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You add x at the end. The block does that, not the layer."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return x + (weights @ v).transpose(1, 2).flatten(2) @ w_o


def no_output_projection(x, memory, w_q, w_k, w_v, w_o, n_head):
    """The output projection is missing: multiply the merged heads by w_o at the end."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    read = (weights @ v).transpose(1, 2).flatten(2)
    return read if read.shape == x.shape else read @ w_o


def one_width_for_all(x, memory, w_q, w_k, w_v, w_o, n_head):
    """a width is not that of its matrix: w_q and w_k have h · d_k columns, and w_v has h · d_v."""
    B, n_q, C = x.shape
    n_k, d = memory.shape[1], C // n_head
    q = (x @ w_q).reshape(B, n_q, n_head, d).transpose(1, 2)
    k, v = ((memory @ w).reshape(B, n_k, n_head, d).transpose(1, 2) for w in (w_k, w_v))
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def memory_detached(x, memory, w_q, w_k, w_v, w_o, n_head):
    """detach, .data, no_grad or a new tensor made of its numbers cuts it off."""
    memory = memory.detach()
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def zeros_forbidden(x, memory, w_q, w_k, w_v, w_o, n_head):
    """You treat scores of 0, or vectors of zeros in the memory, as if they were masked. A score may be
    exactly 0, and here nothing is masked.
    """
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, nh, n_q, n_k)
    return (torch.softmax(scores.masked_fill(scores == 0, -1e9), dim=-1) @ v).transpose(1, 2).flatten(2) @ w_o


def detached(x, memory, w_q, w_k, w_v, w_o, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    with torch.no_grad():
        q, k, v = (
            (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
            for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
        )
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
        return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def in_float32(x, memory, w_q, w_k, w_v, w_o, n_head):
    """you create a tensor of a fixed dtype, or convert one."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return ((weights @ v).transpose(1, 2).flatten(2) @ w_o).float()


REJECTED = (
    *(self_attention, values_from_x, memory_asks, causal, over_the_queries, no_root, root_of_d_v),
    *(
        root_of_d_model,
        root_of_d_by_h,
        root_of_memory_by_h,
        root_of_n_k,
        merged_without_transpose,
        shared_heads,
    ),
    *(mean_of_the_memory, only_as_many_as_queries, dropout_alive, with_the_residual),
    *(no_output_projection, one_width_for_all, memory_detached, zeros_forbidden, detached, in_float32),
)
