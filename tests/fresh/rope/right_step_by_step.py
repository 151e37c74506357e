# Position t is turned t times by one step; then the positions are stacked.
def rope(x, theta=10000.0):
    d = x.shape[-1]
    w = torch.tensor([theta ** (-2 * m / d) for m in range(d // 2)], dtype=x.dtype, device=x.device)
    rows = []
    for t in range(x.shape[-2]):
        a, b = x[..., t, ::2], x[..., t, 1::2]
        for _ in range(t):
            a, b = a * w.cos() - b * w.sin(), a * w.sin() + b * w.cos()
        rows.append(torch.stack([a, b], -1).flatten(-2))
    return torch.stack(rows, dim=-2)
