# One query after the other, with the keys up to it, and the distance i - t in the rotation of the key.
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
