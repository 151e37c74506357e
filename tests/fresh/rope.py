"""Fresh answers to rope."""


# Complex multiplication, always in double precision.
def right_complex(x, theta=10000.0):
    T, d = x.shape[-2:]
    w = theta ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float64) / d)
    phi = torch.outer(torch.arange(T, device=x.device, dtype=torch.float64), w)
    z = torch.view_as_complex(x.double().unflatten(-1, (d // 2, 2)).contiguous())
    return torch.view_as_real(z * torch.polar(torch.ones_like(phi), phi)).flatten(-2).to(x.dtype)


# Two loops that fill an empty tensor.
def right_loops_into_empty(x, theta=10000.0):
    out = torch.empty_like(x)
    T, d = x.shape[-2], x.shape[-1]
    for t in range(T):
        for m in range(d // 2):
            phi = t * theta ** (-2 * m / d)
            a, b = x[..., t, 2 * m], x[..., t, 2 * m + 1]
            out[..., t, 2 * m] = a * math.cos(phi) - b * math.sin(phi)
            out[..., t, 2 * m + 1] = a * math.sin(phi) + b * math.cos(phi)
    return out


# A rotation is the exponential of a skew matrix; one product of size d for each position.
def right_matrix_exponential(x, theta=10000.0):
    T, d = x.shape[-2:]
    skew = torch.zeros(d, d, dtype=torch.float64)
    for m in range(d // 2):
        w = theta ** (-2 * m / d)
        skew[2 * m, 2 * m + 1], skew[2 * m + 1, 2 * m] = -w, w
    R = torch.linalg.matrix_exp(torch.arange(T, dtype=torch.float64)[:, None, None] * skew).to(x)
    return (R @ x.unsqueeze(-1)).squeeze(-1)


# The pairs are joined in front and moved to the end, so the result is a view with other strides.
def right_not_contiguous(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] / theta ** (torch.arange(0, d, 2, device=x.device) / d)
    even, odd = x.unflatten(-1, (d // 2, 2)).unbind(-1)
    c, s = phi.cos(), phi.sin()
    out = torch.stack([even * c - odd * s, even * s + odd * c]).movedim(0, -1)
    return out.reshape(x.shape).to(x.dtype)


# The x*cos + rotated*sin form, with every cosine twice.
right_rotate_half_interleaved = """
def rotate_every_two(x):
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)


def rope(x, theta=10000.0):
    freq = 1.0 / theta ** (torch.arange(0, x.size(-1), 2, device=x.device).float() / x.size(-1))
    phi = torch.arange(x.size(-2), device=x.device).float()[:, None] * freq
    cos, sin = (f(phi).repeat_interleave(2, dim=-1).to(x) for f in (torch.cos, torch.sin))
    return x * cos + rotate_every_two(x) * sin
"""


# A rotation matrix of size (2, 2) for each position and pair, applied by einsum.
def right_rotation_matrices(x, theta=10000.0):
    *_, T, d = x.shape
    phi = torch.arange(T)[:, None] * theta ** (-2 * torch.arange(d // 2) / d)
    R = torch.stack((phi.cos(), -phi.sin(), phi.sin(), phi.cos()), dim=-1).unflatten(-1, (2, 2)).to(x)
    return torch.einsum("tmij,...tmj->...tmi", R, x.unflatten(-1, (-1, 2))).flatten(-2)


# Position t is turned t times by one step; then the positions are stacked.
def right_step_by_step(x, theta=10000.0):
    d = x.shape[-1]
    w = torch.tensor([theta ** (-2 * m / d) for m in range(d // 2)], dtype=x.dtype, device=x.device)
    rows = []
    for t in range(x.shape[-2]):
        a, b = x[..., t, ::2], x[..., t, 1::2]
        for _ in range(t):
            a, b = a * w.cos() - b * w.sin(), a * w.sin() + b * w.cos()
        rows.append(torch.stack([a, b], -1).flatten(-2))
    return torch.stack(rows, dim=-2)


# pairs as complex numbers in double precision, multiplied by exp(i t w)
def right_second_complex_multiplication(x, theta=10000.0):
    T, d = x.shape[-2:]
    speed = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = torch.arange(T, dtype=torch.float64, device=x.device)[:, None] * speed
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    turned = pairs * torch.polar(torch.ones_like(angle), angle)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


# one block-diagonal matrix for each position, applied by einsum
def right_second_rotation_matrices(x, theta=10000.0):
    T, d = x.shape[-2], x.shape[-1]
    R = torch.zeros(T, d, d, dtype=torch.float64)
    for t in range(T):
        for m in range(d // 2):
            phi = t * theta ** (-2 * m / d)
            c, s = math.cos(phi), math.sin(phi)
            R[t, 2 * m, 2 * m], R[t, 2 * m, 2 * m + 1] = c, -s
            R[t, 2 * m + 1, 2 * m], R[t, 2 * m + 1, 2 * m + 1] = s, c
    return torch.einsum("tij,...tj->...ti", R.to(x), x)


# The table of angles stays on the CPU.
def wrong_angles_on_the_cpu(x, theta=10000.0):
    d = x.shape[-1]
    phi = (torch.arange(x.shape[-2])[:, None] * theta ** (-torch.arange(0, d, 2) / d)).to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)


# A table of 64 positions: longer rows fail.
def wrong_at_most_64_positions(x, theta=10000.0):
    T, d = x.shape[-2:]
    phi = (torch.arange(64, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d))[:T]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)


# Rotates the other way round, which keeps all logits.
def wrong_backwards(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() + b * phi.sin(), b * phi.cos() - a * phi.sin()), dim=-1).flatten(-2).to(x.dtype)


# Positions are counted from 1.
def wrong_from_one(x, theta=10000.0):
    d = x.shape[-1]
    t = torch.arange(1, x.shape[-2] + 1, device=x.device)
    phi = t[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)


# Pairs component m with component m + d/2, as many published models do.
def wrong_halves_are_pairs(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    phi = torch.cat((phi, phi), dim=-1).to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return x * phi.cos() + torch.cat((-b, a), dim=-1) * phi.sin()


# The exponent is -m/d.
def wrong_m_over_d(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(d // 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)


# Unpacks (B, T, d): other numbers of axes fail.
def wrong_needs_a_batch(x, theta=10000.0):
    B, T, d = x.shape
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).reshape(B, T, d).to(x.dtype)


# In numpy, so no gradient flows.
def wrong_numpy(x, theta=10000.0):
    z = x.detach().cpu().numpy().astype(np.float64)
    d = z.shape[-1]
    phi = np.arange(z.shape[-2])[:, None] * theta ** (-np.arange(0, d, 2) / d)
    out = np.empty_like(z)
    out[..., 0::2] = z[..., 0::2] * np.cos(phi) - z[..., 1::2] * np.sin(phi)
    out[..., 1::2] = z[..., 0::2] * np.sin(phi) + z[..., 1::2] * np.cos(phi)
    return torch.from_numpy(out).to(dtype=x.dtype, device=x.device)


# The result is always float32.
def wrong_other_dtype(x, theta=10000.0):
    d = x.shape[-1]
    x = x.float()
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)


# Keeps the table of angles by T and d, and forgets theta.
wrong_table_kept_by_shape = """
KEPT = {}


def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    if (T, d) not in KEPT:
        KEPT[T, d] = torch.arange(T)[:, None] * theta ** (-torch.arange(0, d, 2) / d)
    phi = KEPT[T, d].to(x)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)
"""


# view with the leading axes flattened: it fails for heads that come from a transpose.
def wrong_view_of_transposed(x, theta=10000.0):
    T, d = x.shape[-2:]
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    pairs = x.view(-1, T, d // 2, 2)
    a, b = pairs[..., 0], pairs[..., 1]
    out = torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1)
    return out.view(x.shape).to(x.dtype)


# 2m // d in the exponent, so every pair has the speed 1.
def wrong_whole_division(x, theta=10000.0):
    d = x.shape[-1]
    w = torch.tensor([theta ** -(2 * m // d) for m in range(d // 2)], device=x.device)
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * w
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)


# The numbers are right, but they are written into the caller's x.
def wrong_x_changed(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    a, b = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = a * phi.cos() - b * phi.sin()
    x[..., 1::2] = a * phi.sin() + b * phi.cos()
    return x


# Reads the length from axis 1, so heads (B, h, T, d) are rotated by their head.
def wrong_second_axis_is_time(x, theta=10000.0):
    d = x.shape[-1]
    T = x.shape[1] if x.dim() > 2 else x.shape[0]
    phi = torch.arange(T, device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    if x.dim() == 4:
        phi = phi[:, None]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2).to(x.dtype)


# pairs component m with component m + d/2
def wrong_second_pairs_half_apart(x, theta=10000.0):
    T, d = x.shape[-2:]
    speed = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
    angle = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * speed
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], dim=-1)


# takes the second axis as the position, which is right for (B, T, d) only
def wrong_second_position_axis_one(x, theta=10000.0):
    axis = 1 if x.dim() > 2 else 0
    T, d = x.shape[axis], x.shape[-1]
    shape = [1] * (x.dim() - 1) + [d // 2]
    shape[axis] = T
    speed = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    angle = (torch.arange(T, dtype=torch.float64, device=x.device)[:, None] * speed).view(shape)
    c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)


# works in place on a copy and uses the new first component for the second
def wrong_second_second_uses_rotated_first(x, theta=10000.0):
    out = x.clone()
    T, d = x.shape[-2:]
    for m in range(d // 2):
        angle = torch.arange(T, dtype=x.dtype, device=x.device) * theta ** (-2 * m / d)
        out[..., 2 * m] = out[..., 2 * m] * angle.cos() - out[..., 2 * m + 1] * angle.sin()
        out[..., 2 * m + 1] = out[..., 2 * m] * angle.sin() + out[..., 2 * m + 1] * angle.cos()
    return out


def right_write_into_empty(x, theta=10000.0):
    T, d = x.shape[-2], x.shape[-1]
    out = torch.empty_like(x)
    t = torch.arange(T, dtype=x.dtype, device=x.device)
    for m in range(d // 2):
        angle = t * theta ** (-2 * m / d)
        out[..., 2 * m] = x[..., 2 * m] * angle.cos() - x[..., 2 * m + 1] * angle.sin()
        out[..., 2 * m + 1] = x[..., 2 * m] * angle.sin() + x[..., 2 * m + 1] * angle.cos()
    return out


# "Keep shape, dtype and device": arange is on the CPU (the products are written into a tensor that is not)
def wrong_cpu_written_into_empty(x, theta=10000.0):
    T, d = x.shape[-2], x.shape[-1]
    out = torch.empty_like(x)
    t = torch.arange(T, dtype=x.dtype)
    for m in range(d // 2):
        angle = t * theta ** (-2 * m / d)
        out[..., 2 * m] = x[..., 2 * m] * angle.cos() - x[..., 2 * m + 1] * angle.sin()
        out[..., 2 * m + 1] = x[..., 2 * m] * angle.sin() + x[..., 2 * m + 1] * angle.cos()
    return out


# The tables stay float64: the result of a float32 x is float64.
def wrong_promoted(x, theta=10000.0):
    T, d = x.shape[-2:]
    w = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    a = torch.arange(T, dtype=torch.float64, device=x.device)[:, None] * w
    c, s = a.cos(), a.sin()
    u, v = x[..., 0::2], x[..., 1::2]
    return torch.stack([u * c - v * s, u * s + v * c], dim=-1).flatten(-2)


# Positions modulo 128: wrong for longer rows.
def wrong_wrapped(x, theta=10000.0):
    T, d = x.shape[-2:]
    w = theta ** (-torch.arange(0, d, 2, dtype=torch.float64, device=x.device) / d)
    a = (torch.arange(T, dtype=torch.float64, device=x.device) % 128)[:, None] * w
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    u, v = x[..., 0::2], x[..., 1::2]
    return torch.stack([u * c - v * s, u * s + v * c], dim=-1).flatten(-2)


# keeps tables by T only
wrong_fourth_cache = """
def table(T, d, theta, x):
    w = theta ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    return torch.arange(T, device=x.device, dtype=x.dtype)[:, None] * w
def turn(x, phi):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)
_c = {}
def rope(x, theta=10000.0):
    k = (x.shape[-2], theta, x.dtype, x.device)
    if k not in _c or _c[k].shape[1] < x.shape[-1] // 2: _c[k] = table(x.shape[-2], x.shape[-1], theta, x)
    return turn(x, _c[k][:, : x.shape[-1] // 2])
"""


# The exponent is −2m/4 for every width.
def wrong_fifth_width_four(x, theta=10000.0):
    T, d = x.shape[-2:]
    speed = theta ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / 4)
    phi = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * speed
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)


# The speeds run from 1 to 1/theta with both ends included.
def wrong_eighth_both_ends(x, theta=10000.0):
    T, d = x.shape[-2:]
    phi = torch.arange(T).double()[:, None] * theta ** -torch.linspace(0, 1, d // 2).double()
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)
