# Two loops that fill an empty tensor.
def rope(x, theta=10000.0):
    out = torch.empty_like(x)
    T, d = x.shape[-2], x.shape[-1]
    for t in range(T):
        for m in range(d // 2):
            phi = t * theta ** (-2 * m / d)
            a, b = x[..., t, 2 * m], x[..., t, 2 * m + 1]
            out[..., t, 2 * m] = a * math.cos(phi) - b * math.sin(phi)
            out[..., t, 2 * m + 1] = a * math.sin(phi) + b * math.cos(phi)
    return out
