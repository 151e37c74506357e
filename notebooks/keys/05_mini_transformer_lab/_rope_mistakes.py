"""Wrong answers to rope, each with one mistake."""

from __future__ import annotations

import torch
import torch.nn.functional as F


def exponent_with_plus(x, theta=10000.0):
    """Your exponent has the wrong sign: with theta^(+2m/d) the pairs rotate faster and faster."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def half_split_pairs(x, theta=10000.0):
    """Your pairs are components m and m + d/2, as in some libraries;
    here they are neighbours, 2m and 2m + 1.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)


def pairs_not_put_back(x, theta=10000.0):
    """Your pairs are rotated correctly, but put back as two halves:
    the new pair m belongs in components 2m and 2m + 1.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)


def turned_backwards(x, theta=10000.0):
    """You rotate in the other direction, from b towards a.
    Logits still depend on the distance only, but the formula says a cos φ − b sin φ.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()), dim=-1
    ).flatten(-2)


def one_sign_wrong(x, theta=10000.0):
    """One sign is wrong: with a cos φ − b sin φ and a sin φ − b cos φ the pair is
    reflected, even at position 0.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() - b * angle.cos()), dim=-1
    ).flatten(-2)


def both_plus(x, theta=10000.0):
    """Both sums have a plus, so lengths change: the first of the pair should be a cos φ − b sin φ."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() + b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def sine_and_cosine_exchanged(x, theta=10000.0):
    """Sine and cosine are exchanged: at position 0, where the cosine is 1, nothing should change."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.sin() - b * angle.cos(), a * angle.cos() + b * angle.sin()), dim=-1
    ).flatten(-2)


def half_the_exponent(x, theta=10000.0):
    """Your exponent is −m/d; it should be −2m/d for pair m, so that the slowest pair gets near 1/theta."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(d // 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def twice_the_exponent(x, theta=10000.0):
    """Your exponent is −4m/d; it should be −2m/d for pair m. (d counts components, not pairs, and
    torch.arange(0, d, 2) holds 2m already.)
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -2 * torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def reaches_the_end(x, theta=10000.0):
    """Your frequencies run from 1 to exactly 1/theta: divide by d, not by d − 2; pair m has theta^(−2m/d)."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.linspace(0, 1, d // 2, dtype=x.dtype, device=x.device)
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def one_frequency(x, theta=10000.0):
    """All your pairs turn at the same speed; pair m should turn theta^(−2m/d) a step,
    each slower than the one before.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * torch.ones(
        d // 2, dtype=x.dtype, device=x.device
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def theta_ignored(x, theta=10000.0):
    """You compute with 10000 although another theta is given."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def counted_from_one(x, theta=10000.0):
    """Your positions begin at 1; the first of a row should be position 0, which does not turn."""
    T, d = x.shape[-2:]
    angle = torch.arange(1, T + 1, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def turned_by_the_row(x, theta=10000.0):
    """Your angle grows along the first axis, with the row of the batch:
    positions should lie along the axis before the last.
    """
    d = x.shape[-1]
    frequency = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    rows = torch.arange(x.shape[0], dtype=x.dtype, device=x.device).reshape(-1, *[1] * (x.ndim - 1))
    angle = rows * frequency
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def added_waves(x, theta=10000.0):
    """You add sines and cosines, as sinusoidal positions do;
    rotary positions are no sum, they turn what is there.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    return x + torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)


def overwritten(x, theta=10000.0):
    """You compute the second component of a pair from the new first one. It needs the old one. (x[..., 0::2]
    is a view: if you write into x, it changes too.) Put the results into a new tensor.
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * angle.cos() - out[..., 1::2] * angle.sin()
    out[..., 1::2] = out[..., 0::2] * angle.sin() + out[..., 1::2] * angle.cos()
    return out


def into_the_input(x, theta=10000.0):
    """Your result is right, but your code changes x in place.
    Other cells still need it as it was: make a new object
    """
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * angle.cos() - b * angle.sin()
    x[..., 1::2] = a * angle.sin() + b * angle.cos()
    return x


def detached(x, theta=10000.0):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * theta ** (
        -torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d
    )
    a, b = x[..., 0::2].detach(), x[..., 1::2].detach()
    return torch.stack(
        (a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1
    ).flatten(-2)


def in_float32(x, theta=10000.0):
    """you create a tensor of a fixed dtype, or convert one."""
    T, d = x.shape[-2:]
    angle = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    points = torch.view_as_complex(F.pad(x.float(), (0, 0)).unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(points * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


REJECTED = (
    *(exponent_with_plus, half_split_pairs, pairs_not_put_back, turned_backwards, one_sign_wrong),
    *(both_plus, sine_and_cosine_exchanged, half_the_exponent, twice_the_exponent, reaches_the_end),
    *(one_frequency, theta_ignored, counted_from_one, turned_by_the_row, added_waves, overwritten),
    *(into_the_input, detached, in_float32),
)
