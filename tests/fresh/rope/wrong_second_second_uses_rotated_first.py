# works in place on a copy and uses the new first component for the second
def rope(x, theta=10000.0):
    out = x.clone()
    T, d = x.shape[-2:]
    for m in range(d // 2):
        angle = torch.arange(T, dtype=x.dtype, device=x.device) * theta ** (-2 * m / d)
        out[..., 2 * m] = out[..., 2 * m] * angle.cos() - out[..., 2 * m + 1] * angle.sin()
        out[..., 2 * m + 1] = out[..., 2 * m] * angle.sin() + out[..., 2 * m + 1] * angle.cos()
    return out
