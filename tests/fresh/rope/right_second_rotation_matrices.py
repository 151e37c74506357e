# one block-diagonal matrix for each position, applied by einsum
def rope(x, theta=10000.0):
    T, d = x.shape[-2], x.shape[-1]
    R = torch.zeros(T, d, d, dtype=torch.float64)
    for t in range(T):
        for m in range(d // 2):
            phi = t * theta ** (-2 * m / d)
            c, s = math.cos(phi), math.sin(phi)
            R[t, 2 * m, 2 * m], R[t, 2 * m, 2 * m + 1] = c, -s
            R[t, 2 * m + 1, 2 * m], R[t, 2 * m + 1, 2 * m + 1] = s, c
    return torch.einsum("tij,...tj->...ti", R.to(x), x)
