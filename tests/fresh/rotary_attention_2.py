"""Fresh answers to rotary_attention, part 2 of 2."""


# Rotates the keys backwards, so a logit depends on t + i.
wrong_opposite_directions = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    flipped = k * torch.tensor([1.0, -1.0], dtype=k.dtype, device=k.device).repeat(k.shape[-1] // 2)
    back = rope(flipped) * torch.tensor([1.0, -1.0], dtype=k.dtype, device=k.device).repeat(k.shape[-1] // 2)
    return F.scaled_dot_product_attention(rope(q), back, v, is_causal=True)
"""


# Swaps heads and positions before rope, so each head has one angle.
wrong_rotated_along_heads = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    q, k = (rope(each.transpose(1, 2)).transpose(1, 2) for each in (q, k))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
"""


# Rotates twice, so the angle is that of twice the distance.
wrong_rotated_twice = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(rope(q)), rope(rope(k)), v, is_causal=True)
"""


# Scales by the root of n_head * d_head.
wrong_scaled_by_full_width = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    width = q.shape[1] * q.shape[-1]
    return F.scaled_dot_product_attention(rope(q), rope(k), v, is_causal=True, scale=width**-0.5)
"""


# The softmax runs over the queries.
wrong_softmax_over_queries = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).mT / d**0.5
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1), -math.inf)
    return s.softmax(dim=2) @ v
"""


# Rotates the values as well.
wrong_values_too = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(q), rope(k), rope(v), is_causal=True)
"""


# Rotates inside no_grad, so queries and keys cannot be trained.
wrong_without_gradients = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    with torch.no_grad():
        q, k = rope(q), rope(k)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
"""


# Multiplies by a triangle and masks every logit that is 0.
wrong_zero_logits_masked = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = (rope(q) @ rope(k).mT / d**0.5) * torch.ones(T, T, dtype=q.dtype, device=q.device).tril()
    s = s.masked_fill(s == 0, -math.inf)
    return s.softmax(-1) @ v
"""


# Cuts the later weights after the softmax.
wrong_zeros_after_softmax = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def rotary_attention(q, k, v):
    d = q.shape[-1]
    return (rope(q) @ rope(k).mT / d**0.5).softmax(-1).tril() @ v
"""


# only the keys are rotated, the queries stay where they are
def wrong_second_only_keys_rotated(q, k, v):
    T, d = k.shape[-2:]
    speed = 10000.0 ** (-torch.arange(0, d, 2, device=k.device).double() / d)
    angle = torch.arange(T, device=k.device).double()[:, None] * speed
    c, s = angle.cos().to(k.dtype), angle.sin().to(k.dtype)
    a, b = k[..., ::2], k[..., 1::2]
    k = torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
    logits = q @ k.transpose(-2, -1) / math.sqrt(d)
    mask = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return logits.masked_fill(mask, -math.inf).softmax(-1) @ v


# the values are rotated as well
def wrong_second_rotates_values(q, k, v):
    def turned(x):
        T, d = x.shape[-2:]
        speed = 10000.0 ** (-torch.arange(0, d, 2, device=x.device).double() / d)
        angle = torch.arange(T, device=x.device).double()[:, None] * speed
        c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)

    return F.scaled_dot_product_attention(turned(q), turned(k), turned(v), is_causal=True)


# divides by the root of the whole width n_head * d_head
def wrong_second_scale_of_all_heads(q, k, v):
    def turned(x):
        T, d = x.shape[-2:]
        speed = 10000.0 ** (-torch.arange(0, d, 2, device=x.device).double() / d)
        angle = torch.arange(T, device=x.device).double()[:, None] * speed
        c, s = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)

    N, n_head, T, d_head = q.shape
    scale = (n_head * d_head) ** -0.5
    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, scale=scale)
