# A rotation is the exponential of a skew matrix; one product of size d for each position.
def rope(x, theta=10000.0):
    T, d = x.shape[-2:]
    skew = torch.zeros(d, d, dtype=torch.float64)
    for m in range(d // 2):
        w = theta ** (-2 * m / d)
        skew[2 * m, 2 * m + 1], skew[2 * m + 1, 2 * m] = -w, w
    R = torch.linalg.matrix_exp(torch.arange(T, dtype=torch.float64)[:, None, None] * skew).to(x)
    return (R @ x.unsqueeze(-1)).squeeze(-1)
