"""Fresh answers to rotary_attention."""



rope = """
def rope(x, theta=10000.0):
    d = x.shape[-1]
    phi = torch.arange(x.shape[-2], device=x.device)[:, None] * theta ** (-torch.arange(0, d, 2, device=x.device) / d)
    cos, sin = phi.cos().to(x.dtype), phi.sin().to(x.dtype)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)"""

# The rope of the exercise before, and torch's fused attention.
right_calls_rope = rope + """
def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(q), rope(k), v, is_causal=True)
"""

# The logit is the real part of q times the conjugate of k, turned by the distance.
def right_complex_logits(q, k, v):
    T, d = q.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64, device=q.device) / d)
    t = torch.arange(T, device=q.device)
    far = torch.exp(1j * (t[:, None] - t)[..., None] * w)
    qc, kc = (torch.view_as_complex(each.double().unflatten(-1, (-1, 2)).contiguous()) for each in (q, k))
    logits = torch.einsum("nhtm,nhim,tim->nhti", qc, kc.conj(), far).real / d**0.5
    logits = logits.masked_fill(t > t[:, None], float("-inf"))
    return (logits.softmax(-1) @ v.double()).to(v.dtype)

# Exponentials times a lower triangle, divided by their sum; heads and batch in one axis.
def right_masked_exponentials(q, k, v):
    N, h, T, d = q.shape
    phi = torch.arange(T, device=q.device)[:, None] * 10000.0 ** (-torch.arange(0, d, 2, device=q.device) / d)
    c, s = phi.cos().to(q.dtype), phi.sin().to(q.dtype)
    def turn(x):
        x = x.reshape(N * h, T, d // 2, 2)
        return torch.stack((x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c), -1).reshape(N * h, T, d)
    scores = torch.bmm(turn(q), turn(k).transpose(1, 2)) / d**0.5
    e = torch.exp(scores - scores.amax(-1, keepdim=True)).tril()
    return torch.bmm(e / e.sum(-1, keepdim=True), v.reshape(N * h, T, d)).reshape(N, h, T, d)

# Divides by torch.sqrt(torch.tensor(d)), a float32 number.
def right_root_as_tensor(q, k, v):
    T, d = q.shape[-2:]
    def turn(x):
        phi = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        c, s = phi.cos().to(x), phi.sin().to(x)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)
    scores = turn(q) @ turn(k).mT / torch.sqrt(torch.tensor(d))
    mask = torch.full((T, T), float("-inf"), device=q.device).triu(1)
    return torch.softmax(scores + mask, dim=-1) @ v

# One query after the other, with the keys up to it, and the distance i - t in the rotation of the key.
right_row_by_row = """
def turned(x, angle):
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), -1).flatten(-2)
def rotary_attention(q, k, v):
    d = q.shape[-1]
    w = torch.tensor([10000 ** (-2 * m / d) for m in range(d // 2)], dtype=q.dtype, device=q.device)
    rows = []
    for t in range(q.shape[2]):
        back = torch.arange(-t, 1, device=q.device, dtype=q.dtype)[:, None] * w
        near = turned(k[:, :, : t + 1], back)
        weights = ((q[:, :, t, None] * near).sum(-1) / math.sqrt(d)).softmax(-1)
        rows.append((weights[..., None] * v[:, :, : t + 1]).sum(2))
    return torch.stack(rows, dim=2)
"""

# a helper for the rotation, then torch's fused attention
def right_second_fused_with_helper(q, k, v):
    def turned(x):
        T, d = x.shape[-2:]
        speed = torch.exp(-math.log(10000.0) * torch.arange(0, d, 2, device=x.device).double() / d)
        angle = torch.arange(T, device=x.device).double().unsqueeze(1) * speed
        cos = angle.cos().repeat_interleave(2, dim=1).to(x.dtype)
        sin = angle.sin().repeat_interleave(2, dim=1).to(x.dtype)
        crossed = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        return x * cos + crossed * sin
    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)

