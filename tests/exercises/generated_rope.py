"""RoPE put together from interchangeable steps: hundreds of right answers, and hundreds with one wrong step.

Between the steps: frequency (d / 2,), angle (T, d / 2), and the output, of x's shape.
"""

from __future__ import annotations

import math

import torch


def _like(x, values):
    return torch.as_tensor(values).to(x.device, x.dtype)


# ---- the frequency of each pair
FREQUENCY = {
    "power": lambda x, d, theta: theta ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "reciprocal": lambda x, d, theta: 1.0 / theta ** (torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "exp": lambda x, d, theta: torch.exp(
        torch.arange(d // 2).to(x.device, x.dtype) * (-2 * math.log(theta) / d)
    ),
    "python": lambda x, d, theta: _like(x, [theta ** (-2 * i / d) for i in range(d // 2)]),
    "float32": lambda x, d, theta: (theta ** (-torch.arange(0, d, 2).float() / d)).to(x.device, x.dtype),
    "products": lambda x, d, theta: _like(x, [1.0] + [theta ** (-2 / d)] * (d // 2 - 1)).cumprod(0),
    "every second": lambda x, d, theta: (theta ** (-torch.arange(d).to(x.device, x.dtype) / d))[::2],
}
WRONG_FREQUENCY = {
    "plus": lambda x, d, theta: theta ** (torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "half": lambda x, d, theta: theta ** (-torch.arange(d // 2).to(x.device, x.dtype) / d),
    "twice": lambda x, d, theta: theta ** (-2 * torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "over pairs": lambda x, d, theta: theta ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / (d // 2)),
    "from one": lambda x, d, theta: theta ** (-torch.arange(1, d + 1, 2).to(x.device, x.dtype) / d),
    "ends at theta": lambda x, d, theta: theta ** (-torch.linspace(0, 1, d // 2).to(x.device, x.dtype)),
    "all alike": lambda x, d, theta: torch.ones(d // 2).to(x.device, x.dtype),
    "backwards": lambda x, d, theta: (theta ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / d)).flip(0),
    "theta of its own": lambda x, d, theta: 10_000.0 ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "1,000": lambda x, d, theta: (theta / 10) ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "turns": lambda x, d, theta: 2 * math.pi * theta ** (-torch.arange(0, d, 2).to(x.device, x.dtype) / d),
    "log 2": lambda x, d, theta: torch.exp2(
        -torch.arange(0, d, 2).to(x.device, x.dtype) * math.log(theta) / d
    ),
}

# ---- the angle of each position and pair
ANGLE = {
    "broadcast": lambda x, f: torch.arange(x.shape[-2]).to(x.device, x.dtype)[:, None] * f,
    "outer": lambda x, f: torch.outer(torch.arange(x.shape[-2]).to(x.device, x.dtype), f),
    "einsum": lambda x, f: torch.einsum("t,i->ti", torch.arange(x.shape[-2]).to(x.device, x.dtype), f),
    "summed": lambda x, f: f.expand(x.shape[-2], -1).cumsum(0) - f,
    "rows": lambda x, f: torch.stack([t * f for t in range(x.shape[-2])]),
}
WRONG_ANGLE = {
    "from one": lambda x, f: torch.arange(1, x.shape[-2] + 1).to(x.device, x.dtype)[:, None] * f,
    "backwards": lambda x, f: torch.arange(x.shape[-2] - 1, -1, -1).to(x.device, x.dtype)[:, None] * f,
    "negative": lambda x, f: -torch.arange(x.shape[-2]).to(x.device, x.dtype)[:, None] * f,
    "relative": lambda x, f: torch.linspace(0, 1, x.shape[-2]).to(x.device, x.dtype)[:, None] * f,
    "halved": lambda x, f: torch.arange(x.shape[-2]).to(x.device, x.dtype)[:, None] * f / 2,
    "squared": lambda x, f: torch.arange(x.shape[-2]).to(x.device, x.dtype)[:, None] ** 2 * f,
    "degrees": lambda x, f: torch.deg2rad(torch.arange(x.shape[-2]).to(x.device, x.dtype)[:, None] * f),
    "constant": lambda x, f: torch.ones(x.shape[-2]).to(x.device, x.dtype)[:, None] * f,
}


def _pairs(x):
    return x[..., 0::2], x[..., 1::2]


def _put_back(a, b):
    return torch.stack((a, b), dim=-1).flatten(-2)


def _stacked(x, angle):
    a, b = _pairs(x)
    return _put_back(a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos())


def _complex(x, angle):
    points = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(points * torch.polar(torch.ones_like(angle), angle)).reshape(x.shape)


def _quarter(x, angle):
    a, b = _pairs(x)
    return x * angle.cos().repeat_interleave(2, -1) + _put_back(-b, a) * angle.sin().repeat_interleave(2, -1)


def _written_into(x, angle):
    a, b = _pairs(x)
    out = torch.empty_like(x)
    out[..., 0::2], out[..., 1::2] = a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()
    return out


def _matrices(x, angle):
    cos, sin = angle.cos(), angle.sin()
    turn = torch.stack((cos, -sin, sin, cos), dim=-1).unflatten(-1, (2, 2))
    return torch.einsum("tiab,...tib->...tia", turn, x.unflatten(-1, (-1, 2))).flatten(-2)


def _shears(x, angle):
    a, b = _pairs(x)
    a = a - b * torch.tan(angle / 2)
    b = b + a * torch.sin(angle)
    return _put_back(a - b * torch.tan(angle / 2), b)


def _polar(x, angle):
    a, b = _pairs(x)
    length, direction = torch.hypot(a, b), torch.atan2(b, a)
    return _put_back(length * torch.cos(direction + angle), length * torch.sin(direction + angle))


TURN = {
    "stacked": _stacked,
    "complex": _complex,
    "quarter": _quarter,
    "written into": _written_into,
    "matrices": _matrices,
    "three shears": _shears,
    "polar": _polar,
}


def _overwritten(x, angle):
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * angle.cos() - out[..., 1::2] * angle.sin()
    out[..., 1::2] = out[..., 0::2] * angle.sin() + out[..., 1::2] * angle.cos()
    return out


def _half_split(x, angle):
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)


def _from_pairs(join):
    return lambda x, angle: join(*_pairs(x), angle.cos(), angle.sin())


WRONG_TURN = {
    "overwritten": _overwritten,
    "half split": _half_split,
    "back as halves": _from_pairs(lambda a, b, c, s: torch.cat((a * c - b * s, a * s + b * c), dim=-1)),
    "the other way": _from_pairs(lambda a, b, c, s: _put_back(a * c + b * s, b * c - a * s)),
    "mirrored": _from_pairs(lambda a, b, c, s: _put_back(a * c - b * s, a * s - b * c)),
    "both plus": _from_pairs(lambda a, b, c, s: _put_back(a * c + b * s, a * s + b * c)),
    "sine for cosine": _from_pairs(lambda a, b, c, s: _put_back(a * s - b * c, a * c + b * s)),
    "exchanged": _from_pairs(lambda a, b, c, s: _put_back(a * s + b * c, a * c - b * s)),
    "cosine only": _from_pairs(lambda a, b, c, s: _put_back(a * c, b * c)),
    "half of it": _from_pairs(lambda a, b, c, s: _put_back(a * c - b * s, b)),
    "added": lambda x, angle: x + _put_back(angle.sin(), angle.cos()),
    "twice": lambda x, angle: _stacked(_stacked(x, angle), angle),
    "detached": lambda x, angle: _stacked(x.detach(), angle),
    "float32": lambda x, angle: _stacked(x, angle).float(),
    "rounded": lambda x, angle: _stacked(x, angle.half().to(x.device, x.dtype)).half().to(x.device, x.dtype),
    "first pair left": lambda x, angle: torch.cat((x[..., :2], _stacked(x, angle)[..., 2:]), dim=-1),
}

STEPS = (FREQUENCY, ANGLE, TURN)
WRONG_STEPS = (WRONG_FREQUENCY, WRONG_ANGLE, WRONG_TURN)


def assembled(frequency, angle, turn):
    """An answer made of these three steps."""

    def rope(x, theta=10000.0):
        return turn(x, angle(x, frequency(x, x.shape[-1], theta)))

    return rope


def right_answers():
    """Every combination of right forms, by name: 245."""
    return {
        f"{f} · {a} · {t}": assembled(FREQUENCY[f], ANGLE[a], TURN[t])
        for f in FREQUENCY
        for a in ANGLE
        for t in TURN
    }
