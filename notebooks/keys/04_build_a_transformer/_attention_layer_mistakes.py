"""Wrong answers to causal_self_attention, second half:
values, heads, projections, gradients, sizes and dtypes.

Each is the reference with one mistake, written out as a student would submit it.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F


def values_are_keys(x, w_q, w_k, w_v, w_o, n_head):
    """You average the keys. The weights average the values, x @ w_v."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ k).transpose(1, 2).reshape(B, T, C) @ w_o


def values_not_projected(x, w_q, w_k, w_v, w_o, n_head):
    """You average x itself. The weights average the values, x @ w_v."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    v = x.reshape(B, T, n_head, C // n_head).transpose(1, 2)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def merged_without_transpose(x, w_q, w_k, w_v, w_o, n_head):
    """You merge the heads without exchanging heads and tokens first,
    so a row mixes several positions.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).reshape(B, T, C) @ w_o


def split_without_transpose(x, w_q, w_k, w_v, w_o, n_head):
    """You reshape straight to (B, n_head, T, d_head):
    the shape is right, but tokens and components are mixed.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, n_head, T, C // n_head) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def interleaved_heads(x, w_q, w_k, w_v, w_o, n_head):
    """Each of your heads takes every n_head-th component.
    Head j should take d_k neighbouring components, from j·d_k on.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, C // n_head, n_head).permute(0, 3, 1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def shared_heads(x, w_q, w_k, w_v, w_o, n_head):
    """All your heads use the queries and keys of head 0, so they all have the same weights."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    q, k = q[:, :1], k[:, :1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def one_wide_head(x, w_q, w_k, w_v, w_o, n_head):
    """You use a single head of full width. There should be n_head heads,
    each with weights of its own over d_k components.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w)[:, None] for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def dropout_alive(x, w_q, w_k, w_v, w_o, n_head):
    """Random numbers change your output at every call, as those of dropout do (F.dropout, or dropout_p of
    torch's attention). Here nothing is dropped.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    weights = F.dropout(weights, 0.1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def no_output_projection(x, w_q, w_k, w_v, w_o, n_head):
    """The output projection is missing: multiply the merged heads by w_o at the end."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C)


def weights_from_the_left(x, w_q, w_k, w_v, w_o, n_head):
    """You use the transposed matrices, as nn.Linear does with its weights. Here the product is x @ w."""
    B, T, C = x.shape
    q, k, v = (F.linear(x, w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return F.linear((weights @ v).transpose(1, 2).reshape(B, T, C), w_o)


def with_the_residual(x, w_q, w_k, w_v, w_o, n_head):
    """You add x at the end. The block does that, not the layer."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return x + (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def detached(x, w_q, w_k, w_v, w_o, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return ((weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o).detach()


def keys_detached(x, w_q, w_k, w_v, w_o, n_head):
    """detach, .data, no_grad or a new tensor made of its numbers cuts it off."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.detach().transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def written_for_five(x, w_q, w_k, w_v, w_o, n_head):
    """it does not read every size from the shapes of the arguments, or does not hold for all allowed sizes
    (1, too), values and numbers of axes.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(5, 5, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def scale_for_four(x, w_q, w_k, w_v, w_o, n_head):
    """You divide by a fixed number, which is right for heads of width 4 only.
    Divide by √d_k of the given heads.
    """
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / 2.0
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def mask_on_the_cpu(x, w_q, w_k, w_v, w_o, n_head):
    """a new tensor is made without device=x.device, and is not moved with .to(x.device)."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    weights = torch.softmax(scores.masked_fill(torch.ones(T, T).triu(1) == 1, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def in_float32(x, w_q, w_k, w_v, w_o, n_head):
    """you create a tensor of a fixed dtype, or convert one."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return ((weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o).float()


def rounded_on_the_way(x, w_q, w_k, w_v, w_o, n_head):
    """You lose digits, because some step computes in a narrower dtype than that of x."""
    B, T, C = x.shape
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf).bfloat16(), dim=-1).to(x.dtype)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


REJECTED = (
    *(values_are_keys, values_not_projected, merged_without_transpose, split_without_transpose),
    *(interleaved_heads, shared_heads, one_wide_head, dropout_alive, no_output_projection),
    *(weights_from_the_left, with_the_residual, detached, keys_detached, written_for_five, scale_for_four),
    *(mask_on_the_cpu, in_float32, rounded_on_the_way),
)