# never rotates a vector: each logit from the distance, then masked softmax
def right_second_logit_loops(q, k, v):
    """The relative property written out: pair m contributes Re(q conj(k) exp(i (t - i) w))."""
    T, d = q.shape[-2:]
    t = torch.arange(T, dtype=torch.float64, device=q.device)
    distance = t[:, None] - t
    logits = 0
    for m in range(d // 2):
        phi = distance * 10000.0 ** (-2 * m / d)
        c, s = phi.cos().to(q.dtype), phi.sin().to(q.dtype)
        qa, qb = q[..., 2 * m, None], q[..., 2 * m + 1, None]
        ka, kb = k[..., None, :, 2 * m], k[..., None, :, 2 * m + 1]
        logits = logits + c * (qa * ka + qb * kb) + s * (qa * kb - qb * ka)
    logits = logits / d**0.5
    later = distance < 0
    return logits.masked_fill(later, -torch.inf).softmax(dim=-1) @ v

# Scales the caller's q in place.
wrong_inputs_changed = rope + """
def rotary_attention(q, k, v):
    T = q.shape[-2]
    q /= math.sqrt(q.shape[-1])
    s = rope(q) @ rope(k).mT
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1), -math.inf)
    return s.softmax(-1) @ v
"""

# Rotates only the queries.
wrong_keys_not_rotated = rope + """
def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(q), k, v, is_causal=True)
"""

# A mask of 32 positions.
wrong_mask_of_32 = rope + """
MASK = torch.ones(32, 32, dtype=torch.bool).triu(1)
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).mT / d**0.5
    return s.masked_fill(MASK[:T, :T].to(q.device), -math.inf).softmax(-1) @ v
"""

# The mask is made without a device, so it stays on the CPU.
wrong_mask_on_the_cpu = rope + """
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).transpose(-1, -2) * d**-0.5
    s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return s.softmax(dim=-1) @ v
"""

# Later positions get the logit -10.
wrong_masked_to_minus_ten = rope + """
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).mT / d**0.5
    s = torch.where(torch.ones(T, T, device=q.device).tril() == 1, s, -10.0)
    return s.softmax(-1) @ v
"""

# The logits are not scaled.
wrong_no_scale = rope + """
def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(q), rope(k), v, is_causal=True, scale=1.0)
"""

# In numpy, so no gradient flows.
def wrong_numpy(q, k, v):
    Q, K, V = (each.detach().numpy() for each in (q, k, v))
    T, d = Q.shape[-2:]
    phi = np.arange(T)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)
    def turn(x):
        a, b = x[..., 0::2], x[..., 1::2]
        return np.stack([a * np.cos(phi) - b * np.sin(phi), a * np.sin(phi) + b * np.cos(phi)], axis=-1).reshape(x.shape)
    s = turn(Q) @ turn(K).swapaxes(-1, -2) / np.sqrt(d)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True) @ V).to(q.dtype)

# Rotates the keys backwards, so a logit depends on t + i.
wrong_opposite_directions = rope + """
def rotary_attention(q, k, v):
    flipped = k * torch.tensor([1.0, -1.0], dtype=k.dtype, device=k.device).repeat(k.shape[-1] // 2)
    back = rope(flipped) * torch.tensor([1.0, -1.0], dtype=k.dtype, device=k.device).repeat(k.shape[-1] // 2)
    return F.scaled_dot_product_attention(rope(q), back, v, is_causal=True)
"""

# Swaps heads and positions before rope, so each head has one angle.
wrong_rotated_along_heads = rope + """
def rotary_attention(q, k, v):
    q, k = (rope(each.transpose(1, 2)).transpose(1, 2) for each in (q, k))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
"""

# Rotates twice, so the angle is that of twice the distance.
wrong_rotated_twice = rope + """
def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(rope(q)), rope(rope(k)), v, is_causal=True)
"""

# Scales by the root of n_head * d_head.
wrong_scaled_by_full_width = rope + """
def rotary_attention(q, k, v):
    width = q.shape[1] * q.shape[-1]
    return F.scaled_dot_product_attention(rope(q), rope(k), v, is_causal=True, scale=width**-0.5)
"""

# The softmax runs over the queries.
wrong_softmax_over_queries = rope + """
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = rope(q) @ rope(k).mT / d**0.5
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1), -math.inf)
    return s.softmax(dim=2) @ v
"""

# Rotates the values as well.
wrong_values_too = rope + """
def rotary_attention(q, k, v):
    return F.scaled_dot_product_attention(rope(q), rope(k), rope(v), is_causal=True)
"""

# Rotates inside no_grad, so queries and keys cannot be trained.
wrong_without_gradients = rope + """
def rotary_attention(q, k, v):
    with torch.no_grad():
        q, k = rope(q), rope(k)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)
"""

# Multiplies by a triangle and masks every logit that is 0.
wrong_zero_logits_masked = rope + """
def rotary_attention(q, k, v):
    T, d = q.shape[-2:]
    s = (rope(q) @ rope(k).mT / d**0.5) * torch.ones(T, T, dtype=q.dtype, device=q.device).tril()
    s = s.masked_fill(s == 0, -math.inf)
    return s.softmax(-1) @ v
"""

# Cuts the later weights after the softmax.
wrong_zeros_after_softmax = rope + """
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


# "causal attention": -1e4
def wrong_minus_ten_thousand(q, k, v):
    def turn(x):
        T, d = x.shape[-2:]
        t = torch.arange(T, dtype=x.dtype, device=x.device)
        phi = torch.outer(t, 10000.0 ** (-2 * torch.arange(d // 2, dtype=x.dtype, device=x.device) / d))
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)

    T = q.shape[-2]
    s = turn(q) @ turn(k).mT / math.sqrt(q.shape[-1])
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return s.masked_fill(future, -1e4).softmax(-1) @ v


# exponentials of the scores as they are
wrong_fourth_plain_exp = """
def turn(x):
    T, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    phi = torch.arange(T, device=x.device, dtype=x.dtype)[:, None] * w
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)
def rotary_attention(q, k, v):
    e = (turn(q) @ turn(k).mT / math.sqrt(q.shape[-1])).exp().tril()
    return e / e.sum(-1, keepdim=True) @ v
"""


# scores are cut at 50
wrong_fourth_clamped = """
def turn(x):
    T, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=x.dtype) / d)
    phi = torch.arange(T, device=x.device, dtype=x.dtype)[:, None] * w
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)
def rotary_attention(q, k, v):
    T = q.shape[-2]
    s = (turn(q) @ turn(k).mT / math.sqrt(q.shape[-1])).clamp(-50, 50)
    f = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return s.masked_fill(f, -math.inf).softmax(-1) @ v
"""


# merges the heads before it rotates, so the speeds are those of the full width
def wrong_fifth_merged_heads(q, k, v):
    def turn(x):
        N, h, T, d = x.shape
        y = x.transpose(1, 2).flatten(2)
        angles = torch.arange(T)[:, None] * 10000.0 ** (-torch.arange(0, h * d, 2, dtype=x.dtype) / (h * d))
        a, b, c, s = y[..., 0::2], y[..., 1::2], angles.cos(), angles.sin()
        y = torch.stack((a * c - b * s, a * s + b * c), dim=-1).flatten(-2)
        return y.unflatten(2, (h, d)).transpose(1, 2)

    return F.scaled_dot_product_attention(turn(q), turn(k), v, is_causal=True)


# The largest score of the whole batch is subtracted: a row far below it becomes 0/0.
def wrong_seventh_largest_of_all(q, k, v):
    def turn(x, dim=-2):
        T, d = x.shape[-2:]
        w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype, device=x.device) / d)
        phi = torch.arange(T, dtype=x.dtype, device=x.device)[:, None] * w
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), -1).flatten(-2)
    T, d = q.shape[-2:]
    s = turn(q) @ turn(k).transpose(-2, -1) / d**0.5
    s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1), -math.inf)
    e = (s - s.max()).exp()
    return e / e.sum(-1, keepdim=True) @ v
